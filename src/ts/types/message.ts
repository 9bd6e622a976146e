/**
 * Messages and their parts, as they stand in the view: the AI SDK's `UIMessage`, written out here so that the package
 * needs no types from `ai`. They can be handed to whatever takes AI SDK 7 messages (6 needs a cast in TypeScript: it has
 * no type for some parts).
 *
 * What Toolgate adds are `outcome` and `delivery` on tool parts, and that what may stand beside a tool part's state
 * follows from the state. Parts and messages keep keys that are not listed here, whatever a backend or an app put
 * there. Do not change them: the same object stands for the same content from one view to the next.
 */

/** A value that JSON can hold. */
export type JSONValue = null | string | number | boolean | Readonly<JSONObject> | readonly JSONValue[];

/** An object that JSON can hold. */
export type JSONObject = { [key: string]: JSONValue | undefined };

/** What a provider wants to get back later: by provider name, then as the provider likes. */
export type ProviderMetadata = Record<string, JSONObject>;

/** One message of the transcript; an AI SDK `UIMessage`. */
export interface GateMessage {
  /** The message's own id. */
  id: string;
  /** Who speaks. Tool calls and their results are parts of the assistant's messages. */
  role: 'system' | 'user' | 'assistant';
  /** Whatever the app attached. */
  metadata?: unknown;
  /** What it says and does, in order. */
  parts: GatePart[];
}

/** Any part of a message. */
export type GatePart = ContentPart | ToolPart;

/** Any part that is not a tool call. The last three exist in AI SDK 7 only. */
export type ContentPart =
  | TextPart
  | ReasoningPart
  | FilePart
  | SourceUrlPart
  | SourceDocumentPart
  | DataPart
  | StepStartPart
  | CustomPart
  | ReasoningFilePart
  | SteeringMessagePart;

/** Text of the user or the model. Text from a model is to be shown as text, never as HTML. */
export interface TextPart {
  type: 'text';
  text: string;
  /** `'streaming'` while more may come. */
  state?: 'streaming' | 'done';
  citations?: Citation[];
  providerMetadata?: ProviderMetadata;
}

/** A source that a text refers to. */
export interface Citation {
  source: { type: 'source'; id: string; providerMetadata?: ProviderMetadata } & (
    | { sourceType: 'url'; url: string; title?: string }
    | { sourceType: 'document'; mediaType: string; title: string; filename?: string }
  );
  /** Where in the text the cited passage starts, in characters. */
  startIndex?: number;
  /** Where it ends, exclusive. */
  endIndex?: number;
  /** The passage in the source. */
  citedText?: string;
}

/** What the model thought before it answered, as far as the provider shows it. */
export interface ReasoningPart {
  type: 'reasoning';
  id?: string;
  text: string;
  /** `'streaming'` while more may come. */
  state?: 'streaming' | 'done';
  providerMetadata?: ProviderMetadata;
}

/** A file, by URL or as a `data:` URL. */
export interface FilePart {
  type: 'file';
  /** A media type (`image/png`) or its first half (`image`). */
  mediaType: string;
  filename?: string;
  url: string;
  /** The file's id at each provider it was uploaded to. */
  providerReference?: Record<string, string> & { type?: never };
  providerMetadata?: ProviderMetadata;
}

/** A web page the model drew on. */
export interface SourceUrlPart {
  type: 'source-url';
  sourceId: string;
  url: string;
  title?: string;
  providerMetadata?: ProviderMetadata;
}

/** A document the model drew on. */
export interface SourceDocumentPart {
  type: 'source-document';
  sourceId: string;
  mediaType: string;
  title: string;
  filename?: string;
  providerMetadata?: ProviderMetadata;
}

/** Data of the app's own, such as `data-weather`. */
export interface DataPart {
  type: `data-${string}`;
  /** A later part with the same type and id replaces this one. */
  id?: string;
  data: unknown;
}

/** Where a step begins: one model call and the parts it produces. */
export interface StepStartPart {
  type: 'step-start';
}

/** Content that only one provider knows. */
export interface CustomPart {
  type: 'custom';
  /** The provider and its own name for the kind. */
  kind: `${string}.${string}`;
  providerMetadata?: ProviderMetadata;
}

/** A file that belongs to the model's reasoning. */
export interface ReasoningFilePart {
  type: 'reasoning-file';
  mediaType: string;
  url: string;
  providerMetadata?: ProviderMetadata;
}

/** A user message that was slipped into the run while the reply was written. */
export interface SteeringMessagePart {
  type: 'steering-message';
  id: string;
  parts: (TextPart | FilePart)[];
}

/** A tool call, as it lives in an assistant message. */
export type ToolPart = StaticToolPart | DynamicToolPart;

/** A call of a tool that the app knows by name: the name follows `tool-` in the type. */
export type StaticToolPart = { type: `tool-${string}`; toolName?: never } & ToolCall & ToolCallState;

/** A call of a tool that is known at run time only, as from an MCP server. */
export type DynamicToolPart = {
  type: 'dynamic-tool';
  toolName: string;
  /** `false`: the part was a static one before its tool went away. */
  dynamic?: false;
} & ToolCall &
  ToolCallState;

