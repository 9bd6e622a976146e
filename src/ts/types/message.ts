/**
 * Messages and their parts, as the view shows them: the AI SDK's `UIMessage`, declared here so that the package does
 * not depend on types of `ai`. They can be passed to APIs that take AI SDK 7 messages. AI SDK 6 needs a TypeScript
 * cast because it lacks types for some parts.
 *
 * Toolgate adds `outcome`, `decidedBy` and `delivery` to tool parts, and types that derive the fields of a tool part
 * from its state. Messages and parts keep other keys that a backend or an app set. Do not mutate them: content that
 * did not change is the same object from one view to the next.
 */

import type { InputOf, OutputOf, Streamed, ToolsOf, AnyTools } from './typed-tools.js';

/** A JSON value. */
export type JSONValue = null | string | number | boolean | Readonly<JSONObject> | readonly JSONValue[];

/** A JSON object. */
export type JSONObject = { [key: string]: JSONValue | undefined };

/** Data that a provider expects to get back later, by provider name. Its form is the provider's own. */
export type ProviderMetadata = Record<string, JSONObject>;

/** One message of the transcript; an AI SDK `UIMessage`. `T`: the app's tools or message type. */
export interface GateMessage<T extends AnyTools = AnyTools> {
  /** The message's id. */
  id: string;
  /** The author. Tool calls and their results are parts of the assistant's messages. */
  role: 'system' | 'user' | 'assistant';
  /** Data that the app attached. */
  metadata?: unknown;
  /** The parts, in order. */
  parts: GatePart<T>[];
}

/**
 * A message of a guarded chat: the app's own message type, whose metadata, data and tools keep their types, and whose
 * tool parts also have `outcome`, `decidedBy` and `delivery`.
 */
export type GuardedMessage<MESSAGE> = MESSAGE extends { parts: readonly (infer PART)[] }
  ? Omit<MESSAGE, 'parts'> & { parts: GuardedPart<PART>[] }
  : MESSAGE;

type GuardedPart<PART> = PART extends { toolCallId: string }
  ? PART & Pick<ToolCall, 'outcome' | 'decidedBy' | 'delivery'>
  : PART;

/** Any part of a message. */
export type GatePart<T extends AnyTools = AnyTools> = ContentPart | ToolPart<T>;

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

/** Text of the user or the model. Render a model's text as text, never as HTML. */
export interface TextPart {
  type: 'text';
  text: string;
  /** `'streaming'` while more text may arrive. */
  state?: 'streaming' | 'done';
  citations?: Citation[];
  providerMetadata?: ProviderMetadata;
}

/** A reference from a text to a source. */
export interface Citation {
  source: { type: 'source'; id: string; providerMetadata?: ProviderMetadata } & (
    | { sourceType: 'url'; url: string; title?: string }
    | { sourceType: 'document'; mediaType: string; title: string; filename?: string }
  );
  /** The start of the cited passage in the text, in characters. */
  startIndex?: number;
  /** The end of the passage in the text, exclusive. */
  endIndex?: number;
  /** The cited passage of the source. */
  citedText?: string;
}

/** The model's reasoning, as far as the provider exposes it. */
export interface ReasoningPart {
  type: 'reasoning';
  id?: string;
  text: string;
  /** `'streaming'` while more text may arrive. */
  state?: 'streaming' | 'done';
  providerMetadata?: ProviderMetadata;
}

/** A file, as a URL or `data:` URL. */
export interface FilePart {
  type: 'file';
  /** A media type (`image/png`) or its first half (`image`). */
  mediaType: string;
  filename?: string;
  url: string;
  /** The file's id at each provider that it was uploaded to. */
  providerReference?: Record<string, string> & { type?: never };
  providerMetadata?: ProviderMetadata;
}

/** A web page that the model used as a source. */
export interface SourceUrlPart {
  type: 'source-url';
  sourceId: string;
  url: string;
  title?: string;
  providerMetadata?: ProviderMetadata;
}

