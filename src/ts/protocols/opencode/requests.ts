/** The requests of opencode's server: permissions of the second version, and questions with their answers. */
import type { Data, ItemDecision } from '../shared/codec.js';
import { answerOf } from '../shared/questions.js';

/** Converts a permission request of the second version to the form of the first. */
export const requestOf = ({ action, resources, save, source, ...rest }: Data): Data => ({
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
export function questionOf({ question, header, options, multiple, custom }: Data, place: number): Data {
  if (typeof question !== 'string') throw new TypeError('expected a question');
  return { id: String(place), question, header, options, multiSelect: multiple === true, isOther: custom !== false };
}

/** Returns what answers a request with this number of questions: lists of labels, or nothing, which rejects it. */
export function answersIn(decision: ItemDecision, questions: number): Data {
  const { action, value } = answerOf(decision);
  const at = (place: number): unknown[] => [value[place] ?? []].flat().map(String);
  return action === 'accept' ? { answers: Array.from({ length: questions }, (_, place) => at(place)) } : {};
}