/** What is the same in every state of a tool part. */
export interface ToolCall {
  /** The call's id, the model's or its provider's: what `addToolOutput` takes. */
  toolCallId: string;
  /** A name to show, where the tool has one. */
  title?: string;
  toolMetadata?: JSONObject;
  /** The model's provider runs the tool, not the app. */
  providerExecuted?: boolean;
  /** What the call's provider wants to get back. Toolgate keeps outcomes that the state cannot say under `toolgate`. */
  callProviderMetadata?: ProviderMetadata;
  /** How the call settled. Absent until it has; a denial is there as soon as the user denied. */
  outcome?: Outcome;
  /** Who decided, where it was not the user just now: a remembered decision of theirs, or a policy. */
  decidedBy?: 'remembered' | 'policy';
  /** Where the decision about this call is on its way. Absent while there is none, or none to send. */
  delivery?: DeliveryState;
}

/**
 * The seven states of a tool part, the AI SDK's own. What may stand beside a state follows from the state; an input is
 * `unknown` because it is the model's, and no one has validated it.
 */
export type ToolCallState =
  | (Unsettled<'input-streaming'> & {
      /** The input as far as it has arrived. */
      input?: unknown;
      /** The text it is read from. */
      rawInput?: string;
      /** `'text'`: the text itself is the input, not JSON. */
      inputEncoding?: 'json' | 'text';
      approval?: never;
    })
  | (Unsettled<'input-available'> & { input: unknown; approval?: never })
  | (Unsettled<'approval-requested'> & { input: unknown; approval: ApprovalRequest })
  | (Unsettled<'approval-responded'> & { input: unknown; approval: ApprovalResponse })
  | {
      state: 'output-available';
      input: unknown;
      output: unknown;
      /** More outputs follow; the call has not settled. */
      preliminary?: boolean;
      errorText?: never;
      resultProviderMetadata?: ProviderMetadata;
      approval?: ApprovalResponse & { approved: true };
    }
  | {
      state: 'output-error';
      input: unknown;
      rawInput?: unknown;
      output?: never;
      errorText: string;
      resultProviderMetadata?: ProviderMetadata;
      approval?: ApprovalResponse & { approved: true };
    }
  | (Unsettled<'output-denied'> & { input: unknown; approval: ApprovalResponse & { approved: false } });

/** The state of a tool part. */
export type ToolState = ToolCallState['state'];

/** A state that has no result beside it. */
interface Unsettled<STATE extends string> {
  state: STATE;
  output?: never;
  errorText?: never;
}

/** What a backend attached to its request. Toolgate hands it back unread and unchanged. */
export interface ApprovalEnvelope {
  /** The approval id: what `respond` takes. It is not the tool call id. */
  id: string;
  /** What the tool says about this call, for the user. */
  descriptor?: unknown;
  /** Why the backend asks. */
  requestReason?: string;
  /** The backend decides this one itself; nobody is asked. */
  isAutomatic?: boolean;
  /** The backend's proof that it asked exactly this. */
  signature?: string;
  /** The input before the tool's schema transformed it. */
  inputSchemaInput?: unknown;
}

/** A request that waits for its answer. */
export interface ApprovalRequest extends ApprovalEnvelope {
  approved?: never;
  reason?: never;
}

/** A request with its one answer. */
export interface ApprovalResponse extends ApprovalEnvelope {
  /** Whether the call may run. */
  approved: boolean;
  /** Why, in the words of who decided. */
  reason?: string;
}

/**
 * How a call settled.
 * - `executed`: it ran, and has its output
 * - `failed`: it ran or tried to, and has its error
 * - `denied`: the user, a remembered decision or the backend said no
 * - `skipped`: another call of its step was denied (`onDeny`)
 * - `cancelled`: the user called the work off, without judging the call
 * - `expired`: nobody answered in time
 * - `interrupted`: the reply ended, or the chat went on, before the call had its result
 */
export type OutcomeKind = 'executed' | 'failed' | 'denied' | 'skipped' | 'cancelled' | 'expired' | 'interrupted';

/** How a call settled, and why. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** In the words of who decided, where they gave any. */
  readonly reason?: string;
  /** The approval had left, so nobody here can know whether the tool ran. */
  readonly mayHaveRun?: boolean;
}

/**
 * Where a decision, or the request that carries it, is on its way.
 * - `held`: waits for the rest of its step, for the end of the stream, or for `resume()`
 * - `forwarded`: decided in a tab that follows; the tab that sends has not confirmed it (`toolgate/persist`)
 * - `ready`: may leave now
 * - `in-flight`: claimed; its bytes leave or have left
 * - `acknowledged`: the backend has begun to answer
 * - `failed`: it did not get there; `retry` sends it again
 * - `unconfirmed`: it left, and nobody knows whether it got there; it never leaves again by itself
 */
export type DeliveryState = 'held' | 'forwarded' | 'ready' | 'in-flight' | 'acknowledged' | 'failed' | 'unconfirmed';
