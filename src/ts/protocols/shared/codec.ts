/**
 * The types of `types/protocol-definition.ts` as our own protocols use them: typed by the vendor's types, and with the
 * fields that the core writes. Reading outside data may throw; the callers of a protocol catch that.
 */
import type {
  DecisionToSend,
  HistoryResult,
  ProtocolCapabilities,
  ProtocolDefinition,
  ReadContext,
  ReplyChunk,
  RequestContext as PublicRequestContext,
  StreamContext as PublicStreamContext,
} from '../../types/protocol-definition.js';
import type { GateMessage, Loss } from '../../types/index.js';
import type { Fields } from './lane.js';
import type { WrittenHistories } from './written-history.js';

/**
 * What providers and codecs keep beside a part or a call, by name. A loaded history may have damaged values here.
 */
export type Kept = Record<string, Fields | undefined>;

/** A part of the type `TYPE` with these fields, and without those of other parts. */
type PartOf<TYPE extends string, FIELDS> = FIELDS & { type: TYPE; providerOptions?: Kept | undefined } & {
  [FIELD in Exclude<keyof TextFields | keyof FileFields | keyof CallFields | 'kind', keyof FIELDS>]?: undefined;
};

interface TextFields {
  text: string;
}

interface FileFields {
  /** A media type, or only its kind. */
  mediaType: string;
  data: FileData;
  filename?: string | undefined;
  url?: string;
}

interface CallFields {
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean | undefined;
  /** While a history is read: the id that the result uses, if it differs from the call's. */
  answeredAs?: string | undefined;
  request?: CallRequest | undefined;
  response?: CallResponse | undefined;
  result?: CallOutput | undefined;
}

/** A text, or reasoning. */
export type TextPart = PartOf<'text' | 'reasoning', TextFields>;

/** A file. */
export type FilePart = PartOf<'file', FileFields>;

/** Content that only its provider knows; it is in the metadata. */
export type CustomPart = PartOf<'custom', { kind?: string }>;

/** A call with its request, response and result. */
export type Call = PartOf<'tool-call', CallFields>;

/** A part of a message, or a call. */
export type Part = TextPart | FilePart | CustomPart | Call;

/** The content of a file: a URL, or its id at each provider that it was uploaded to. */
export type FileData = string | FileReference;

/** A file that is not in the history. */
export interface FileReference {
  readonly type?: string;
  readonly url?: string;
  readonly reference?: Readonly<Record<string, string>>;
}

/** The approval request of a call. */
export interface CallRequest {
  type: string;
  approvalId: string;
  /** Fields of the backend that asks. */
  [field: string]: unknown;
}

/** The decision about a call. */
export interface CallResponse {
  type: string;
  approved: boolean;
  reason?: string | undefined;
  /** More fields of the AI SDK's part. */
  [field: string]: unknown;
}

/** The result of a call. */
export interface CallOutput {
  type: string;
  /** `ToolResultOutput` of `@ai-sdk/provider-utils`. */
  output: { readonly type: string; readonly value?: unknown; readonly reason?: string | undefined };
  providerOptions?: Kept | undefined;
  /** More fields of the AI SDK's part. */
  [field: string]: unknown;
}

/** One message. An assistant message is one step. */
export interface Entry {
  role: 'system' | 'user' | 'assistant';
  content: Part[];
}

/** The context for writing and reading a history. */
export interface Context extends ReadContext {
  /** The histories that were written before. */
  readonly written?: WrittenHistories;
}

/** One decision, or the result of a browser tool. `APPROVAL`, `METADATA`: what the codec itself keeps there. */
export type ItemDecision<APPROVAL = Kept | undefined, METADATA = Kept | undefined> = Omit<
  DecisionToSend,
  'approval' | 'metadata' | 'content'
> & {
  readonly approval: APPROVAL;
  readonly metadata: METADATA;
  readonly content?: readonly Part[];
};

/** How a call settled, as the model sees it. */
export interface CallResult extends Omit<HistoryResult, 'content'> {
  readonly content?: readonly Part[];
}

/** The context for building a request. `METADATA`: what the codec itself keeps in a message. */
export interface RequestContext<METADATA = Kept | undefined>
  extends Omit<PublicRequestContext, 'decisions' | 'newMessages' | 'metadata'>, Context {
  readonly decisions: readonly ItemDecision[];
  readonly newMessages: readonly Entry[];
  readonly metadata: METADATA;
}

/** The context of a stream's reader. */
export interface StreamContext extends PublicStreamContext {
  readonly chatId: string;
  /** Whether the page runs the tool: the app lists it in `browserTools`. */
  runsInPage(toolName: string): boolean;
  /** The connection, for codecs with `leaveConnection`. */
  readonly connection: Connection;
}

/** A connection that counts its requests: the first has the number 0. */
export interface Connection {
  number: number;
}

/**
 * Reads one event of a stream. Returns whether the event belongs to the protocol. Lists in an event are read item by
 * item (`ReplyWriter.each`).
 */
export type Reader<EVENT = unknown> = (event: EVENT) => boolean;

/** Receives what a reader emits; `undefined` for a malformed part of an event. */
export type Emit = (chunk: ReplyChunk | undefined) => void;

/**
 * One of our own protocols. `EVENT` and `MESSAGE`: the events and messages that it reads, each a `Wire` type, because
 * they are outside data. `WRITTEN`: the messages that it writes. `BODY`: its requests and answers.
 */
export interface Codec<EVENT = unknown, MESSAGE = unknown, WRITTEN = MESSAGE, BODY = unknown> extends Omit<
  ProtocolDefinition,
  'createReader' | 'write' | 'read' | 'body' | 'answer' | 'acceptsEdit' | 'lacksChoice'
> {
  /**
   * Whether a call without a result in a finished reply is the page's, unless the app lists the page's tools. Default:
   * whether the history has the AI SDK's format, in which it is.
   */
  readonly runsRest?: boolean;
  /**
   * For a backend whose connections count their requests. Returns the chunks that close what an ended one asked: only
   * what is listed again is answered. Called when a stream ended as `disconnected`, and in a page that is opened again.
   * Sets the next number.
   */
  leaveConnection?(messages: readonly GateMessage[], connection: Connection): readonly ReplyChunk[];
  createReader(stream: StreamContext): Reader<EVENT>;
  write(entries: readonly Entry[], context: Context): WRITTEN[];
  read?(history: readonly MESSAGE[], context: Context): Entry[];
  body(entries: readonly Entry[], context: RequestContext): BODY;
  answer?(decision: ItemDecision, context: Context): BODY;
  acceptsEdit?(approval: Kept): boolean;
  lacksChoice?(
    asked: { readonly toolName: string; readonly input: unknown; readonly approval: Kept },
    choice: Parameters<NonNullable<ProtocolDefinition['lacksChoice']>>[1],
  ): boolean;
}

/** The capabilities of a protocol that cannot express everything. `lost`: the losses, separated by spaces. */
export const lossyCapabilities = (
  lost: string,
  kind: ProtocolCapabilities['kind'] = 'resubmitting',
): ProtocolCapabilities => ({
  kind,
  lost: lost.split(' ') as Loss[],
});