/** A document that the model used as a source. */
export interface SourceDocumentPart {
  type: 'source-document';
  sourceId: string;
  mediaType: string;
  title: string;
  filename?: string;
  providerMetadata?: ProviderMetadata;
}

/** Data that the app defines, such as `data-weather`. */
export interface DataPart {
  type: `data-${string}`;
  /** A later part with the same type and id replaces this one. */
  id?: string;
  data: unknown;
}

/** The start of a step. A step is one model call with the parts that it produces. */
export interface StepStartPart {
  type: 'step-start';
}

/** Provider-specific content. */
export interface CustomPart {
  type: 'custom';
  /** The provider, and the provider's name for this kind of content. */
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

/** A user message that was inserted into the run while the reply was streaming. */
export interface SteeringMessagePart {
  type: 'steering-message';
  id: string;
  parts: (TextPart | FilePart)[];
}

/**
 * A tool call in an assistant message. `isToolPart` recognizes one. With the app's tools or message type as `T`, the
 * part's `type` determines the types of its input and output.
 */
export type ToolPart<T extends AnyTools = AnyTools> = StaticToolPart<T> | DynamicToolPart;

/** A call of a tool that the app knows at build time. Its name follows `tool-` in the type. */
export type StaticToolPart<
  T extends AnyTools = AnyTools,
  NAME extends keyof ToolsOf<T> & string = keyof ToolsOf<T> & string,
> =
  // Once for each name.
  NAME extends string
    ? { type: `tool-${NAME}`; toolName?: never } & ToolCall & ToolCallState<InputOf<T, NAME>, OutputOf<T, NAME>>
    : never;

/** A call of a tool that is known only at run time, such as a tool of an MCP server. */
export type DynamicToolPart = {
  type: 'dynamic-tool';
  toolName: string;
  /** `false`: the part was static until its tool was removed. */
  dynamic?: false;
} & ToolCall &
  ToolCallState;

/** The fields that a tool part has in every state. */
export interface ToolCall {
  /** The call's id, which the model or its provider chose. `addToolOutput` takes it. */
  toolCallId: string;
  /** A display name, if the tool has one. */
  title?: string;
  toolMetadata?: JSONObject;
  /** Whether the model's provider runs the tool instead of the app. */
  providerExecuted?: boolean;
  /** Data that the provider expects to get back. Under `toolgate`: outcomes that the state cannot express. */
  callProviderMetadata?: ProviderMetadata;
  /** How the call settled. Absent until then. A denied call has it at once, before the denial is sent. */
  outcome?: Outcome;
  /** Who decided, unless the user did by `respond`: a remembered decision or a policy. */
  decidedBy?: 'remembered' | 'policy';
  /** The delivery state of the decision about this call. Absent if there is no decision to send. */
  delivery?: DeliveryState;
}

/**
 * The seven states of a tool part, as in the AI SDK. The state determines which other fields exist. The model wrote the
 * input, and Toolgate has not validated it.
 */
export type ToolCallState<INPUT = unknown, OUTPUT = unknown> =
  | (Unsettled<'input-streaming'> & {
      /** The part of the input that has arrived. */
      input?: Streamed<INPUT> | undefined;
      /** The text that `input` was parsed from. */
      rawInput?: string;
      /** `'text'`: the input is the text itself, not JSON. */
      inputEncoding?: 'json' | 'text';
      approval?: never;
    })
  | (Unsettled<'input-available'> & { input: INPUT; approval?: never })
  | (Unsettled<'approval-requested'> & { input: INPUT; approval: ApprovalRequest })
  | (Unsettled<'approval-responded'> & { input: INPUT; approval: ApprovalResponse })
  | {
      state: 'output-available';
      input: INPUT;
      /** A list of parts if `resultProviderMetadata.toolgate.output` is `'content'`: see `addToolOutput`. */
      output: OUTPUT;
      /** Whether more outputs follow, so that the call has not settled. */
      preliminary?: boolean;
      errorText?: never;
      resultProviderMetadata?: ProviderMetadata;
      approval?: ApprovalResponse & { approved: true };
    }
  | {
      state: 'output-error';
      /** Undefined if the model's input was not valid. */
      input: INPUT | undefined;
      rawInput?: unknown;
      output?: never;
      errorText: string;
      resultProviderMetadata?: ProviderMetadata;
      approval?: ApprovalResponse & { approved: true };
    }
  | (Unsettled<'output-denied'> & { input: INPUT; approval: ApprovalResponse & { approved: false } });

/** The state of a tool part. */
export type ToolState = ToolCallState['state'];

/** A state without a result. */
interface Unsettled<STATE extends string> {
  state: STATE;
  output?: never;
  errorText?: never;
}

/** The fields that a backend attached to an approval request. Toolgate returns them unread and unchanged. */
export interface ApprovalEnvelope {
  /** The approval id, which `respond` takes. It is not the tool call id. */
  id: string;
  /** The tool's description of this call, for the user. */
  descriptor?: unknown;
  /** Why the backend requests approval. */
  requestReason?: string;
  /** The sub-agent that requested it, where the backend names one (`opencode`, `claude-agent-sdk`). */
  requestedBy?: string;
  /**
   * `true`: the tool's name is that of a kind of tools, because the backend sends no names. A decision about every call
   * of the tool is then remembered for calls with the same input only.
   */
  isKind?: boolean;
  /** Whether the backend decides this approval without this user: from the start, or since it withdrew its request. */
  isAutomatic?: boolean;
  /** Whether the gate itself asks, as `needsApproval` says. The backend gets the call's result only. */
  isLocal?: boolean;
  /** The backend's proof that it made this very request. */
  signature?: string;
  /** The input before the tool's schema transformed it. */
  inputSchemaInput?: unknown;
}

/** An approval request without a decision. */
export interface ApprovalRequest extends ApprovalEnvelope {
  approved?: never;
  reason?: never;
}

/** An approval request with its decision. */
export interface ApprovalResponse extends ApprovalEnvelope {
  /** Whether the call may run. */
  approved: boolean;
  /** The reason that was given with the decision. */
  reason?: string;
}

/**
 * How a call settled.
 * - `executed`: it ran and has an output
 * - `failed`: it ran or failed to start, and has an error
 * - `denied`: the user, a remembered decision, the policy `deny-pending` or the backend denied it
 * - `skipped`: another call of its step was denied (`onDeny`)
 * - `cancelled`: the user cancelled the work without deciding about the call
 * - `expired`: its approval got no decision in time
 * - `interrupted`: the reply ended, or the chat continued, before a result arrived
 */
export type OutcomeKind = 'executed' | 'failed' | 'denied' | 'skipped' | 'cancelled' | 'expired' | 'interrupted';

/** How a call settled, and why. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** The reason that was given, if any. */
  readonly reason?: string;
  /** The approval had been sent, so the tool may have run. */
  readonly mayHaveRun?: boolean;
}

/**
 * The delivery state of a decision, or of the request that carries it.
 * - `held`: waits for other decisions of its step, for the end of the stream, or for `resume()`
 * - `forwarded`: decided in a follower tab; the leader has not confirmed it (`toolgate/persist`)
 * - `ready`: may be sent now
 * - `in-flight`: claimed; it is being sent or was sent
 * - `acknowledged`: the backend has begun to reply
 * - `failed`: it was not delivered; `retry` sends it again
 * - `unconfirmed`: it was sent, but may not have arrived; it is never sent again automatically
 */
export type DeliveryState = 'held' | 'forwarded' | 'ready' | 'in-flight' | 'acknowledged' | 'failed' | 'unconfirmed';
