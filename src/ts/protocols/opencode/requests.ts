/** The requests of opencode's server: permissions of the second version, and questions with their answers. */
import type { Event, Part, ToolPart } from '@opencode-ai/sdk/v2';
import type { ItemDecision } from '../shared/codec.js';
import { answerOf } from '../shared/questions.js';
import type { AnyOf, With } from '../shared/wire.js';

/** The kinds of events that are read. */
type Kind =
  | `${'permission' | 'question'}.${'' | 'v2.'}${'asked' | 'replied' | 'rejected'}`
  | `${'session' | 'message'}.${'created' | 'updated' | 'part.updated' | 'part.delta' | 'error' | 'idle'}`;
/** A part of a message as it arrives, and of a call with its state. */
export type MessagePart = With<AnyOf<Part>, 'id' | 'callID' | 'tool' | 'messageID'> & {
  readonly state: With<AnyOf<ToolPart['state']>, 'status'>;
};
/** The content of an event as it arrives. The event's kind says which of the fields it needs. */
export type Content = With<
  AnyOf<Extract<Event, { type: Kind }>['properties']>,
  'id' | 'info' | 'partID' | 'delta' | 'questions' | 'requestID'
> & { readonly part: MessagePart };
/** A permission request in the form of the first version. */
export type Asked = Content & { readonly isV2?: boolean };

/** Converts a permission request of the second version to the form of the first. */
export const requestOf = ({ action, resources, save, source, ...rest }: Asked): Asked => ({
  ...rest,
  permission: action,
  patterns: resources,
  always: save,
  tool: source,
  isV2: true,
});

/**
 * Converts one question to the form of the page's questions, with its place as its id. Throws for one without a text.
 */
export function questionOf(
  { question, header, options, multiple, custom }: Content['questions'][number],
  place: number,
) {
  if (typeof question !== 'string') throw new TypeError('expected a question');
  return { id: String(place), question, header, options, multiSelect: multiple === true, isOther: custom !== false };
}

/** Returns what answers a request with this number of questions: lists of labels, or nothing, which rejects it. */
export function answersIn(decision: ItemDecision, questions: number): { readonly answers?: readonly string[][] } {
  const { action, value } = answerOf(decision);
  const at = (place: number): string[] =>
    [(value as Readonly<Record<number, unknown>>)[place] ?? []].flat().map(String);
  return action === 'accept' ? { answers: Array.from({ length: questions }, (_, place) => at(place)) } : {};
}
