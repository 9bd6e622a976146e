/**
 * The types of `types/protocol-definition.ts` as our own protocols use them: all outside data is `any`. Reading it may
 * throw; the callers of a protocol catch that.
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
import type { WrittenHistories } from './written-history.js';

/** Outside data, of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** A part of a message, or a call. */
export type Part = { type: string; providerOptions?: Record<string, Data> } & Record<string, Data>;

/** A call with its request, response and result. */
export interface Call extends Part {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: Data;
  providerExecuted?: boolean;
  /** While a history is read: the id that the result uses, if it differs from the call's. */
  answeredAs?: string | undefined;
  request?: Part;
  response?: Part;
  result?: Part;
}

/** One message. An assistant message is one step. */
export interface Entry {
  role: 'system' | 'user' | 'assistant';
  content: Part[];
}

/** The same type, with `any` in place of `unknown`. */
type Loose<T> = { [K in keyof T]: unknown extends T[K] ? Data : T[K] };

/** The context for writing and reading a history. */
export interface Context extends ReadContext {
  /** The histories that were written before. */
  readonly written?: WrittenHistories;
}

/** One decision, or the result of a browser tool. */
export type ItemDecision = Loose<DecisionToSend>;

/** How a call settled, as the model sees it. */
export type CallResult = Loose<PublicCallResult>;

/** The context for building a request. */
export interface RequestContext extends Loose<Omit<PublicRequestContext, 'decisions' | 'newMessages'>>, Context {
  readonly decisions: readonly ItemDecision[];
  readonly newMessages: readonly Entry[];
}

/** The context of a stream's reader. */
export interface StreamContext {
  readonly chatId: string;
  readonly emit: Emit;
  refuse(): void;
  unread(requestId: string): void;
  unanswerable(what: string): void;
  onEnd(end: () => void): void;
  newId(): string;
  calls(): readonly Data[];
  messages(): readonly Data[];
  /** Whether the page runs the tool: the app lists it in `browserTools`. */
  runsInPage(toolName: string): boolean;
}

/**
 * Reads one event of a stream. Returns whether the event belongs to the protocol. Lists in an event are read item by
 * item (`ReplyWriter.each`).
 */
export type Reader<EVENT = Data> = (event: EVENT) => boolean;

/** Receives what a reader emits; `undefined` for a malformed part of an event. */
export type Emit = (chunk: Data) => void;

/** One of our own protocols. */
export interface Codec extends Omit<
  ProtocolDefinition,
  'createReader' | 'write' | 'read' | 'body' | 'answer' | 'acceptsEdit' | 'lacksChoice'
> {
  /**
   * Whether a call without a result in a finished reply is the page's, unless the app lists the page's tools. Default:
   * whether the history has the AI SDK's format, in which it is.
   */
  readonly runsRest?: boolean;
  createReader(stream: StreamContext): Reader;
  write(entries: readonly Entry[], context: Context): unknown[];
  read?(history: readonly Data[], context: Context): Entry[];
  body(entries: readonly Entry[], context: RequestContext): unknown;
  answer?(decision: ItemDecision, context: Context): unknown;
  acceptsEdit?(approval: Data): boolean;
  lacksChoice?(asked: Data, choice: Data): boolean;
}

/** The capabilities of a protocol that cannot express everything. `lost`: the losses, separated by spaces. */
export const lossyCapabilities = (
  lost: string,
  kind: ProtocolCapabilities['kind'] = 'resubmitting',
): ProtocolCapabilities => ({
  kind,
  lost: lost.split(' ') as Loss[],
});
