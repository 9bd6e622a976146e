/**
 * The types of `types/protocol-definition.ts` as our own protocols use them: everything from outside is `any`, since
 * reading it may throw, and whoever calls a protocol expects that.
 */
import type {
  CallResult as PublicCallResult,
  DecisionToSend,
  ProtocolCapabilities,
  ProtocolDefinition,
  ReadContext,
  RequestContext as PublicRequestContext,
} from '../../types/protocol-definition.js';
import type { Loss } from '../../types/index.js';

/** Data from outside, of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** A part of a message; or a call. */
export type Part = { type: string; providerOptions?: Record<string, Data> } & Record<string, Data>;

/** A call with all that belongs to it. */
export interface Call extends Part {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: Data;
  providerExecuted?: boolean;
  /** While a history is read: the id under which its result comes, if that is another one. */
  answeredAs?: string | undefined;
  request?: Part;
  response?: Part;
  result?: Part;
}

/** One message. Of the assistant: one step. */
export interface Entry {
  role: 'system' | 'user' | 'assistant';
  content: Part[];
}

/** The same type, with `any` for what is unknown. */
type Loose<T> = { [K in keyof T]: unknown extends T[K] ? Data : T[K] };

/** What writing and reading a history takes. */
export type Context = ReadContext;

/** One decision, or the result of a browser tool. */
export type ItemDecision = Loose<DecisionToSend>;

/** How a call settled, as the model is told. */
export type CallResult = Loose<PublicCallResult>;

/** What building a request takes. */
export interface RequestContext extends Loose<Omit<PublicRequestContext, 'decisions' | 'newMessages'>>, Context {
  readonly decisions: readonly ItemDecision[];
  readonly newMessages: readonly Entry[];
}

/** What a stream's reader works with. */
export interface StreamContext {
  readonly emit: Emit;
  newId(): string;
  calls(): readonly Data[];
  messages(): readonly Data[];
}

/** Reads one event of a stream. A list in an event is read item by item (`ReplyWriter.each`). */
export type Reader = (event: Data) => boolean;

/** Takes what a reader emits; `undefined` for a piece of an event that was malformed. */
export type Emit = (chunk: Data) => void;

/** A protocol of our own. */
export interface Codec extends Omit<
  ProtocolDefinition,
  'createReader' | 'write' | 'read' | 'body' | 'answer' | 'acceptsEdit'
> {
  createReader(stream: StreamContext): Reader;
  write(entries: readonly Entry[], context: Context): unknown[];
  read?(history: readonly Data[], context: Context): Entry[];
  body(entries: readonly Entry[], context: RequestContext): unknown;
  answer?(decision: ItemDecision, context: Context): unknown;
  acceptsEdit?(approval: Data): boolean;
}

/** What a model's own API can express: decisions are told as results, in words. */
export const wordsOnly = (lost: string): ProtocolCapabilities => ({
  kind: 'resubmitting',
  lost: lost.split(' ') as Loss[],
});
