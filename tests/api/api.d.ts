// ======== toolgate ========

// ---- index.d.ts ----
/**
 * `toolgate`: the package as most apps import it. `init()` finds the package's own WebAssembly file.
 */
export { capabilities } from './protocols/capabilities.js';
export { loadProtocols, PROTOCOLS } from './protocols/registry.js';
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { initSync, isInitialized } from './wasm/init.js';
export type { InitOptions, InitSource } from './wasm/init.js';
export { init } from './wasm/own-wasm.js';
export { ToolGate } from './gate/tool-gate.js';
export type * from './types/index.js';

// ---- protocols/capabilities.d.ts ----
import type { Capabilities, Protocol } from '../types/index.js';
/**
 * What the protocol can express; what it cannot is lost on the way. Throws a `TypeError` for an unknown protocol, and
 * `not-initialized` for one that has not been loaded.
 */
export declare function capabilities(protocol: Protocol): Capabilities;

// ---- types/index.d.ts ----
/**
 * The public types of the package, all in one place. No code.
 */
export type * from './options.js';
export type * from './message.js';
export type * from './view.js';
export type * from './event.js';
export type * from './protocol.js';
export type { ErrorCode } from './errors.js';
export type { InitSource } from './init-source.js';

// ---- types/options.d.ts ----
/**
 * The options of a gate, and the arguments of its methods. No code.
 */
import type { GateMessage, Outcome, OutcomeKind } from './message.js';
import type { Protocol } from './protocol.js';
import type { PendingApproval, RememberedDecision } from './view.js';
/** How a gate behaves. Every option may be left out. */
export interface ToolGateOptions {
    /** The backend's wire format. Default `'ai-sdk'`. */
    readonly protocol?: Protocol;
    /** The chat's id, as the backend gets it. Default: generated. */
    readonly chatId?: string;
    /** One call of a step was denied: what becomes of the others? Default `'continue'`. */
    readonly onDeny?: OnDeny;
    /** The user writes while approvals are pending: what becomes of these? Default `'deny-pending'`. */
    readonly onUserMessage?: OnUserMessage;
    /** After how many ms an unanswered approval expires, unless the backend says. Default: never. */
    readonly approvalTimeoutMs?: number;
    /**
     * Which calls the user is asked about, on protocols that have no approvals of their own. Default: all of them; on `vscode`,
     * which asks by itself, none. The approval's id is the call's.
     */
    readonly needsApproval?: (call: {
        readonly toolCallId: string;
        readonly toolName: string;
        readonly input: unknown;
    }) => boolean;
    /** The names of tools that run in the browser: their calls wait for `addToolOutput`. With a model's own API, all do. */
    readonly browserTools?: readonly string[];
    /** Other words for the results that Toolgate writes. */
    readonly texts?: Partial<GateTexts>;
    /** Rewrites each result that Toolgate writes, denials included, before it leaves; a request waits for it. */
    readonly rewriteResult?: (result: SynthesizedResult) => string | Promise<string>;
    /** Decisions that were remembered elsewhere, as `remembered()` lists them: those for `'always'`, for one. */
    readonly remembered?: readonly RememberedDecision[];
    /** The clock: ms since 1970. Default `Date.now`. Everything that has a time goes by it, deadlines too. */
    readonly now?: () => number;
    /** Who keeps the history. With `'server'`, requests carry only what is new. Default: what the protocol does. */
    readonly history?: 'client' | 'server';
    /** How many entries `auditLog()` keeps. Default 1000; 0 keeps none. */
    readonly logLimit?: number;
    /** Makes the ids of messages that Toolgate creates. They must be unique. Default: random. */
    readonly generateId?: () => string;
}
/** What `ToolGate.restore` takes beside the options of a gate. */
export interface RestoreOptions extends ToolGateOptions {
    /**
     * What becomes of a turn that ended badly: `'keep'` (default) keeps its work for the next request, `'drop'` takes
     * the turn back to the user's message.
     */
    readonly incompleteTurn?: 'keep' | 'drop';
}
/**
 * What a denial means for the other calls of its step.
 * - `continue`: nothing; each is decided on its own
 * - `skip-rest`: undecided calls are skipped, and the model goes on
 * - `end-turn`: undecided calls are skipped, approvals that have not left too, and nothing leaves until the user writes
 * - `by-reason`: `end-turn` if no reason was given, `skip-rest` if there was one
 */
export type OnDeny = 'continue' | 'skip-rest' | 'end-turn' | 'by-reason';
/**
 * What a user message does to pending approvals.
 * - `deny-pending`: denies them, with a reason that the model can read
 * - `cancel-pending`: cancels them
 * - `queue`: the message waits until they are answered
 * - `block`: `sendUserMessage` throws `message-blocked`
 */
export type OnUserMessage = 'deny-pending' | 'cancel-pending' | 'queue' | 'block';
/** The texts that stand for a result where no tool wrote one. A reason is added to each where there is one. */
export interface GateTexts {
    /** Default `Error: Tool execution was denied by user.` */
    readonly denied: string;
    /** Default `Error: Tool execution was skipped due to previous tool denial.` */
    readonly skipped: string;
    /** The user called the work off. */
    readonly cancelled: string;
    /** Nobody answered in time. */
    readonly expired: string;
    /** The call was closed before it ran. */
    readonly interrupted: string;
    /** The call was closed and may have run: the text must say that the outcome is unknown. */
    readonly mayHaveRun: string;
    /** The reason given for calls that `deny-pending` denies. */
    readonly denyPending: string;
}
/** A result that Toolgate is about to write, for `rewriteResult`. */
export interface SynthesizedResult {
    /** The call that the result is for. */
    readonly toolCallId: string;
    readonly toolName: string;
    /** The call's input, as the model wrote it. */
    readonly input: unknown;
    /** Why the call has no result of its own. */
    readonly outcome: Outcome & {
        readonly kind: Exclude<OutcomeKind, 'executed' | 'failed'>;
    };
    /** What would be written. */
    readonly text: string;
}
/** How a stream ended, as the transport saw it. */
export interface StreamEnd {
    /** `aborted`: by the user. `disconnected`: the connection was lost. `step-limit`: the backend stopped at its limit. */
    readonly status: 'finished' | 'error' | 'aborted' | 'disconnected' | 'step-limit';
    /** What went wrong, for the UI and the log. */
    readonly error?: string;
}
/** Which request an event or ending answers. Without it, the one that is in flight. */
export interface About {
    /** The `Outgoing.id` of the request. */
    readonly requestId?: string;
    /** Its `Outgoing.attempt`, so that a late ending of attempt 1 does not end attempt 2. */
    readonly attempt?: number;
    /**
     * The event comes from a stream that the host has reconnected to: one that begins with the reply's `start`, or one
     * that goes on after the last event that arrived. What it repeats is not added again.
     */
    readonly reconnect?: 'start' | 'offset';
}
/** The user's answer to one approval. */
export interface ResponseInput {
    /** `true` lets the call run; only that does. */
    readonly approved: boolean;
    /** Why; the model can read it where the protocol has a place for it. */
    readonly reason?: string;
    /** The input to run instead. Throws `edit-unsupported` where the backend cannot take one. */
    readonly input?: unknown;
    /** The digest of the input the user saw, from `PendingApproval`. Throws `stale-input` if it is not the call's. */
    readonly inputDigest?: string;
    /** Answers later calls too; not beside another `input`. Default `'once'`: this one only. */
    readonly remember?: Remember;
}
/** One answer for many: see `respondAll`. */
export interface ResponseToAll {
    /** `true` lets the calls run. */
    readonly approved: boolean;
    /** Why; the model can read it with each of them, where the protocol has a place for it. */
    readonly reason?: string;
    /** Which of the pending approvals. Default: all. */
    readonly where?: (approval: PendingApproval) => boolean;
}
/** For how long a decision holds, and for what. A plain word means the very same input only. */
export type Remember = 'once' | 'chat' | 'always' | {
    /** `chat`: as long as this chat. `always`: the app carries it to other chats, by the option `remembered`. */
    readonly for: 'chat' | 'always';
    /** `input`: calls with this very input. `tool`: every call of the tool, whatever its input. */
    readonly scope: 'input' | 'tool';
    /** From when on it holds no longer, in ms since 1970. Default: never. */
    readonly expiresAt?: number;
};
/** What a browser tool returned, or why it failed, in words that the model reads: see `addToolOutput`. */
export type ToolOutput = {
    readonly output: unknown;
} | {
    readonly errorText: string;
};
/** What `sendUserMessage` understands: a text, or an AI SDK user message with or without an id. */
export type UserMessage = {
    readonly text: string;
    readonly metadata?: unknown;
} | (Omit<GateMessage, 'id' | 'role'> & {
    readonly id?: string;
    readonly role?: 'user';
});

// ---- types/message.d.ts ----
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
export type JSONObject = {
    [key: string]: JSONValue | undefined;
};
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
export type ContentPart = TextPart | ReasoningPart | FilePart | SourceUrlPart | SourceDocumentPart | DataPart | StepStartPart | CustomPart | ReasoningFilePart | SteeringMessagePart;
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
    source: {
        type: 'source';
        id: string;
        providerMetadata?: ProviderMetadata;
    } & ({
        sourceType: 'url';
        url: string;
        title?: string;
    } | {
        sourceType: 'document';
        mediaType: string;
        title: string;
        filename?: string;
    });
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
    providerReference?: Record<string, string> & {
        type?: never;
    };
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
export type StaticToolPart = {
    type: `tool-${string}`;
    toolName?: never;
} & ToolCall & ToolCallState;
/** A call of a tool that is known at run time only, as from an MCP server. */
export type DynamicToolPart = {
    type: 'dynamic-tool';
    toolName: string;
    /** `false`: the part was a static one before its tool went away. */
    dynamic?: false;
} & ToolCall & ToolCallState;
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
export type ToolCallState = (Unsettled<'input-streaming'> & {
    /** The input as far as it has arrived. */
    input?: unknown;
    /** The text it is read from. */
    rawInput?: string;
    /** `'text'`: the text itself is the input, not JSON. */
    inputEncoding?: 'json' | 'text';
    approval?: never;
}) | (Unsettled<'input-available'> & {
    input: unknown;
    approval?: never;
}) | (Unsettled<'approval-requested'> & {
    input: unknown;
    approval: ApprovalRequest;
}) | (Unsettled<'approval-responded'> & {
    input: unknown;
    approval: ApprovalResponse;
}) | {
    state: 'output-available';
    input: unknown;
    output: unknown;
    /** More outputs follow; the call has not settled. */
    preliminary?: boolean;
    errorText?: never;
    resultProviderMetadata?: ProviderMetadata;
    approval?: ApprovalResponse & {
        approved: true;
    };
} | {
    state: 'output-error';
    input: unknown;
    rawInput?: unknown;
    output?: never;
    errorText: string;
    resultProviderMetadata?: ProviderMetadata;
    approval?: ApprovalResponse & {
        approved: true;
    };
} | (Unsettled<'output-denied'> & {
    input: unknown;
    approval: ApprovalResponse & {
        approved: false;
    };
});
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
export {};

// ---- types/protocol.d.ts ----
/**
 * The protocols that Toolgate speaks, and what each can express. No code.
 */
/** A backend's wire format. Later releases add members, so a `switch` over it needs a `default`. */
export type Protocol = 'ai-sdk' | 'ai-sdk-ws' | 'effect' | 'anthropic' | 'openai-chat' | 'openai-responses' | 'genkit' | 'gemini' | 'adk' | 'vscode' | 'ag-ui' | 'tanstack' | 'acp' | 'langgraph' | 'openai-agents' | 'pydantic-ai' | 'mastra' | 'cloudflare' | 'opencode' | 'claude-managed-agents';
/** What a backend's protocol can express: what it cannot is lost, with a `lossy` event. */
export interface Capabilities {
    /** `resubmitting`: decisions travel in the next request. `answering`: each gets its own message. */
    readonly kind: 'resubmitting' | 'answering';
    /** A decision can carry a reason. */
    readonly reason: boolean;
    /** An approval can carry another input. */
    readonly editedInput: boolean;
    /** The backend can be told that the user called the work off, as something other than a denial. */
    readonly cancel: boolean;
    /** The backend can be told to remember a decision. (Toolgate can always remember it itself.) */
    readonly remember: boolean;
    /** Who keeps the history. With `server`, requests carry only the message and the answers. */
    readonly history: 'client' | 'server';
    /** A denial can be seen in what the backend sends. If not, no sign of one means nothing. */
    readonly denialVisible: boolean;
    /** What of a history it cannot say. Each is reported as a `lossy` event where it happens. */
    readonly lost: readonly Loss[];
    /**
     * What the backend does with a request of answers that it receives twice, by `retry` or otherwise. `ignored`: nothing, because
     * every answer names its request by an id that never comes again. `runs-again`: the approved tools run again. `unknown`: neither
     * is known, or it depends on the app's server.
     */
    readonly repeat: 'ignored' | 'runs-again' | 'unknown';
}
/**
 * What a protocol cannot say about a call or a history.
 * - `approval`: that a call which ran had been approved
 * - `pending`: a call that is approved and has not run; it is left out
 * - `failed`: that a call failed; only its text says so
 * - `json`: an output that is no text; it becomes JSON text
 * - `input`: an input that is no object; it is wrapped in one
 * - `system`, `reasoning`, `file`, `custom`: content of that kind, or some of it
 * - `id`: a call id that the provider does not take; another one stands for it
 * - `reason`: why a call was denied
 * - `option`: how far a decision reaches; the backend offers no such choice, and is told the nearest that grants no more
 */
export type Loss = 'approval' | 'pending' | 'failed' | 'json' | 'input' | 'system' | 'reasoning' | 'file' | 'custom' | 'id' | 'reason' | 'option';

// ---- types/view.d.ts ----
/**
 * What a gate shows: the view that a UI renders, and the lists of what waits, leaves, failed, is remembered or was
 * recorded. All of it is derived and read-only; what did not change is the same object as before (`===`).
 */
import type { JSONValue, GateMessage, Outcome, DeliveryState, ToolState } from './message.js';
import type { ErrorCode } from './errors.js';
/** What `getSnapshot()` returns: everything a chat UI shows. */
export interface GateView {
    /** Grows with every change. */
    readonly revision: number;
    /** What the chat is doing: what a send button, a spinner and the place for approvals go by. */
    readonly status: GateStatus;
    /** The transcript. The type is a plain array so that it fits where AI SDK messages are taken; do not change it. */
    readonly messages: GateMessage[];
    /** The user's messages that wait to leave: they stand in no request yet. Oldest first. */
    readonly queued: readonly GateMessage[];
    /** The approvals that can be answered now, in the order of their calls. */
    readonly pending: readonly PendingApproval[];
    /** How it stands with what follows the last user message. */
    readonly turn: TurnView;
}
/**
 * What the chat is doing.
 * - `idle`: nothing is on its way, and nothing waits for the user but the next message
 * - `submitted`: a request left, and its reply has not begun
 * - `streaming`: a reply is arriving
 * - `awaiting-approval`: the next step is the user's answer
 * - `stalled`: the backend left approved calls without a result, or sent nothing at all; see `undelivered()`
 * - `crashed`: the state machine failed, or the gate was freed; nothing is sent any more
 */
export type GateStatus = 'idle' | 'submitted' | 'streaming' | 'awaiting-approval' | 'stalled' | 'crashed';
/** Everything between one user message and the next. */
export interface TurnView {
    /** `incomplete`: it ended badly after work was done, which is kept. `error`: it ended badly before any. */
    readonly status: 'open' | 'done' | 'incomplete' | 'error' | 'stalled';
    /** How it ended; absent while it has not. */
    readonly ending?: TurnEnding;
    /** How many calls of the last step wait for an answer. */
    readonly undecided: number;
    /** How many calls of the last step have one. */
    readonly decided: number;
    /**
     * Who must act for the chat to go on. Empty: nobody, the user may write (or a denial waits for the user's next
     * message, or the gate has crashed).
     */
    readonly waitingFor: readonly WaitingFor[];
}
/**
 * Who must act for the chat to go on, and with what:
 * - `user`: approvals wait for `respond`
 * - `tool`: calls that the page runs wait for `addToolOutput`
 * - `host`: items of `outgoing()` wait to be claimed and sent; for a tab that follows, by the tab that leads
 * - `reply`: the backend's reply is awaited or arriving; the user can `stop()` it
 * - `rewrite`: a `rewriteResult` is pending
 * - `resume`: decisions are held after `stop()` or a reply that ended badly, until `resume()`
 * - `retry`: items of `undelivered()` can be sent again by `retry`, or given up by `cancel()`
 * - `cancel`: items of `undelivered()` that cannot be sent again safely: only `cancel()` or a message gives them up
 */
export type WaitingFor = {
    readonly kind: 'user';
    readonly approvalIds: readonly string[];
} | {
    readonly kind: 'tool';
    readonly toolCallIds: readonly string[];
} | {
    readonly kind: 'host' | 'retry' | 'cancel';
    readonly ids: readonly string[];
} | {
    readonly kind: 'reply' | 'rewrite' | 'resume';
};
/** How a turn ended. `failed`: an error of the API or the stream. `interrupted`: by the user. */
export type TurnEnding = 'finished' | 'failed' | 'empty' | 'step-limit' | 'interrupted' | 'disconnected';
/** A request that the user can answer now. */
export interface PendingApproval {
    /** What `respond` takes. It is not the tool call's id. */
    readonly approvalId: string;
    /** The call that is asked about: the `toolCallId` of its part. */
    readonly toolCallId: string;
    /** The tool's name, without `tool-`. */
    readonly toolName: string;
    /** What the user is asked about: the call's input, as the model wrote it. Nobody has validated it. It is frozen. */
    readonly input: unknown;
    /**
     * SHA-256 of the input, in hex: pass it to `respond`, and the answer counts for this input only. Empty for an input
     * that JSON cannot hold (a Map, a class instance): then nothing binds the answer to it.
     */
    readonly inputDigest: string;
    /** When the request arrived, in ms since 1970, by the gate's clock. */
    readonly requestedAt: number;
    /** When it expires, in ms since 1970. Absent: never. */
    readonly expiresAt?: number;
}
/** Something to send to the backend. `BODY` depends on the protocol: see `AiSdkBody`. */
export interface Outgoing<BODY = unknown> {
    /** What `claim`, `markSent`, `markFailed` and `retry` take, and `About.requestId`. */
    readonly id: string;
    /** The idempotency key: the same decisions have the same key, in another tab and on another attempt too. */
    readonly key: string;
    /** `submission`: the conversation, decisions included. `answer`: one decision by itself. */
    readonly kind: 'submission' | 'answer';
    /** The approvals whose decisions travel in it. */
    readonly approvalIds: readonly string[];
    /** What the protocol's own client would put in its request, ready for `JSON.stringify`. */
    readonly body: BODY;
    /** 1 the first time, one more with each `retry`. */
    readonly attempt: number;
}
/** An outgoing item without its body. */
export type OutgoingHead = Omit<Outgoing, 'body'>;
/** The body of an `Outgoing` for the AI SDK. */
export interface AiSdkBody {
    /** The chat's id. */
    readonly id: string;
    /** The whole history, with the decisions of the step in it. */
    readonly messages: GateMessage[];
    /** `regenerate-message`: by `regenerate()`. Everything else submits. */
    readonly trigger: 'submit-message' | 'regenerate-message';
    /** The message to be replaced or continued. */
    readonly messageId?: string;
}
/** An outgoing item that needs the user: `retry(id)` sends it again, `cancel()` gives it up. */
export interface Undelivered {
    /** What `retry` takes. */
    readonly id: string;
    /** The idempotency key that it left with, and will again. */
    readonly key: string;
    /** `submission`: the conversation, decisions included. `answer`: one decision by itself. */
    readonly kind: 'submission' | 'answer';
    /** The approvals whose decisions travel in it. */
    readonly approvalIds: readonly string[];
    /** How often it was tried: 1 for what left once. */
    readonly attempt: number;
    /** `stalled`: it was answered, but approved calls it carried have no result. */
    readonly delivery: 'failed' | 'unconfirmed' | 'stalled';
    /** What `markFailed` was told. */
    readonly error?: string;
}
/**
 * Who decided: `user` through `respond`; `remembered`, an earlier decision of theirs; `policy`, what the options say about
 * denials, user messages and deadlines; `backend`, by itself.
 */
export type DecidedBy = 'user' | 'remembered' | 'policy' | 'backend';
/** A decision that answers later calls too, until `forget(id)`. */
export interface RememberedDecision {
    /** What `forget` takes. */
    readonly id: string;
    /** The tool whose calls it answers. */
    readonly toolName: string;
    /** What it answers them with. */
    readonly approved: boolean;
    /** The reason that a remembered denial gives, in the user's words. */
    readonly reason?: string;
    /** `chat`: as long as this chat. `always`: the app carries it to other chats. */
    readonly for: 'chat' | 'always';
    /** `input`: for this very input only. `tool`: for the tool, whatever its input. */
    readonly scope: 'input' | 'tool';
    /** The input it holds for, with scope `input`. */
    readonly inputDigest?: string;
    /** When it was made, in ms since 1970. */
    readonly decidedAt: number;
    /** From when on it holds no longer, in ms since 1970. Absent: never. */
    readonly expiresAt?: number;
}
/** One line of the record that `auditLog()` keeps: plain JSON, oldest first, at most `logLimit` of them. */
export type AuditEntry = {
    /** When, in ms since 1970, by the gate's clock. */
    readonly at: number;
} & ({
    /** A call went from one state to another, or was named for the first time. */
    readonly type: 'transition';
    readonly toolCallId: string;
    readonly toolName: string;
    /** Absent for a call that is new. */
    readonly from?: ToolState;
    readonly to: ToolState;
} | {
    /** The user was asked, by the backend or by `needsApproval`. */
    readonly type: 'requested';
    readonly approvalId: string;
    readonly toolCallId: string;
    readonly toolName: string;
} | {
    /** An approval got its one decision. */
    readonly type: 'decided';
    readonly approvalId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly approved: boolean;
    readonly reason?: string;
    readonly by: DecidedBy;
    /**
     * SHA-256 of the call's input as it was decided about: the `inputDigest` of its `PendingApproval`. Absent if it
     * has none.
     */
    readonly inputDigest?: string;
    /** SHA-256 of the input that the user gave instead. */
    readonly editedInputDigest?: string;
} | {
    /** A call has its result, or will never have one. */
    readonly type: 'settled';
    readonly toolCallId: string;
    readonly toolName: string;
    readonly outcome: Outcome;
} | {
    /** An outgoing item went a step further, or back. */
    readonly type: 'delivery';
    /** The item's id. Empty for a reply that this gate had not asked for. */
    readonly id: string;
    /** Its idempotency key: what a server's own log has too. */
    readonly key: string;
    readonly approvalIds: readonly string[];
    readonly to: DeliveryState | 'stalled' | 'withdrawn';
    readonly attempt: number;
    /** Why it failed. */
    readonly error?: string;
} | {
    /** Something arrived that contradicts what is known. It changed nothing, unless the message says so. */
    readonly type: 'anomaly';
    readonly code: ErrorCode;
    readonly message: string;
    readonly toolCallId?: string;
    readonly approvalId?: string;
});
declare const snapshotBrand: unique symbol;
/**
 * Everything a gate knows, as plain JSON: what `toJSON()` returns and `ToolGate.restore` takes. Store it, send it,
 * but do not read or change it: only `version` keeps its meaning, and a checksum finds what was changed. The order of
 * keys may change.
 */
export type Snapshot = {
    /** The version of the format. A gate refuses other ones with `bad-snapshot`. */
    readonly version: number;
    readonly [key: string]: JSONValue | undefined;
} & {
    readonly [snapshotBrand]: true;
};
export {};

// ---- types/errors.d.ts ----
/**
 * The one error class of the package, and its codes.
 *
 * Whatever Toolgate refuses is a `ToolGateError` with a stable `code` to test for and a message for people that says
 * what would have been right. The sentences stand in refusals.ts. Nothing here decides when to refuse.
 */
/** The reasons for which Toolgate refuses something. A code keeps its meaning; new ones may be added. */
export type ErrorCode = 
/** A gate was made before `await init()`. */
'not-initialized'
/** The WebAssembly file could not be read, or is no WebAssembly. */
 | 'load-failed'
/** No approval request has this id. A tool call id is not an approval id. */
 | 'unknown-approval'
/** No tool call has this id. */
 | 'unknown-call'
/** No outgoing item has this id. */
 | 'unknown-outgoing'
/** The approval has its one decision, and it is the opposite one. */
 | 'already-decided'
/** The call has its result, or was denied; nothing may change it. */
 | 'already-settled'
/** The call still waits for the user's answer. */
 | 'approval-pending'
/** A later message, step or edit closed the approval. */
 | 'superseded'
/** The call's input is not the one that the user was shown. */
 | 'stale-input'
/** The backend has no way to receive an edited input. */
 | 'edit-unsupported'
/** Approvals are pending and `onUserMessage` is `'block'`. */
 | 'message-blocked'
/** A request is on its way, and this has to wait for its end. Or the gate is reading a value whose getter uses it. */
 | 'busy'
/**
 * A value has no exact form in a snapshot; the message names its path. In `anomaly` events: a request could not be
 * written in the protocol's form; the item is `failed`.
 */
 | 'repeat-unsafe' | 'unserializable'
/** A snapshot is damaged, or of another version. */
 | 'bad-snapshot'
/** The backend sent an event that its protocol does not allow: in `anomaly` events. Thrown for a message id that is not there. */
 | 'malformed-event'
/**
 * The state machine failed, or the gate was freed: it sends nothing more. The last saved snapshot can be restored.
 */
 | 'crashed';
/** What Toolgate throws, and what `anomaly` and `crashed` events carry. */
export declare class ToolGateError extends Error {
    readonly name = "ToolGateError";
    /** What was refused, to test for. */
    readonly code: ErrorCode;
    /** The tool call in question, if there is one. */
    readonly toolCallId?: string;
    /** The approval in question, if there is one. */
    readonly approvalId?: string;
    /** `about` names the call and the approval in question, and the `cause`, where there is one. */
    constructor(code: ErrorCode, message: string, about?: {
        toolCallId?: string | undefined;
        approvalId?: string | undefined;
        cause?: unknown;
    });
}

// ---- types/event.d.ts ----
/**
 * What a gate reports as it happens: the events of `onEvent`, and what `load` says about a history it had to mend.
 * The view already shows every change; events are for logs, tests and reactions.
 */
import type { ToolGateError } from './errors.js';
import type { DataPart, DeliveryState, Outcome, ToolState } from './message.js';
import type { Loss, Protocol } from './protocol.js';
import type { DecidedBy } from './view.js';
/** Anything a gate reports. Later releases may add types: ignore those you do not know. */
export type GateEvent = TransitionEvent | DecisionEvent | DeliveryEvent | ToolResultEvent | AnomalyEvent | StalledEvent | LossyEvent | PassthroughEvent | DataEvent | StoppedEvent | CrashedEvent;
/** A tool part changed its state, or settled. */
export interface TransitionEvent {
    readonly type: 'transition';
    readonly toolCallId: string;
    readonly toolName: string;
    /** Absent for a part that is new. */
    readonly from?: ToolState;
    /** The state that the part has now. The same as `from` where only the outcome is new. */
    readonly to: ToolState;
    /** The approval that is asked for, when one is. */
    readonly approvalId?: string;
    /** How the call settled, if it has. */
    readonly outcome?: Outcome;
}
/** An approval was decided. It happens once for each approval id. */
export interface DecisionEvent {
    readonly type: 'decision';
    readonly approvalId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly approved: boolean;
    /** Why, in the words of who decided. */
    readonly reason?: string;
    /** Who decided: not always the user. */
    readonly by: DecidedBy;
}
/** An outgoing item went a step further, or back. */
export interface DeliveryEvent {
    readonly type: 'delivery';
    /** The item's id. */
    readonly id: string;
    /** Absent for an item that is new. */
    readonly from?: DeliveryState;
    /** `withdrawn`: it never left, and never will. */
    readonly to: DeliveryState | 'withdrawn';
    /** 1 the first time, one more with each `retry`. */
    readonly attempt: number;
    /** Why it failed. */
    readonly error?: string;
}
/** A call settled; it has its result. */
export interface ToolResultEvent {
    readonly type: 'tool-result';
    readonly toolCallId: string;
    readonly toolName: string;
    /** How it settled, and why. */
    readonly outcome: Outcome;
    /** The output of a call that ran; the error text of one that failed; otherwise the text the model reads. */
    readonly result: unknown;
}
/**
 * Something arrived that contradicts what is known, or that the protocol does not allow. What is settled stays as it was. Only an
 * output for a call that still waited for the user is taken over: it ran unasked, and the error says so (`approval-pending`).
 * Or an item could not be written (`unserializable`): it is `failed`, and `retry` tries again.
 */
export interface AnomalyEvent {
    readonly type: 'anomaly';
    /** What it was, with the call and the approval in question. It was not thrown. */
    readonly error: ToolGateError;
}
/** A reply ended and left approved calls without a result, or was empty. Nothing more leaves by itself. */
export interface StalledEvent {
    readonly type: 'stalled';
    /** The outgoing item whose reply it was. Absent if this gate sent none: a reply that was resumed, for one. */
    readonly id?: string;
    /** The approvals that were granted, and whose calls have no result. */
    readonly approvalIds: readonly string[];
}
/** The protocol cannot say all of what was to be sent. */
export interface LossyEvent {
    readonly type: 'lossy';
    /** The gate's protocol, or the one that `assemble` was asked for. */
    readonly protocol: Protocol;
    /** The call in question; absent where it is about the whole history. */
    readonly toolCallId?: string;
    /** What is lost. It is told once for each call. */
    readonly loss: Loss;
    /** What is lost, in words. */
    readonly detail: string;
}
/** An event of the backend that Toolgate does not know. It goes to the app as it came. */
export interface PassthroughEvent {
    readonly type: 'passthrough';
    /** What `receive` was given: the same object. */
    readonly event: unknown;
}
/** A data part arrived: also transient ones, which never stand in a message. */
export interface DataEvent {
    readonly type: 'data';
    readonly part: DataPart;
}
/** The user stopped: what runs in the browser for this chat should end. The view need not have changed. */
export interface StoppedEvent {
    readonly type: 'stopped';
}
/** The state machine failed, or the gate was freed. It sends nothing more; the last saved snapshot can be restored. */
export interface CrashedEvent {
    readonly type: 'crashed';
    /** What every call throws from now on, with the `cause`. */
    readonly error: ToolGateError;
}
/** What `load` had to mend. */
export interface RepairReport {
    /** In the order in which they were made; empty for a sound history. */
    readonly repairs: readonly Repair[];
}
/** One thing that `load` mended. */
export interface Repair {
    /** What was wrong, to test for. */
    readonly code: RepairCode;
    /** The call in question; absent where it is about a message. */
    readonly toolCallId?: string;
    /** What was found and what was made of it, in words. */
    readonly detail: string;
}
/**
 * What was wrong with a loaded history. Later releases may add codes.
 * - `duplicate-call`: a call, or its result, stood there more than once; the most settled one was kept
 * - `missing-state`: a tool part had no state, an unknown one, or one at odds with what it holds; it was inferred
 * - `missing-approval`: a denied call had no approval that says so; one was made up
 * - `stale-approval`: an approval was still asked for before a later step or message; its call was closed
 * - `unanswered-call`: a call before a later step or message had no result; it was closed
 * - `incomplete-input`: the input of a call was never complete; it is left out of what the model sees
 * - `malformed`: a message or part could not be read; it was kept out
 * - `duplicate-message`: a message stood there twice; what it repeated was left out, the rest got an id of its own
 * - `duplicate-approval`: two calls had one approval, or it was asked or answered twice; the first stands
 * - `denied-output`: a denied call had an output; the denial counts, and the output was left out
 * - `orphaned`: a request, an answer or a result stood apart from its call; it was put there, or left out without one
 * - `invalid-value`: a value was of the wrong type, or not allowed in its call's state; it was left out or replaced
 */
export type RepairCode = 'duplicate-call' | 'missing-state' | 'stale-approval' | 'missing-approval' | 'unanswered-call' | 'incomplete-input' | 'malformed' | 'duplicate-message' | 'duplicate-approval' | 'orphaned' | 'denied-output' | 'invalid-value';

// ---- types/init-source.d.ts ----
/**
 * What `init` takes: where the WebAssembly comes from. No code.
 */
/** Where the WebAssembly comes from: a URL, a response or the promise of one, the bytes, or a compiled module. */
export type InitSource = string | URL | Response | PromiseLike<Response> | WasmBytes | CompiledModule;
/** The bytes of the file. Not `BufferSource`: projects for Node, which have no types of a page, know no such name. */
export type WasmBytes = ArrayBufferView | ArrayBuffer;
/**
 * A `WebAssembly.Module`. TypeScript's own type of that name has no members, so that anything would pass for one: a number, and
 * options with a mistake in them.
 */
export interface CompiledModule {
    readonly source?: never;
    readonly protocols?: never;
}

// ---- protocols/registry.d.ts ----
import type { Protocol } from '../types/index.js';
/** The names of all protocols, whether they are loaded or not. */
export declare const PROTOCOLS: readonly Protocol[];
/**
 * Loads the codecs of these protocols, without names those of all. Loaded ones are not loaded again. Rejects with
 * `load-failed`, and a later call may try again; with a `TypeError` for a name that is none.
 */
export declare function loadProtocols(names?: readonly Protocol[]): Promise<void>;

// ---- json/digest.d.ts ----
/**
 * What binds a decision to the input that was shown: a digest that is the same for equal inputs and for no others.
 *
 * SHA-256 over the UTF-8 of the canonical JSON (encode.ts), in hex: synchronous, because `respond` is, and the same in
 * every tab and after a restore. The machine only compares digests; this file makes them.
 */
import { canonical } from './encode.js';
export { canonical };
/**
 * The digest of a value: 64 hex digits. Computed once for an input that a gate has shown, and so frozen. Throws
 * `unserializable` for what has no canonical form. Lone surrogates are escaped in the text, so they stay distinct.
 */
export declare function digest(value: unknown): string;
/** The digest of a value, or an empty text for one that has none: showing a request must never throw. */
export declare function digestOf(value: unknown): string;

// ---- json/encode.d.ts ----
import type { JSONValue } from '../types/index.js';
/**
 * The value as plain JSON, sharing nothing with it. Throws `unserializable` for what has no exact form; the message
 * names the place, starting with `at`.
 */
export declare function encode(value: unknown, at?: string): JSONValue;
/**
 * The canonical JSON text of a value: the same encoding with sorted keys, the same for two values exactly if they are
 * equal. It equals RFC 8785 for what JSON can hold. Throws `unserializable` as `encode` does.
 */
export declare function canonical(value: unknown): string;
/**
 * The value that `encode` was given, entirely new. Throws `bad-snapshot` for what `encode` cannot have written; the
 * message names the place, starting with `at`.
 */
export declare function decode(json: unknown, at?: string): unknown;

// ---- wasm/init.d.ts ----
import type { CompiledModule, InitSource, WasmBytes } from '../types/init-source.js';
import type { Protocol } from '../types/index.js';
export type { InitSource };
/** What `init` loads, and from where. */
export interface InitOptions {
    /** The core's WebAssembly. Default: the package's own file; `toolgate/slim` has none. */
    readonly source?: InitSource;
    /** The protocols that the page speaks. Default: all. The AI SDK's is always there. */
    readonly protocols?: readonly Protocol[];
}
/**
 * Loads the core from `source`: a URL, a Response, the bytes, or a compiled module; and the protocols: all, or those
 * of `init({ source, protocols })`. Returns one promise, the same for every call that asks for these protocols; a
 * call with others loads only what is missing. Rejects with `load-failed`, and a later call may try again.
 */
export declare function init(source: InitSource | (InitOptions & {
    readonly source: InitSource;
})): Promise<void>;
/**
 * Starts the core at once, from its bytes or a compiled module. Does nothing if it runs already. Throws `load-failed`. Of the
 * protocols only the AI SDK's is there at once; `loadProtocols` brings others.
 * Some browsers refuse to compile more than a few kilobytes this way on the main thread; `init` always works.
 */
export declare function initSync(source: WasmBytes | CompiledModule): void;
/** Whether the core runs. */
export declare function isInitialized(): boolean;
/** Throws `not-initialized` unless the core runs. */
export declare function assertInitialized(): void;

// ---- wasm/own-wasm.d.ts ----
/**
 * Loading without being told from where: the package's own `toolgate.wasm`, which lies beside this file in the package.
 * Bundlers recognise the expression below, copy the file and put its new URL there.
 */
import { type InitOptions, type InitSource } from './init.js';
/**
 * Loads the core and the protocols: without an argument from the package's own files, in Node too, and all protocols.
 * Call it before `new ToolGate()`, as often as you like: every call that asks for the same protocols returns the same
 * promise, so React's `use(init())` settles. `init({ protocols: ['acp'] })` downloads no more than these; the AI
 * SDK's is always there. A source is for apps that keep the wasm elsewhere. Rejects with `load-failed`, and a later
 * call may try again.
 */
export declare function init(source?: InitSource | InitOptions): Promise<void>;

// ---- gate/tool-gate.d.ts ----
/// <reference lib="esnext.disposable" preserve="true" />
import type { About, AuditEntry, GateEvent, GateView, Outgoing, PendingApproval, Protocol, RememberedDecision, RepairReport, ResponseInput, ResponseToAll, RestoreOptions, Snapshot, StreamEnd, ToolGateOptions, ToolOutput, ToolPart, Undelivered, UserMessage } from '../types/index.js';
/** One chat's approvals, decisions and history. */
export declare class ToolGate {
    #private;
    /** `using gate = new ToolGate()` frees the gate at the end of its block. */
    readonly [Symbol.dispose]: () => void;
    /**
     * Throws `not-initialized` before `init()`, and a `TypeError` for an option that does not exist or has a wrong
     * value.
     */
    constructor(options?: ToolGateOptions);
    /**
     * A gate that goes on where `toJSON()` was called. What was on its way then is `unconfirmed` now: it never leaves
     * again by itself. Throws `bad-snapshot` for a snapshot that was changed, or is of another version; and what the
     * constructor throws.
     */
    static restore(snapshot: Snapshot, options?: RestoreOptions): ToolGate;
    /**
     * Takes one event of the protocol's stream. `about` says which request it answers; without it, the one in flight.
     * Never throws on content: what cannot be used becomes an `anomaly` event, and what is not known a `passthrough`
     * event. What is in the event is kept by reference. The input of a call is frozen in depth when the call is first
     * shown, so do not reuse that object.
     */
    receive(event: unknown, about?: About): void;
    /**
     * The stream ended: what waited for that may leave now. `about` says which request it answers; without it, the one in flight.
     * Only the first ending of a reply counts. Throws a `TypeError` for a status that does not exist.
     */
    streamEnded(how: StreamEnd, about?: About): void;
    /**
     * The host begins to reconnect to a stream: decisions are accepted, and held until the first event of it,
     * `streamEnded`, or ten seconds. Its events say `about.reconnect`.
     */
    reconnecting(about?: About): void;
    /**
     * Takes in a history that an app has kept, in place of the present one: the protocol's own messages, or
     * `UIMessage[]` (for the AI SDK `ModelMessage[]` too). It is not changed; every repair is reported. Nothing is sent
     * by loading. Throws a `TypeError` for anything but an array, and changes nothing then: the response of a server
     * that refused is not a history.
     */
    load(messages: readonly unknown[]): RepairReport;
    /**
     * Sends the user's message, or queues it behind what must reach the backend first. With `replace`, it takes the place
     * of that message and of all behind it. Throws `message-blocked` if the policy says so, `busy` for `replace` during a
     * request, and a `TypeError` for a message without content or with tool parts.
     */
    sendUserMessage(message: UserMessage, options?: {
        replace?: string;
    }): 'sent' | 'queued';
    /**
     * Asks for the last answer, or the one at `messageId`, once more: it and all behind it are taken out, and their approvals
     * closed. Throws `busy` during a request, and `malformed-event` for a message that is not there.
     */
    regenerate(options?: {
        messageId?: string;
    }): void;
    /**
     * The user's answer to one approval: to an entry of `pending()`, the part that was shown, or an approval's id. An
     * entry or a part binds the answer to its input; with an id, `inputDigest` does. The first answer counts: the same
     * again is `'duplicate'`, the opposite throws `already-decided`. Also throws `unknown-approval`, `superseded`,
     * `already-settled`, `stale-input`, `edit-unsupported`.
     */
    respond(approval: string | PendingApproval | ToolPart, response: ResponseInput): 'accepted' | 'duplicate';
    /** Whether an answer to this approval can carry another `input`. Some protocols have a place for one, some only in some requests. */
    takesEdit(approvalId: string): boolean;
    /** Answers every pending approval, or those that `where` picks, all before anything leaves. Returns how many. */
    respondAll(response: ResponseToAll): number;
    /**
     * Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. `reason` is what
     * the model reads about them, behind the text for cancelled calls. Calls that run on the server are left to it.
     */
    cancel(reason?: string): void;
    /** Voids what was about to leave by itself, and holds decisions until `resume()` or the next message. */
    stop(): void;
    /** Lets go what `stop()` or a bad ending held. */
    resume(): void;
    /**
     * The result of a tool that ran in the browser. Throws `unknown-call`, `approval-pending`, and `already-settled` for a
     * call that has its result or was denied: a denial needs no output.
     */
    addToolOutput(toolCallId: string, result: ToolOutput): void;
    /**
     * What may be sent now: the same list as before if nothing changed. Looking at it sends nothing. An item that
     * cannot be written in the protocol's form is not listed: it becomes `failed`, with an `anomaly` event
     * (`unserializable`).
     */
    outgoing(): readonly Outgoing[];
    /** Takes the item off the list: call it before bytes leave. `true` for one caller only; `false` for an item that is not on it. */
    claim(id: string): boolean;
    /** The backend has the item. Claims it too, if nobody did. Throws `unknown-outgoing`. */
    markSent(id: string): void;
    /** The item could not be sent; `error` says why, for the UI. It is listed again only after `retry`. Throws `unknown-outgoing`. */
    markFailed(id: string, error: string): void;
    /** Sends an item of `undelivered()` again: same key, equal body, `attempt + 1`. Throws `unknown-outgoing`, `busy`. */
    retry(id: string): void;
    /** Items that need the user, oldest first: failed, unconfirmed and stalled ones. */
    undelivered(): readonly Undelivered[];
    /**
     * Sends all that may be sent now: claims each item, calls `send`, and marks it sent or failed by what becomes of
     * its promise. Resolves when nothing is left to send and no `rewriteResult` is pending, and when the gate is freed.
     * Never rejects because of `send`.
     */
    deliver(send: (item: Outgoing) => Promise<void>): Promise<void>;
    /**
     * The complete history, every call once, with one result or one response: as the AI SDK's `ModelMessage[]`, or as
     * the protocol has it. Default: the gate's own. Throws a `TypeError` for an unknown protocol, and `unserializable`
     * for a history that the protocol cannot express.
     */
    assemble(protocol?: Protocol): unknown[];
    /**
     * Sets the time, in ms since 1970: approvals whose deadline has come expire. The gate calls it itself while
     * somebody listens (`subscribe`, `onEvent`). A time that is not the present one stays the gate's time until the
     * next `tick`, unless the option `now` is its clock.
     */
    tick(nowMs: number): void;
    /** When the next approval expires, in ms since 1970; null while none does. */
    nextDeadline(): number | null;
    /** The approvals that can be answered now, in call order: the same list as in the view. */
    pending(): readonly PendingApproval[];
    /** What to show. The same object as long as nothing changed, and unchanged messages and parts stay `===`. */
    getSnapshot(): GateView;
    /** Calls `listener` after every change. Returns an unsubscribe function. */
    subscribe(listener: () => void): () => void;
    /**
     * Calls `listener` with every event, as it happens. What it throws is reported as an uncaught error. Returns an
     * unsubscribe function.
     */
    onEvent(listener: (event: GateEvent) => void): () => void;
    /** Decisions that answer later calls too, oldest first. Those whose time is over are not among them. */
    remembered(): readonly RememberedDecision[];
    /** Ends a remembered decision. Unknown ids are no error: it is over either way. */
    forget(id: string): void;
    /** The record of what happened: oldest first, at most `logLimit` entries. */
    auditLog(): readonly AuditEntry[];
    /** Everything the gate knows, as plain JSON. Throws `unserializable`, naming the path, for what JSON cannot hold. */
    toJSON(): Snapshot;
    /**
     * Ends the gate: subscribers are notified (status `crashed`), its timer ends, `deliver` in progress resolves, and
     * its memory is given back at once. Afterwards every act throws `crashed`; views that were taken stay as they are.
     * Again it does nothing. A gate that nobody refers to any more needs no `free`.
     */
    free(): void;
}

// ======== toolgate/slim ========

// ---- slim.d.ts ----
/**
 * `toolgate/slim`: the package without a WebAssembly file of its own, for libraries and for apps that load it themselves.
 * `init` needs a source here.
 */
export { capabilities } from './protocols/capabilities.js';
export { loadProtocols, PROTOCOLS } from './protocols/registry.js';
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { init, initSync, isInitialized } from './wasm/init.js';
export type { InitOptions, InitSource } from './wasm/init.js';
export { ToolGate } from './gate/tool-gate.js';
export type * from './types/index.js';

// ======== toolgate/ai-sdk ========

// ---- ai-sdk/index.d.ts ----
/** `toolgate/ai-sdk`: keeps an existing AI SDK chat and makes it safe. See `guard`. */
export { dispose, gateOf, guard } from './guard.js';
export type { GuardableChat } from '../gate/gate-source.js';
export type { GuardOptions } from './guard-options.js';

// ---- ai-sdk/guard.d.ts ----
import { type GuardableChat } from '../gate/gate-source.js';
import { ToolGate } from '../gate/tool-gate.js';
import type { GuardOptions } from './guard-options.js';
/**
 * Guards an AI SDK chat: `const chat = guard(new Chat(options))`, then `useChat({ chat })` as before. Takes `Chat` of
 * `@ai-sdk/react`, `@ai-sdk/svelte` and `@ai-sdk/vue`, 6 and 7, over any transport, and returns the same object. Call
 * it once, after `await init()`, before the chat is rendered and before its first request; a chat that is guarded is
 * returned as it is. The messages that the chat was made with are loaded into the gate.
 *
 * Throws `ToolGateError`, with `not-initialized` before `init()` and with `busy` for a chat with a request on its way, and a
 * `TypeError` for something that is not a chat of a known kind, or for an unknown option; the chat is not changed then.
 */
export declare function guard<CHAT extends GuardableChat>(chat: CHAT, options?: GuardOptions): CHAT;
/**
 * The gate of a guarded chat: for what the AI SDK has no method for, such as `respondAll`, `cancel`, `undelivered` or
 * events. Throws a `TypeError` for a chat that is not guarded.
 */
export declare function gateOf(chat: object): ToolGate;
/**
 * Ends a guarded chat that is not needed any more: stops its request, drops what waits to be sent, closes its
 * transport, ends its timers and subscriptions, and frees its gate. The chat shows what it last showed; every act is
 * rejected with `crashed`. In version 7 it is `chat.dispose()`. Resolves when all of it is done; again, it returns the
 * same promise. Of a chat that is kept by `toolgate/persist` the gate stays until its keeper is closed: call that
 * `close()` too. Throws a `TypeError` for a chat that is not guarded.
 */
export declare function dispose(chat: object): Promise<void>;

// ---- gate/gate-source.d.ts ----
/**
 * What has a gate: a gate itself, or a chat that `guard` returned. Everything that works on a gate takes either.
 *
 * Nothing of the core is imported here, only types: a server renders a page with bindings without WebAssembly, and an app
 * that loads the core later does not load it with them.
 */
import type { ToolGate } from './tool-gate.js';
/**
 * A chat that `guard` of `toolgate/ai-sdk` can take: any `Chat` of `@ai-sdk/react`, `@ai-sdk/svelte` or `@ai-sdk/vue`, 6 or 7.
 * Its members are the AI SDK's own, and are described there; what a guarded chat does otherwise is in
 * docs/ai-sdk-differences.md.
 */
export interface GuardableChat {
    readonly id: string;
    readonly status: string;
    messages: readonly unknown[];
    sendMessage: AnyMethod;
    regenerate: AnyMethod;
    stop: AnyMethod;
    resumeStream: AnyMethod;
    clearError: AnyMethod;
    addToolApprovalResponse: AnyMethod;
    addToolOutput: AnyMethod;
}
/** A method of whatever signature. */
type AnyMethod = (...args: never[]) => unknown;
/** A gate, or a chat that `guard` returned. */
export type GateSource = ToolGate | GuardableChat;
/** A gate or guarded chat, or nothing as long as there is none: on the server, and until `init()` is done. */
export type MaybeGate = GateSource | null | undefined;
/** The gate in a source; undefined for none. Throws a `TypeError` for anything else, such as a chat that is not guarded. */
export declare function gateIn(source: MaybeGate): ToolGate | undefined;
export {};

// ---- ai-sdk/guard-options.d.ts ----
/**
 * The public types of `toolgate/ai-sdk`: what `guard` takes. What it knows of the inside of a chat is in
 * `chat-internals.ts`. Nothing is imported from `ai`, not even types.
 */
import type { ToolGateOptions } from '../types/index.js';
/** What {@link guard} can be told beside the chat. */
export interface GuardOptions {
    /**
     * How the gate behaves: `onUserMessage`, `browserTools`, `texts` and the rest. The protocol, the chat's id and the
     * source of new ids come from the chat itself.
     */
    readonly gate?: Omit<ToolGateOptions, 'protocol' | 'chatId' | 'generateId'>;
    /**
     * The request header that carries each request's idempotency key; `false` for none. Default `'Idempotency-Key'`. A
     * server of another origin must name it in `Access-Control-Allow-Headers`, or the browser refuses every request of
     * the chat. Without it a server cannot tell that a request was there before. A header that the app sets itself stays.
     */
    readonly idempotencyHeader?: string | false;
}

// ======== toolgate/react ========

// ---- bindings/react/index.d.ts ----
/**
 * `toolgate/react`: hooks over a gate or a guarded chat. Each is one `useSyncExternalStore` on the gate itself, and renders
 * again only when what it returns has changed. On the server, and while a page hydrates, they show an empty chat, so the
 * core need not be loaded there. They decide nothing and keep nothing.
 */
import { type ReactElement, type ReactNode } from 'react';
import { type GateActions } from '../actions.js';
import type { ToolApprovalTags } from '../../element/define.js';
import { type MaybeGate } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateMessage, GateView, PendingApproval, ToolPart, Undelivered } from '../../types/index.js';
export type { Answer, AnswerToAll, GateActions } from '../actions.js';
export type { GateSource, GuardableChat, MaybeGate } from '../../gate/gate-source.js';
declare module 'react' {
    namespace JSX {
        /** The tags of `toolgate/element`, for pages that use them. */
        interface IntrinsicElements extends ToolApprovalTags<import('react').HTMLAttributes<HTMLElement> & import('react').RefAttributes<HTMLElement>> {
        }
    }
}
/** Props of {@link GateProvider}. */
export interface GateProviderProps {
    /** A `ToolGate`, a chat that `guard` returned, or `null` until there is one. */
    readonly gate: MaybeGate;
    /** Whose hooks get it. */
    readonly children?: ReactNode;
}
/** Gives the hooks below it their gate. */
export declare function GateProvider({ gate, children }: GateProviderProps): ReactElement;
/**
 * The gate itself, for what the other hooks do not cover; `null` until there is one. Never renders again by itself. All hooks
 * take a gate or guarded chat (or `null`) as their last argument; without it, it is the one of the nearest `GateProvider`.
 * Throws a `TypeError` if there is no provider either.
 */
export declare function useGate(gate?: MaybeGate): ToolGate | null;
/** What the user does: `respond`, `respondAll`, `cancel`, `retry`. The same functions as long as the gate is the same. */
export declare function useGateActions(gate?: MaybeGate): GateActions;
/** The approvals that can be answered now, in call order. Each is the same object until its call changes: `memo` works. */
export declare function useApprovals(gate?: MaybeGate): readonly PendingApproval[];
/** The approval of one call, while it can be answered. */
export declare function useApproval(toolCallId: string, gate?: MaybeGate): PendingApproval | undefined;
/** The part of one call, however it stands; undefined if there is none. Other parts do not render it again. */
export declare function useToolPart(toolCallId: string, gate?: MaybeGate): ToolPart | undefined;
/** The transcript. A message or part that did not change is the same object as before: `memo` works. */
export declare function useMessages(gate?: MaybeGate): GateMessage[];
/** What failed, stalled or may not have arrived: `retry(item.id)` sends it again, `cancel()` gives it up. */
export declare function useUndelivered(gate?: MaybeGate): readonly Undelivered[];
/** The whole view. Renders again with every change. */
export declare function useGateView(): GateView;
/** What `select` takes from the view, such as `view => view.status`. Renders again when that is another value (`Object.is`). */
export declare function useGateView<T>(select: (view: GateView) => T, gate?: MaybeGate): T;

// ---- bindings/actions.d.ts ----
/**
 * What the user does in a page, the same in every binding. An answer carries the digest of the input that was shown.
 *
 * Of the core only types are imported: see gate-source.ts.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval, ResponseInput, ResponseToAll } from '../types/index.js';
/** The user's answer to one approval. The digest of the input that was shown is added to it. */
export type Answer = Omit<ResponseInput, 'inputDigest'>;
/** One answer for several approvals. */
export type AnswerToAll = Omit<ResponseToAll, 'where'>;
/**
 * What the user does. Each throws what the gate throws; as long as there is none, an `Error` with the code `not-initialized`, which is
 * no `ToolGateError` because the bindings bring nothing of the core.
 */
export interface GateActions {
    /**
     * Answers an approval: pass it as it was shown. The answer counts for that input only; if the call has another one by
     * now, it throws `stale-input`. The same answer again is `'duplicate'`, the opposite one throws `already-decided`.
     */
    readonly respond: (approval: PendingApproval, answer: Answer) => 'accepted' | 'duplicate';
    /**
     * Answers these approvals at once: pass the list that was shown. What was answered meanwhile, or has another input, is
     * left out, and so is what arrived since. Returns how many were answered.
     */
    readonly respondAll: (approvals: readonly PendingApproval[], answer: AnswerToAll) => number;
    /** Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. */
    readonly cancel: (reason?: string) => void;
    /** Sends an item of the undelivered ones again. */
    readonly retry: (id: string) => void;
}
/** The actions on the gate that there is when they are called. */
export declare function createActions(current: () => ToolGate | null | undefined): GateActions;

// ---- element/define.d.ts ----
/** Registers the elements, and tells TypeScript about their tags. Importing anything here has no effect by itself. */
import { ToolApprovalElement } from './card.js';
import type { RememberChoice } from './decision.js';
import type { InputCheck } from './editor.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { ToolApprovalsElement } from './list.js';
import type { ApprovalTexts } from './card-texts.js';
import type { ApprovalSource } from './watcher.js';
declare global {
    interface HTMLElementTagNameMap {
        'tool-approval': ToolApprovalElement;
        'tool-approvals': ToolApprovalsElement;
    }
}
/** Makes `<tool-approval>` and `<tool-approvals>` known to the page. Again, and on a server, it does nothing. */
export declare function defineToolApproval(): void;
/** What `<tool-approvals>` takes in a template of a framework. */
export interface ToolApprovalsProps {
    /** A `ToolGate`, or a chat that `guard` returned. */
    gate?: ApprovalSource;
    texts?: Partial<ApprovalTexts> | undefined;
    validateInput?: InputCheck | undefined;
    remember?: RememberChoice | undefined;
    headingLevel?: number | undefined;
    theme?: 'light' | 'dark' | 'auto' | undefined;
    /** React 19 and Svelte: listeners of the events `decision` and `decision-error`. */
    ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
    'ondecision-error'?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
/** What `<tool-approval>` takes in a template of a framework. */
export interface ToolApprovalProps extends ToolApprovalsProps {
    approvalId?: string | undefined;
    toolCallId?: string | undefined;
    messageId?: string | undefined;
    announce?: 'all' | 'none' | undefined;
}
/**
 * Both tags with what they take, for the types of a framework. `COMMON` is what every element takes there:
 * `React.HTMLAttributes<HTMLElement>`, `svelte/elements`' `HTMLAttributes<HTMLElement>`.
 */
export interface ToolApprovalTags<COMMON = unknown> {
    'tool-approval': Omit<COMMON, keyof ToolApprovalProps> & ToolApprovalProps;
    'tool-approvals': Omit<COMMON, keyof ToolApprovalsProps> & ToolApprovalsProps;
}

// ---- element/card.d.ts ----
import { GateElement } from './base.js';
import { type ApprovalStatus } from './status.js';
/** A card for one tool call. */
export declare class ToolApprovalElement extends GateElement {
    #private;
    /** Who says it when the call begins to wait: the card (default), or nobody, because the app does. Attribute `announce="none"`. */
    get announce(): 'all' | 'none';
    set announce(value: 'all' | 'none' | undefined | null);
    constructor();
    /** Which approval to show: attribute `approval-id`. */
    get approvalId(): string | undefined;
    set approvalId(id: string | undefined | null);
    /** Which tool call to show: attribute `tool-call-id`. Needed only without an approval id; shows calls that ask nothing too. */
    get toolCallId(): string | undefined;
    set toolCallId(id: string | undefined | null);
    /**
     * The message that the call is in: attribute `message-id`. Needed only where call ids come again; default: the newest
     * call.
     */
    get messageId(): string | undefined;
    set messageId(id: string | undefined | null);
    /** The status of the call; undefined while there is none. */
    get status(): ApprovalStatus | undefined;
    /** Focuses the card as a whole, not a button: a key that is held down must not approve unseen. */
    focus(options?: FocusOptions): void;
    disconnectedCallback(): void;
    protected reset(): void;
    protected update(): void;
}

// ---- element/base.d.ts ----
import type { InputCheck } from './editor.js';
import type { RememberChoice } from './decision.js';
import { type ApprovalTexts } from './card-texts.js';
import { Watcher, type ApprovalGate, type ApprovalSource } from './watcher.js';
/** On a server there are no elements: the classes exist there, and are never made. */
declare const Base: typeof HTMLElement;
/** An element that shows something of a gate. */
export declare abstract class GateElement extends Base {
    #private;
    /** Attributes that change what is shown. */
    static readonly observedAttributes: readonly string[];
    protected readonly root: ShadowRoot;
    protected watcher: Watcher | undefined;
    /** The words in force. */
    protected words: ApprovalTexts;
    constructor(css: string);
    /**
     * The gate: a `ToolGate`, or a chat that `guard` returned; null and undefined for none. Not an attribute. Throws a
     * `TypeError` for anything else, such as a chat that is not guarded.
     */
    get gate(): ApprovalGate | undefined;
    set gate(source: ApprovalSource);
    /** Other words for what the element says. Keys that are left out stay English. */
    get texts(): Partial<ApprovalTexts> | undefined;
    set texts(texts: Partial<ApprovalTexts> | undefined | null);
    /** The app's own check of an input that the user edited. */
    get validateInput(): InputCheck | undefined;
    set validateInput(check: InputCheck | undefined | null);
    /** How far decisions may reach: attribute `remember`. Default `'chat'`. */
    get remember(): RememberChoice;
    set remember(choice: RememberChoice | undefined | null);
    /** The level of the heading that names a call, 1 to 6: attribute `heading-level`. Default 3. */
    get headingLevel(): number;
    set headingLevel(level: number | undefined | null);
    connectedCallback(): void;
    /** Another document, such as a picture-in-picture window's: styles belong to one document each. */
    adoptedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(_name: string, before: string | null, now: string | null): void;
    /** The time by the gate's own clock, in ms since 1970: its deadlines are in that time. */
    protected readonly now: () => number;
    /** Something was set: all of it has to be made anew. */
    protected reset(): void;
    /** Brings what is shown up to date. */
    protected abstract update(): void;
    /** Updates soon, once for all that changes until then. */
    protected later(): void;
    /** Announces a text politely to screen readers. */
    protected say(text: string): void;
}
export {};

// ---- element/editor.d.ts ----
import { type ApprovalTexts } from './card-texts.js';
/** An app's own check of an edited input: returns what is wrong with it, in words for the user, or nothing. */
export type InputCheck = (input: unknown) => string | undefined;
/** The result of an edit: nothing was changed, or this was, or it cannot be sent. */
type Edited = {
    readonly kind: 'same';
} | {
    readonly kind: 'edited';
    readonly input: unknown;
} | {
    readonly kind: 'wrong';
};
/** A field with the input's JSON. */
export declare class Editor {
    #private;
    readonly element: HTMLElement;
    /** `text`: what an earlier field for the same input held. `changed` is called while the user types. */
    constructor(input: unknown, texts: ApprovalTexts, check: InputCheck, changed: () => void, text?: string);
    focus(): void;
    /** The text of the field. */
    get text(): string;
    /** What the text says, with the problem shown if there is one. */
    read(): Edited;
}
export {};

// ---- element/card-texts.d.ts ----
/**
 * Every word that the elements say, in English, and how an app replaces them. A word in braces stands for a value: `{tool}`
 * is the name of the tool, after its title where it has one; in `chatTool` and `alwaysTool` the name alone.
 */
/** The words of `<tool-approval>` and `<tool-approvals>`. */
export type ApprovalTexts = {
    readonly [KEY in keyof typeof ENGLISH]: string;
};
/** The words as they are unless the app gives others. */
export declare const ENGLISH: {
    readonly approve: 'Approve';
    readonly approveEdited: 'Approve as edited';
    readonly deny: 'Deny';
    readonly reason: 'Reason…';
    readonly reasonLabel: 'Why not? The model reads this.';
    readonly edit: 'Edit…';
    readonly editLabel: 'Input, as JSON';
    readonly discardEdit: 'Discard changes';
    readonly badJson: 'Not valid JSON: {problem}';
    readonly notAnObject: 'The input must be an object: { … }';
    readonly remember: 'Applies to';
    readonly once: 'this call only';
    readonly chatInput: 'the same input, in this chat';
    readonly chatTool: 'every {tool} call in this chat';
    readonly alwaysInput: 'the same input, always';
    readonly alwaysTool: 'every {tool} call, always';
    readonly expiresIn: 'Expires in {time}';
    readonly secondsLeft: '{tool}: {seconds} seconds left to answer.';
    readonly noInput: 'No input.';
    readonly emptyText: 'empty text';
    readonly removed: 'Removed:';
    readonly added: 'Added:';
    readonly showAll: 'Show all ({count} characters)';
    readonly showAllLines: 'Show all ({count} lines)';
    readonly showAllEntries: 'Show all ({count} entries)';
    readonly showLess: 'Show less';
    readonly previous: 'Previous';
    readonly next: 'Next';
    readonly range: '{from}–{to} of {count}';
    readonly retry: 'Send again';
    readonly changed: 'This request has changed since it was shown. Please review it again.';
    readonly answered: 'Already answered differently.';
    readonly closed: 'This request is closed.';
    readonly refused: 'Your answer was not accepted: {problem}';
    readonly arrived: 'Approval needed: {tool}.';
    readonly arrivedMany: '{count} approvals needed.';
    readonly list: 'Approvals';
    readonly drafting: 'Writing';
    readonly draftingNote: 'The model is still writing this call.';
    readonly running: 'Running';
    readonly runningNote: '';
    readonly waiting: 'Waiting for you';
    readonly waitingNote: '';
    readonly forwarded: 'Handed on';
    readonly forwardedNote: 'The tab that sends for this chat has not confirmed it yet. It can no longer be changed here.';
    readonly forwardedApproval: 'You approved this.';
    readonly forwardedDenial: 'You denied this.';
    readonly approved: 'Approved';
    readonly approvedNote: 'Will be sent when the other calls are answered.';
    readonly leaving: 'Sending your answer now.';
    readonly sending: 'Approved, sending';
    readonly sendingNote: 'Your answer is being sent.';
    readonly working: 'Approved, running';
    readonly workingNote: 'The server has received your answer.';
    readonly undelivered: 'Not sent';
    readonly undeliveredNote: 'Your answer did not reach the server. You can send it again.';
    readonly unconfirmed: 'Unconfirmed';
    readonly unconfirmedNote: 'We don’t know whether the server received your answer.';
    readonly unknown: 'Outcome unknown';
    readonly unknownNote: 'It may have run: the reply ended before a result arrived.';
    readonly done: 'Done';
    readonly doneNote: '';
    readonly failed: 'Failed';
    readonly failedNote: '';
    readonly denied: 'Denied';
    readonly deniedNote: 'It will not run.';
    readonly skipped: 'Skipped';
    readonly skippedNote: 'It did not run because another call was denied.';
    readonly expired: 'Expired';
    readonly expiredNote: 'No answer in time. It did not run.';
    readonly cancelled: 'Cancelled';
    readonly cancelledNote: 'It was cancelled.';
    readonly interrupted: 'Interrupted';
    readonly interruptedNote: 'Closed before a result arrived.';
    readonly remembered: 'Answered by a decision you saved.';
    readonly reasonGiven: 'Reason: {reason}';
    readonly mayHaveRun: 'It may have run; its outcome is unknown.';
};
/** The words in force: what the app gave, over the English ones. Anything but a string counts as not given. */
export declare function textsWith(given: Partial<ApprovalTexts> | undefined): ApprovalTexts;
/** A text with its values put in. Values are put in as they are, braces and dollars included. */
export declare function fill(text: string, values: Readonly<Record<string, string | number>>): string;

// ---- element/decision.d.ts ----
/**
 * What is asked of the user: Approve, Deny, why, for how long, and another input where the backend takes one. It collects an
 * answer and hands it on; whether it counts is the gate's business.
 */
import type { PendingApproval, Remember } from '../types/index.js';
import { type InputCheck } from './editor.js';
import { type ApprovalTexts } from './card-texts.js';
/** How far a decision may reach: offered as choices. `'always'` needs an app that carries decisions to other chats. */
export type RememberChoice = 'none' | 'chat' | 'always';
/** An answer as the user gave it. */
export interface FormAnswer {
    readonly approved: boolean;
    readonly reason?: string;
    readonly remember?: Remember;
    readonly input?: unknown;
}
/** What a form is made with. */
interface DecisionOptions {
    readonly pending: PendingApproval;
    readonly texts: ApprovalTexts;
    /** The tool, for the user: its title and its name. */
    readonly tool: string;
    /** Its name alone: what a remembered decision is about. */
    readonly toolName: string;
    readonly remember: RememberChoice;
    readonly takesEdit: boolean;
    readonly check: InputCheck;
    /** The gate's clock, in ms since 1970. */
    readonly now: () => number;
    /** `clicks`: the click count (`MouseEvent.detail`); 0 for the keyboard. */
    readonly decide: (pending: PendingApproval, answer: FormAnswer, clicks: number) => void;
    readonly hurry: (seconds: number) => void;
}
/** What the user has put into a form so far: a new form goes on with it. */
export interface DecisionState {
    readonly reason: string;
    readonly hasReason: boolean;
    /** The text of the editor, if it is open. */
    readonly edited: string | undefined;
    readonly remember: string | undefined;
}
/** The form of one request. */
export declare class DecisionForm {
    #private;
    readonly element: HTMLElement;
    /** `state`: of an earlier form of the same request. */
    constructor(options: DecisionOptions, state?: Partial<DecisionState>);
    /** What the user has put in so far. */
    get state(): DecisionState;
    /** How high the form is without its fields, in pixels. */
    get restingHeight(): number;
    /** The same request as another object: what the user has put in stays. */
    renew(pending: PendingApproval): void;
    /** Ends the countdown. */
    stop(): void;
}
export {};

// ---- element/watcher.d.ts ----
/**
 * Finds calls in a gate's view for any number of elements, with one subscription for all of them. What did not change in the
 * view is not looked at again, so a thousand cards on a page cost each change of the gate a thousand look-ups and no search.
 */
import type { GuardableChat } from '../gate/gate-source.js';
import type { GateMessage, PendingApproval, ToolPart } from '../types/index.js';
import type { ToolGate } from '../gate/tool-gate.js';
/** What the elements use of a gate. */
export type ApprovalGate = Pick<ToolGate, 'getSnapshot' | 'respond' | 'retry' | 'subscribe' | 'takesEdit' | 'undelivered'>;
/** What an element takes as its gate: a `ToolGate`, or a chat that `guard` returned; nothing as long as there is none. */
export type ApprovalSource = ApprovalGate | GuardableChat | null | undefined;
/** A call as it stands in the view. */
export interface FoundCall {
    readonly part: ToolPart;
    /** The request, while it can be answered. */
    readonly pending: PendingApproval | undefined;
    /** Its turn ended badly or stalled: nothing more arrives by itself. */
    readonly isOver: boolean;
}
/** A gate's calls, kept up to date while anybody listens. */
export declare class Watcher {
    #private;
    private constructor();
    /** The one watcher of a gate. */
    static of(gate: ApprovalGate): Watcher;
    /** Calls `listener` after every change of the gate. Returns an unsubscribe function. */
    listen(listener: () => void): () => void;
    /** The id of the call that an approval belongs to; undefined if there is none. */
    callOf(approvalId: string): string | undefined;
    /** The newest call with this id, or the one in this message; undefined if there is none. */
    find(toolCallId: string, messageId?: string): FoundCall | undefined;
}
/** The tool calls of a message, in order. */
export declare function toolParts(message: GateMessage): ToolPart[];

// ---- element/status.d.ts ----
/**
 * What the state of a call means to the user: one word, one sentence, one colour. State, outcome and delivery are the gate's;
 * nothing is decided here.
 */
import type { ToolPart } from '../types/index.js';
import { type ApprovalTexts } from './card-texts.js';
/**
 * How a call stands. `forwarded`: handed to the tab that sends, which has not confirmed it. `approved`: decided, and not on its
 * way yet. `forwarded`, `undelivered` and `unconfirmed` may be denials too.
 */
export type ApprovalStatus = 'drafting' | 'running' | 'waiting' | 'forwarded' | 'approved' | 'sending' | 'working' | 'undelivered' | 'unconfirmed' | 'unknown' | 'done' | 'failed' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'interrupted';
/** The family of colours of a status. */
type Tone = 'wait' | 'busy' | 'yes' | 'no' | 'quiet';
/** A status as it is shown. */
export interface StatusView {
    readonly status: ApprovalStatus;
    readonly tone: Tone;
    readonly label: string;
    readonly note: string;
}
/** The words for the status of a call. */
export declare function describe(part: ToolPart, isOver: boolean, texts: ApprovalTexts): StatusView;
export {};

// ---- element/card-events.d.ts ----
/** What the events of a card say. No code. */
import type { Remember } from '../types/index.js';
/** What a `decision` event says: the gate has taken this answer. */
export interface DecisionDetail {
    /** The approval that was answered. */
    readonly approvalId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    /** Whether the call may run. */
    readonly approved: boolean;
    /** The reason of a denial, as the user typed it. */
    readonly reason?: string;
    /** What the user asked to remember. */
    readonly remember?: Remember;
    /** The input as the user edited it. */
    readonly input?: unknown;
    /** `duplicate`: the same answer had been given already. */
    readonly result: 'accepted' | 'duplicate';
}
/** What a `decision-error` event says: the gate refused the answer, with a `ToolGateError` as a rule. */
export interface DecisionErrorDetail {
    /** The approval that was to be answered, or sent again. */
    readonly approvalId: string;
    /** What the gate threw. The card shows what it means in its own words. */
    readonly error: unknown;
}

// ---- element/list.d.ts ----
import { GateElement } from './base.js';
/** The cards of all approvals of a gate. */
export declare class ToolApprovalsElement extends GateElement {
    #private;
    static readonly observedAttributes: readonly string[];
    constructor();
    /** Focuses the first card that waits, or else the list. */
    focus(options?: FocusOptions): void;
    protected reset(): void;
    protected update(): void;
}

// ======== toolgate/svelte ========

// ---- bindings/svelte/index.d.ts ----
import { type GateActions } from '../actions.js';
import type { ToolApprovalTags } from '../../element/define.js';
import { type MaybeGate } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateMessage, GateStatus, GateView, PendingApproval, ToolPart, Undelivered } from '../../types/index.js';
export type { Answer, AnswerToAll, GateActions } from '../actions.js';
export type { GateSource, GuardableChat, MaybeGate } from '../../gate/gate-source.js';
declare module 'svelte/elements' {
    /** The tags of `toolgate/element`, for pages that use them. */
    interface SvelteHTMLElements extends ToolApprovalTags<import('svelte/elements').HTMLAttributes<HTMLElement>> {
    }
}
/** A gate or guarded chat, or a function that reads one from `$state`: `null` until there is one. */
export type GateGetter = MaybeGate | (() => MaybeGate);
/** What {@link useGate} returns. Read its properties where they are used: destructured, they no longer change. */
export interface ReactiveGate extends GateActions {
    /** The gate itself, for what is not here; undefined until there is one. */
    readonly gate: ToolGate | undefined;
    /** The whole view: changes with everything. */
    readonly view: GateView;
    /** What the chat is doing. */
    readonly status: GateStatus;
    /** The transcript. A message or part that did not change is the same object as before. */
    readonly messages: GateMessage[];
    /** The approvals that can be answered now, in call order. Each is the same object until its call changes. */
    readonly pending: readonly PendingApproval[];
    /** What failed, stalled or may not have arrived: `retry(item.id)` sends it again, `cancel()` gives it up. */
    readonly undelivered: readonly Undelivered[];
    /** The part of one call, however it stands; undefined if there is none. */
    readonly part: (toolCallId: string) => ToolPart | undefined;
    /** The approval of one call, while it can be answered. */
    readonly approval: (toolCallId: string) => PendingApproval | undefined;
}
/** Gives `useGate()` in this component's descendants their gate. Call it while the component initialises. */
export declare function provideGate(gate: GateGetter): void;
/**
 * A gate or guarded chat, to be read in templates, `$derived` and `$effect`. Without an argument it is the one of
 * `provideGate`; throws a `TypeError` if there is none either. Its functions can be destructured, its properties not.
 */
export declare function useGate(gate?: GateGetter): ReactiveGate;

// ======== toolgate/vue ========

// ---- bindings/vue/index.d.ts ----
import type { ComputedRef, MaybeRefOrGetter, ShallowRef, WritableComputedRef } from 'vue';
import { type GateActions } from '../actions.js';
import { type GuardableChat, type MaybeGate } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateMessage, GateView, PendingApproval, ToolPart, Undelivered } from '../../types/index.js';
export type { Answer, AnswerToAll, GateActions } from '../actions.js';
export type { GateSource, GuardableChat, MaybeGate } from '../../gate/gate-source.js';
/** A gate or guarded chat, or a ref or getter of one: `null` until there is one. */
export type GateRef = MaybeRefOrGetter<MaybeGate>;
/** Gives the composables of this component's descendants their gate. Call it in `setup`. */
export declare function provideGate(gate: GateRef): void;
/**
 * The gate itself, for what the other composables do not cover; undefined until there is one. All composables take a gate or
 * guarded chat as their last argument, or a ref or getter of one; without it, it is the one of `provideGate`. Throws a plain
 * `Error` if there is none either.
 */
export declare function useGate(gate?: GateRef): ComputedRef<ToolGate | undefined>;
/** What the user does: `respond`, `respondAll`, `cancel`, `retry`. */
export declare function useGateActions(gate?: GateRef): GateActions;
/** The approvals that can be answered now, in call order. Each is the same object until its call changes. */
export declare function useApprovals(gate?: GateRef): Readonly<ShallowRef<readonly PendingApproval[]>>;
/** The approval of one call, while it can be answered. */
export declare function useApproval(toolCallId: MaybeRefOrGetter<string>, gate?: GateRef): Readonly<ShallowRef<PendingApproval | undefined>>;
/** The part of one call, however it stands; undefined if there is none. Other parts do not change it. */
export declare function useToolPart(toolCallId: MaybeRefOrGetter<string>, gate?: GateRef): Readonly<ShallowRef<ToolPart | undefined>>;
/** The transcript. A message or part that did not change is the same object as before. */
export declare function useMessages(gate?: GateRef): Readonly<ShallowRef<GateMessage[]>>;
/** What failed, stalled or may not have arrived: `retry(item.id)` sends it again, `cancel()` gives it up. */
export declare function useUndelivered(gate?: GateRef): Readonly<ShallowRef<readonly Undelivered[]>>;
/** What `select` takes from the view, such as `view => view.status`; without it, the whole view. */
export declare function useGateView<T = GateView>(select?: (view: GateView) => T, gate?: GateRef): Readonly<ShallowRef<T>>;
/** What {@link useGuardedChat} returns: `useChat()` of `@ai-sdk/vue`, over a chat of one's own. */
export type GuardedChat<CHAT extends GuardableChat> = {
    /** The chat's id; empty until there is a chat. */
    readonly id: ComputedRef<string>;
    /** The chat's messages; empty until there is a chat. Setting them sets the chat's. */
    readonly messages: WritableComputedRef<CHAT['messages']>;
    /** `'ready'` until there is a chat. */
    readonly status: ComputedRef<CHAT['status']>;
    /** Why the last request failed, until `clearError()`. */
    readonly error: ComputedRef<Error | undefined>;
} & Pick<CHAT, Method>;
declare const METHODS: readonly ['sendMessage', 'regenerate', 'stop', 'resumeStream', 'clearError', 'addToolApprovalResponse', 'addToolOutput'];
type Method = (typeof METHODS)[number];
/**
 * What `useChat()` of `@ai-sdk/vue` 7 returns, which makes its own chat and takes none: `useGuardedChat(guard(new Chat(…)))`.
 * Takes a ref or getter, too; until there is a chat it is empty, and its methods throw an `Error` with the
 * code `not-initialized`.
 */
export declare function useGuardedChat<CHAT extends GuardableChat>(chat: MaybeRefOrGetter<CHAT | null | undefined>): GuardedChat<CHAT>;

// ======== toolgate/element ========

// ---- element/index.d.ts ----
/** `toolgate/element`: an approval card for any framework, or none. See `defineToolApproval`. */
export { ToolApprovalElement } from './card.js';
export type { RememberChoice } from './decision.js';
export { defineToolApproval } from './define.js';
export type { ToolApprovalProps, ToolApprovalsProps, ToolApprovalTags } from './define.js';
export type { InputCheck } from './editor.js';
export type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
export { ToolApprovalsElement } from './list.js';
export type { ApprovalStatus } from './status.js';
export type { ApprovalTexts } from './card-texts.js';
export type { ApprovalGate, ApprovalSource } from './watcher.js';

// ======== toolgate/persist ========

// ---- persist/index.d.ts ----
/** `toolgate/persist`: stores a chat in the browser and lets only one of its tabs send. See `keep`. */
export { keep } from './keep.js';
export type { Kept, KeepOptions, KeepStorage } from './keep-options.js';

// ---- persist/keep.d.ts ----
import { type GateSource } from '../gate/gate-source.js';
import type { Kept, KeepOptions } from './keep-options.js';
/**
 * Keeps a chat: restores what is stored under the name into this gate, stores every change from then on, and shares the
 * chat with the other tabs that keep the same name, of which only one sends. A claim is stored before its request leaves:
 * `deliver` and the chats of `toolgate/ai-sdk` wait for that.
 *
 * Call it after `init()`, before the chat's first request: `const kept = await keep(gate, { name: 'chat-1' })`, for a
 * guarded chat `await keep(chat, …)`. Until it resolves nothing is sent. A request that was on its way when the
 * page went is in `undelivered()` afterwards, as `unconfirmed`: `gate.retry(id)` sends it again with the same key.
 *
 * Without IndexedDB or `localStorage` nothing is stored, without Web Locks and BroadcastChannel every tab is by itself;
 * `onError` is told of the first, `kept.isExclusive` of the second.
 *
 * Rejects with a `TypeError` for what is no gate, for a gate that is kept already, for a name that cannot be used and for an
 * unknown storage; with a `ToolGateError`, `busy`, for a gate that has a request on its way. What cannot be restored does not
 * reject: see `onError`.
 */
export declare function keep(source: GateSource, options: KeepOptions): Promise<Kept>;

// ---- persist/keep-options.d.ts ----
/**
 * The public types of `toolgate/persist`: what `keep` takes and returns. No code.
 */
/** What {@link keep} is told. */
export interface KeepOptions {
    /**
     * Under which name the chat is stored: one name for one chat. Tabs that keep the same name are one chat, of which one
     * tab sends. It must not end with `.refused`, `.acts` or `.leader`.
     */
    readonly name: string;
    /** Where: IndexedDB (the default), `localStorage` (a few MB, and only for short chats), or a storage of the app's own. */
    readonly storage?: 'indexeddb' | 'localstorage' | KeepStorage;
    /**
     * How long the storage may take for one read or write, in ms; default 10,000. A request whose claim is not stored by then
     * is not sent: it has `failed`, and can be retried.
     */
    readonly storeTimeoutMs?: number;
    /**
     * How long the tab that sends may take to answer another one, in ms; default 5,000. After that another tab takes over, once
     * the user does something there. What was in flight is `unconfirmed` then, and nothing is sent a second time.
     */
    readonly leaderTimeoutMs?: number;
    /**
     * Told of what went wrong while nobody waited for it: what was stored could not be read (`bad-snapshot`), the chat
     * cannot be stored (`unserializable`, or what the storage threw), another tab decided first (`already-decided`), or the tab
     * that sends does not answer. Default: `console.error`.
     */
    readonly onError?: (error: Error) => void;
    /**
     * Called when the user stopped in another tab, and this one sends: end the request here. The chat of `toolgate/ai-sdk`
     * does so by itself.
     */
    readonly onStop?: () => void;
}
/**
 * Where chats are stored. Names are strings, values plain JSON, and a value is never changed after it was given. Methods
 * may return promises; what they reject with goes to `onError`. The signal is aborted when `storeTimeoutMs` is over: whatever
 * still comes of the call is ignored then.
 */
export interface KeepStorage {
    /** The value under this name; `undefined` or `null` if there is none. */
    read(name: string, signal?: AbortSignal): unknown;
    /** Stores a value in place of the one before. Of several that are under way the one that was started last must win. */
    write(name: string, value: unknown, signal?: AbortSignal): void | PromiseLike<void>;
    /** Deletes the value. There may be none. */
    remove(name: string, signal?: AbortSignal): void | PromiseLike<void>;
}
/** A gate that is kept. */
export interface Kept {
    /**
     * Whether this tab is the one that sends. When that changes, the gate's listeners are called. The other tabs follow:
     * they show the same, what the user does there is done here, `outgoing()` is empty there and `claim` returns `false`.
     */
    readonly isLeader: boolean;
    /**
     * This tab's part. The gate's listeners are called when it changes.
     * - `leader`: it sends
     * - `follower`: it shows what the leader does, and hands on what the user does
     * - `leaderless`: no tab sends. The one that did does not answer, and is replaced by this one as soon as the user does
     *   something here; or this one was elected, and the storage does not answer
     * - `closed`: by `close()`, or the gate was freed or failed
     */
    readonly state: 'leader' | 'follower' | 'leaderless' | 'closed';
    /**
     * How many of the user's acts wait in a follower for the tab that sends to confirm that it stored them. They are stored
     * here, outlive a reload, and can no longer be taken back. Decisions among them have the `delivery` `forwarded`, and
     * messages are in `queued`. The gate's listeners are called when it changes.
     */
    readonly waiting: number;
    /**
     * Whether other tabs are kept from sending. `false` where the browser has no Web Locks (old browsers, pages without
     * HTTPS, Node): then every tab takes itself for the one that sends.
     */
    readonly isExclusive: boolean;
    /**
     * Resolves when everything until now is stored: in a tab that follows, when the other tab has stored what was done
     * here. Rejects with what the storage threw, `unserializable`, or when it takes too long.
     */
    saved(): Promise<void>;
    /** Deletes what is stored under the name, refused copies too. The gate is not changed; its next change is stored again. */
    forget(): Promise<void>;
    /**
     * Stores the last state and ends: another tab may send from now on, so this gate sends nothing more, until it is kept
     * again. The other tab waits for what is stored, but no longer than `storeTimeoutMs`.
     */
    close(): void;
}

// ======== toolgate/inspector ========

// ---- inspector/index.d.ts ----
/** `toolgate/inspector`: for development. Shows what goes on in a gate, records it, and plays recordings in tests. */
export { inspect } from './inspect.js';
export type { Inspector, InspectOptions } from './inspect.js';
export { record } from './recorder.js';
export { replay } from './replay.js';
export type { ReplayOptions } from './replay.js';
export type * from './recording.js';

// ---- inspector/inspect.d.ts ----
/**
 * Mounts the inspector: an element of its own with a shadow tree, so that neither it nor the page styles the other.
 */
import { type GateSource } from '../gate/gate-source.js';
import type { Recording } from './recording.js';
/** Options of `inspect`. */
export interface InspectOptions {
    /** Where it is put, and fills what is there. Default: a dock at the lower edge of the page. */
    readonly element?: HTMLElement;
    /** `false`: it begins collapsed. Default `true`. */
    readonly open?: boolean;
}
/** A mounted inspector. */
export interface Inspector {
    /** Its element: `<toolgate-inspector>`. Set `color-scheme` on it for light or dark, else the system decides. */
    readonly element: HTMLElement;
    /** What was recorded until now: see `Recorder`. */
    recording(): Recording | undefined;
    /** Takes it away; the gate and the page are as before. Removing the element does the same. */
    remove(): void;
}
/**
 * Shows what goes on in a gate or guarded chat: a timeline, what leaves and what does not arrive, the messages for each backend, and what
 * waits for the user. It records the gate too: "Export recording" saves a file that a test can play again.
 *
 * ```ts
 * const gate = new ToolGate();
 * if (import.meta.env.DEV) {
 *   const { inspect } = await import('toolgate/inspector');
 *   inspect(gate);
 * }
 * ```
 *
 * The saved file as a test, with vitest:
 *
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { init, ToolGate } from 'toolgate';
 * import { replay } from 'toolgate/inspector';
 * import { expect, test } from 'vitest';
 *
 * test('the second approval is not sent twice', async () => {
 *   await init();
 *   const recording = readFileSync('tests/second-approval.json', 'utf8');
 *   const { difference } = await replay(JSON.parse(recording), { ToolGate });
 *   expect(difference?.message).toBeUndefined();
 * });
 * ```
 *
 * The file has the conversation in it, and all that tools were given and returned. Only a page can do this: it throws a
 * `TypeError` without a `document`, and for a gate of another copy of the package.
 */
export declare function inspect(source: GateSource, { element: parent, open }?: InspectOptions): Inspector;

// ---- inspector/recording.d.ts ----
/**
 * What a recording is, and what playing it again says: plain JSON, so that it can be a file beside a test. Values stand in
 * it as they do in snapshots: BigInt, Date, `undefined` and the like as tags.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { AuditEntry, JSONObject, JSONValue, Snapshot } from '../types/index.js';
/** Everything that was put into a gate, in order, and what came of it. */
export interface Recording {
    /** Says what file this is. */
    readonly toolgate: 'recording';
    /** The version of the format. */
    readonly version: 1;
    /** The gate's options; those that are functions stand in `functions` by name, and what they answered in the steps. */
    readonly options: JSONObject;
    /** The names of the options that were functions. */
    readonly functions: readonly string[];
    /** What the gate knew when the recording began. Absent: nothing, it was new. */
    readonly start?: Snapshot;
    /** The calls, in order. */
    readonly steps: readonly Step[];
    /** What a replay must come to. */
    readonly end: EndState;
    /** The gate's audit log, for people: it says the same, without what was put in. */
    readonly auditLog: readonly AuditEntry[];
}
/** One call into the gate. */
export interface Step {
    /** The time by the gate's clock, in ms since 1970. */
    readonly at: number;
    /** The method; `rewritten` for the answer of a `rewriteResult` that took its time. */
    readonly call: string;
    /** What it was called with; values that JSON cannot hold as tags. */
    readonly args: readonly JSONValue[];
    /** `true`: it was called by a listener, while the step before it was being told. */
    readonly inside?: true;
    /** What it returned. Absent: nothing. */
    readonly returned?: JSONValue;
    /** The code of the `ToolGateError` that it threw, or the name of another error. */
    readonly threw?: string;
    /** What the gate reported, in order. */
    readonly events?: readonly JSONValue[];
    /** The items that it took off the list of what may leave, bodies included. */
    readonly taken?: readonly JSONValue[];
    /** The ids that were made for it. */
    readonly ids?: readonly string[];
    /** What `needsApproval` answered. */
    readonly asked?: readonly boolean[];
    /** What `rewriteResult` answered: a text, `null` for none, or the number of a later `rewritten` step. */
    readonly rewrites?: readonly (string | number | null)[];
}
/** What stood there in the end. */
export interface EndState {
    /** `getSnapshot()`, without its revision. */
    readonly view: JSONValue;
    /** `outgoing()`, bodies included. */
    readonly outgoing: JSONValue;
    /** `undelivered()`. */
    readonly undelivered: JSONValue;
}
/** Where a replay first came out otherwise. */
export interface Difference {
    /** The index in `Recording.steps`, or `'end'`. */
    readonly step: number | 'end';
    /** The method that was called. */
    readonly call?: string;
    /** Where in the step or in the end, such as `events[2].to`. */
    readonly path: string;
    /** What the recording has there; `undefined` for nothing. */
    readonly recorded: unknown;
    /** What came now; `undefined` for nothing. */
    readonly replayed: unknown;
    /** The same in a sentence. */
    readonly message: string;
}
/** What `replay` found. */
export interface Replayed {
    /** Absent if everything came out as it was recorded. */
    readonly difference?: Difference;
    /** The gate that was made for it, as the last step left it. */
    readonly gate: ToolGate;
}
/** What `record` returns. */
export interface Recorder {
    /** What was recorded until now. Undefined while the gate was never at rest since `record`: see there. */
    recording(): Recording | undefined;
    /** Why what was recorded before is lost, if it is. */
    readonly problem: string | undefined;
    /** Ends the recording, which can still be read, and leaves the gate as it was before. */
    stop(): void;
}
/** Options of `record`. */
export interface RecordOptions {
    /** After how many steps the recording begins anew, at the next moment of rest. Default 100,000. */
    readonly limit?: number;
}

// ---- inspector/recorder.d.ts ----
import { type GateSource } from '../gate/gate-source.js';
import type { Recorder, RecordOptions } from './recording.js';
/**
 * Begins to note what is put into a gate, or into the gate of a guarded chat. A gate that is in use already is taken up when nothing is on its way: its state
 * stands at the beginning of the recording then. Do it right after `new ToolGate()`, and the recording has everything.
 * Where a keeper shares the chat between tabs, the tab that leads records.
 *
 * Throws a `TypeError` for a gate of another copy of the package.
 */
export declare function record(source: GateSource, options?: RecordOptions): Recorder;

// ---- inspector/replay.d.ts ----
import type { ToolGate as Gate } from '../gate/tool-gate.js';
import type { Replayed } from './recording.js';
/** What `replay` needs. */
export interface ReplayOptions {
    /** The class to make the gate of. */
    readonly ToolGate: typeof Gate;
}
/**
 * Plays a recording: the object, or what `JSON.parse` made of its file. `difference` is where transitions, decisions,
 * deliveries, bodies, return values or the last view first come out otherwise; absent if nowhere. It sends nothing, and
 * takes no time. Call it after `await init()`.
 *
 * Rejects with a `TypeError` for what is no recording, with `bad-snapshot` for a damaged one, and with `not-initialized`
 * while its protocol is not loaded.
 */
export declare function replay(recording: unknown, { ToolGate }: ReplayOptions): Promise<Replayed>;

// ======== toolgate/server ========

// ---- server/index.d.ts ----
/** `toolgate/server`: what a server does with approvals, before it asks the model. No wasm, no gate. */
export { collectApprovals } from './collect.js';
export { ToolDelegate } from './delegate.js';
export { errorResult, ToolRejectedError, ToolTimeoutError } from './delegate-errors.js';
export type * from './delegate-types.js';
export { ResolveError } from './resolve-errors.js';
export type { ResolveErrorAbout, ResolveErrorCode } from './resolve-errors.js';
export { MemoryRecord } from './memory-record.js';
export { resolveApprovals, resolveApprovalsStream } from './resolve.js';
export { signApproval, verifyApproval } from './signature.js';
export type * from './resolve-types.js';

// ---- server/collect.d.ts ----
import type { CollectedApprovals, CollectOptions } from './resolve-types.js';
/**
 * The answered approvals of a history, in call order: the AI SDK's `ModelMessage[]` or `UIMessage[]`, or the messages of an
 * Effect prompt. Answers without a request are ignored; of several answers to one request the first counts, of several
 * requests for one call the last. Throws `malformed-messages` for an answer that is neither `true` nor `false`.
 */
export declare function collectApprovals(messages: readonly unknown[], { excludeResolved }?: CollectOptions): CollectedApprovals;

// ---- server/resolve-types.d.ts ----
/**
 * The public types of the server's half: what `collectApprovals`, `resolveApprovals` and their streamed form take and give.
 * No code.
 */
import type { ResolveError } from './resolve-errors.js';
/** A tool call as it was approved, whatever form its message has. */
export interface ApprovedCall {
    readonly toolCallId: string;
    readonly toolName: string;
    /** As the messages have it: nobody has validated it yet. */
    readonly input: unknown;
    /** The model's provider runs it, not this server. */
    readonly providerExecuted?: boolean;
}
/** One answered approval. */
export interface Approval {
    /** The id that the request had. */
    readonly approvalId: string;
    /** The call that was asked about. */
    readonly toolCallId: string;
    /** Whether it may run. */
    readonly approved: boolean;
    /** In the words of who decided. */
    readonly reason?: string;
    /** Absent if the messages hold no such call. */
    readonly toolCall?: ApprovedCall;
}
/** What {@link collectApprovals} is told. */
export interface CollectOptions {
    /** Leaves out the approvals of calls that have their result. Default `false`. */
    readonly excludeResolved?: boolean;
}
/** The answered approvals of a history, each list in call order. */
export interface CollectedApprovals {
    /** Those whose calls may run. */
    readonly approved: Approval[];
    /** Those whose calls must not. */
    readonly denied: Approval[];
}
/** What a tool's `execute` gets beside its input: what the AI SDK gives it. */
export interface ExecuteOptions {
    /** The call that runs. */
    readonly toolCallId: string;
    /** The messages as they were given. */
    readonly messages: readonly unknown[];
    /** The option `abortSignal`, as it was given. */
    readonly abortSignal: AbortSignal | undefined;
    /** The entry of `toolsContext` for this tool. */
    readonly context: unknown;
}
/**
 * A tool: the AI SDK's `tool(…)`, or anything with an `execute`. An async iterable that it returns gives preliminary results,
 * the last of which is the result. A tool without `execute` runs elsewhere: its calls are left as they are.
 */
export interface ResolvableTool {
    /** Runs an approved call: takes its input and {@link ExecuteOptions}; what it throws is the call's error. */
    execute?(input: never, options: never): unknown;
    /** What the input is checked against: a Standard Schema (Zod, Valibot, ArkType, …) or a schema of the AI SDK. */
    readonly inputSchema?: unknown;
    /** What the model gets for an output, as in the AI SDK. Default: a text as it is, all else as JSON. */
    toModelOutput?(options: never): unknown;
}
/** The server's tools by name; a function is a tool without a schema. */
export type Toolkit = Readonly<Record<string, ResolvableTool | ((input: never, options: never) => unknown) | undefined>>;
/** A call whose approval was asked for: what a signature stands for, and what a record keeps. */
export interface RequestedCall {
    readonly approvalId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
}
/**
 * The server's own record of what it asked and what it started: the only thing that stops a forged approval and a repeated
 * one alike. Ids must be unique in it: make one for each chat, or put the chat's id before them.
 */
export interface ApprovalRecord {
    /** What was asked under this id; nothing if it never was. */
    get(approvalId: string): RequestedCall | undefined | null | PromiseLike<RequestedCall | undefined | null>;
    /**
     * Notes that a call is being started: `true` for the first who claims the key, and `false` ever after. It must be atomic,
     * across processes too (a unique key in a table). The key is 43 letters and digits, the same for a repeated request.
     */
    claim(key: string): boolean | PromiseLike<boolean>;
    /**
     * Keeps the result of a claimed call, as plain JSON where the output is. If it fails, the result is returned all the
     * same, and the failure is in `unrecorded`.
     */
    keep?(key: string, result: CallResult): void | PromiseLike<void>;
    /** The result that was kept, for a request that repeats it: then nothing is run, and the same is answered. */
    recall?(key: string): CallResult | undefined | null | PromiseLike<CallResult | undefined | null>;
}
/** How one call came out. `interrupted`: a later step has superseded it, and it was not run. */
export interface CallResult {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly approvalId: string;
    /** What became of it. `output`, `errorText` and `reason` go with it. */
    readonly outcome: 'executed' | 'failed' | 'denied' | 'interrupted';
    /** What the tool returned, with `executed`. */
    readonly output?: unknown;
    /** What the model reads, with `failed` and `interrupted`. */
    readonly errorText?: string;
    /** Why it was denied: the user's words, or the default text. */
    readonly reason?: string;
}
/** What {@link resolveApprovals} is told. */
export interface ResolveOptions {
    /** The server's tools. They are looked up by own keys only. */
    readonly toolkit?: Toolkit | undefined;
    /** How many calls run at a time. Default: all. */
    readonly concurrency?: number;
    /**
     * What becomes of a handler's error, an invalid input and a call that was started before. `'result'` (default): the failed
     * result of that call alone. `'throw'`: it is thrown; calls that run are awaited, no further ones start.
     */
    readonly failureMode?: 'result' | 'throw';
    /** Given to the tools. Once it is aborted no call starts, and the signal's reason is thrown when the running ones have ended. */
    readonly abortSignal?: AbortSignal | undefined;
    /**
     * The secret that requests were signed with: the AI SDK's `experimental_toolApprovalSecret`, or that of `signApproval`.
     * Unsigned and changed calls are refused with `invalid-signature`, and nothing runs. An empty or missing one is a `TypeError`.
     */
    readonly secret?: string | Uint8Array;
    /** The app's own check of an approved call: `false` is refused with `invalid-signature`, and nothing runs. */
    readonly verify?: (call: RequestedCall & {
        readonly signature?: string;
    }) => boolean | PromiseLike<boolean>;
    /** The server's own record: what is not in it is refused with `not-on-record`, and no call is started twice. */
    readonly record?: ApprovalRecord;
    /** What each tool gets as `context`, by name. */
    readonly toolsContext?: Readonly<Record<string, unknown>>;
    /** The reason of a denial without one. Default: Toolgate's text for denied calls. */
    readonly deniedText?: string;
    /** What the model, and the page, read of a handler's error. Default: the error's message. */
    readonly errorText?: (error: unknown, call: ApprovedCall) => string;
    /** Takes requests and answers out of the messages once their calls have results, as some providers need. Not from `UIMessage`s. */
    readonly strip?: boolean;
}
/** What resolving gave. */
export interface ResolvedApprovals<MESSAGE> {
    /**
     * The history with every result right behind its step, in call order: what to send to the model. Requests without a call and
     * answers without a request are left out. Nothing given was changed.
     */
    readonly messages: MESSAGE[];
    /** The results that were added, in call order. */
    readonly results: readonly CallResult[];
    /**
     * For each result that `record.keep` failed to store, a `ResolveError` with the code `record-failed`: report it.
     * Those calls have run, and a repeated request will read that their outcome is unknown. Absent if none failed.
     */
    readonly unrecorded?: readonly ResolveError[];
    /** The calls that still have no result: undecided ones, and those of tools that run elsewhere. Do not ask the model yet. */
    readonly unresolved: readonly string[];
}
/** What the page is told as it happens: chunks of the AI SDK's UI message stream. */
export type ResolveChunk = {
    type: 'tool-output-available';
    toolCallId: string;
    output: unknown;
    preliminary?: boolean;
} | {
    type: 'tool-output-error';
    toolCallId: string;
    errorText: string;
} | {
    type: 'tool-output-denied';
    toolCallId: string;
};
/** The streamed form. Both ends may be used alone. */
export interface ApprovalStream<MESSAGE> {
    /** Denials at once, then each result when it is there. It fails as `resolved` does. Cancelling it stops no tool. */
    readonly stream: ReadableStream<ResolveChunk>;
    /** What {@link resolveApprovals} gives. */
    readonly resolved: Promise<ResolvedApprovals<MESSAGE>>;
}

// ---- server/resolve-errors.d.ts ----
/**
 * What `toolgate/server` throws. Each refusal has a stable `code` to test for and a message that says what would have been
 * right. Codes and class only; who refuses, and when, is elsewhere.
 */
/** The reasons for which `toolgate/server` refuses something. A code keeps its meaning; new ones may be added. */
export type ResolveErrorCode = 
/** Approvals are answered, and there is no tool to run them with. `toolNames` are the tools that wait. */
'toolkit-required'
/** An approved call names a tool that the toolkit does not have. `toolNames` are those it has. */
 | 'unknown-tool'
/** The input of an approved call is not what its tool takes. */
 | 'invalid-input'
/** The approval has no signature, or one that was made for something else. */
 | 'invalid-signature'
/** The server's own record has no such approval, or has it for another call, tool or input. */
 | 'not-on-record'
/** The call was started by an earlier request, and its result is not in these messages. */
 | 'already-started'
/** The call ran, and the record could not keep its result: a repetition will read that its outcome is unknown. */
 | 'record-failed'
/** The messages cannot be read. */
 | 'malformed-messages'
/** An answer names no call. */
 | 'missing-call-id'
/** An answer names a call that nobody waits for or expects. */
 | 'unknown-call'
/** An answer approves and brings no result. */
 | 'missing-result'
/** An answer can be read in no way, or in two. */
 | 'malformed-answer'
/** The call has its answer. */
 | 'already-answered'
/** The call timed out or was given up before the answer came. */
 | 'too-late'
/** Somebody waits for this call already. */
 | 'already-waiting'
/** The delegate was closed: no answer can come any more. */
 | 'closed';
/** What an error of this entry is about. */
export interface ResolveErrorAbout {
    readonly toolCallId?: string | undefined;
    readonly approvalId?: string | undefined;
    readonly toolName?: string | undefined;
    readonly toolNames?: readonly string[] | undefined;
    readonly cause?: unknown;
}
/** What `toolgate/server` throws. */
export declare class ResolveError extends Error {
    readonly name: string;
    /** What was refused, to test for. */
    readonly code: ResolveErrorCode;
    /** The tool call in question, if there is one. */
    readonly toolCallId?: string;
    /** The approval in question, if there is one. */
    readonly approvalId?: string;
    /** The tool in question, if there is one. */
    readonly toolName?: string;
    /** Of `toolkit-required` the tools that wait; of `unknown-tool` those there are. */
    readonly toolNames?: readonly string[];
    /** `about` names what is in question, and the `cause`, where there is one. */
    constructor(code: ResolveErrorCode, message: string, about?: ResolveErrorAbout);
}
/** An id or a name as it stands in a message: ids are data of any length. */
export declare function quote(id: unknown): string;

// ---- server/delegate.d.ts ----
import type { ExpectOptions, ToolDelegateOptions, WaitOptions } from './delegate-types.js';
/** The calls of one connection that wait for an answer. */
export declare class ToolDelegate {
    #private;
    /** Throws a `TypeError` for a time or limit that is none, and for an unknown option. */
    constructor(options?: ToolDelegateOptions);
    /** The calls that wait now, the oldest first. */
    get waiting(): readonly string[];
    /**
     * Announces a call whose approval is asked for: an answer that comes before `wait` is kept for it. Call it when the
     * request is sent to the browser; an answer to a call that was neither announced nor awaited is refused. Throws a
     * `TypeError` for an unknown option.
     */
    expect(toolCallId: string, options?: ExpectOptions): void;
    /**
     * Waits for the answer to a call. Resolves with its result; rejects with a {@link ToolRejectedError}, with a
     * {@link ToolTimeoutError}, with the signal's reason, or with a `ResolveError`: `already-waiting`, `already-answered` or
     * `too-late` for a call that is over, `malformed-answer` for a permission whose early answer was a result, `closed`.
     */
    wait<RESULT = unknown>(toolCallId: string, options?: WaitOptions): Promise<RESULT>;
    /** As `wait`, but a rejection and a timeout become an {@link ToolErrorResult}, for the tool to return to the model. */
    ask(toolCallId: string, options?: WaitOptions): Promise<unknown>;
    /**
     * The call has a result; `true` gives the permission that is awaited. Throws `missing-call-id`, `unknown-call`,
     * `already-answered`, `too-late`, `closed`, and `malformed-answer` for anything but `true` where a permission is
     * awaited.
     */
    resolve(toolCallId: string, result: unknown): void;
    /** The user said no. Throws as `resolve` does. */
    reject(toolCallId: string, reason?: string): void;
    /**
     * Takes a frame of the WebSocket, parsed or as text; `false` for one that is not a `tool_result`. Throws
     * `missing-result` for an approval without data (the call goes on waiting), but where the permission alone is
     * awaited; `malformed-answer` for one that cannot be read, and for a permission that is not exactly a yes; and as
     * `resolve`.
     */
    receive(frame: unknown): boolean;
    /** The connection is gone: every wait ends with `closed`, and so does every later one. */
    close(reason?: string): void;
}

// ---- server/delegate-types.d.ts ----
/**
 * The public types of `ToolDelegate`. No code.
 */
/** How a `ToolDelegate` behaves. */
export interface ToolDelegateOptions {
    /** How long a call waits, in ms, unless `wait` says otherwise. Default 10 minutes; `Infinity`: for ever. */
    readonly timeoutMs?: number;
    /** How many announced, and how many ended, calls are remembered; the oldest are forgotten. Default 1000. */
    readonly limit?: number;
}
/** What is asked of the browser. */
export interface ExpectOptions {
    /**
     * The tool runs here, and waits for the permission alone: only `approved: true` without a result is a yes, and the
     * wait resolves with `true`. Default `false`: the tool runs in the browser, and an approval without its result is
     * refused.
     */
    readonly permission?: boolean;
}
/** How one call is awaited. */
export interface WaitOptions extends ExpectOptions {
    /** Ends the wait with the signal's reason. */
    readonly signal?: AbortSignal;
    /** How long, in ms; `Infinity`: for ever. Default: the delegate's. */
    readonly timeoutMs?: number;
}
/** The frame by which the browser answers, over the WebSocket. Further fields are ignored. */
export interface ToolResultFrame {
    readonly type: 'tool_result';
    readonly data: {
        readonly toolCallId: string;
        /**
         * `false` rejects the call, whatever else is here. Absent: the result approves, but where a permission is awaited.
         */
        readonly approved?: boolean;
        /** `'rejected'` or `'denied'` reject as well. Beside a permission it may be `'approved'`, and nothing else. */
        readonly status?: string;
        /** Why, of a rejection. */
        readonly reason?: string;
        /** What the tool returned, in the browser. */
        readonly result?: unknown;
    };
}
/** What `errorResult` gives the model. */
export interface ToolErrorResult {
    readonly success: false;
    readonly error: string;
    /** The user said no. */
    readonly denied?: true;
    /** Nobody answered in time. */
    readonly timedOut?: true;
}

// ---- server/delegate-errors.d.ts ----
/**
 * How a tool that waits for the browser ends without a result, and what the model reads then.
 */
import type { ToolErrorResult } from './delegate-types.js';
/** The user said no: the waiting tool did not run, and must not. */
export declare class ToolRejectedError extends Error {
    readonly name = "ToolRejectedError";
    readonly toolCallId: string;
    /** Why, in the user's words, where they gave any. */
    readonly reason: string | undefined;
    /** `reason`: in the user's words. */
    constructor(toolCallId: string, reason?: string);
}
/** Nobody answered in time. */
export declare class ToolTimeoutError extends Error {
    readonly name = "ToolTimeoutError";
    readonly toolCallId: string;
    /** How long the tool waited, in ms. */
    readonly timeoutMs: number;
    /** `timeoutMs`: how long the tool waited. */
    constructor(toolCallId: string, timeoutMs: number);
}
/**
 * What the waiting tool returns to the model when it was rejected or timed out. Anything else is thrown again: it is no
 * answer of the user.
 */
export declare function errorResult(error: unknown): ToolErrorResult;

// ---- server/memory-record.d.ts ----
/**
 * A record in memory: for one process, for tests, and as an example of what a table does.
 */
import type { ApprovalRecord, CallResult, RequestedCall } from './resolve-types.js';
/**
 * The server's record of one chat, as long as the process lives. `add` what is asked for, when its request leaves. Several
 * processes, or one that restarts, need a table: see {@link ApprovalRecord}.
 */
export declare class MemoryRecord implements ApprovalRecord {
    #private;
    /** Notes a request. The input is copied as JSON: what is changed later does not change the record. */
    add(call: RequestedCall): void;
    /** What was noted under this id. */
    get(approvalId: string): RequestedCall | undefined;
    /** `true` for the first who claims the key. */
    claim(key: string): boolean;
    /** Keeps the result of a claimed call, until the process ends. */
    keep(key: string, result: CallResult): void;
    /** The result that was kept; undefined while the call runs, and for a key that nobody claimed. */
    recall(key: string): CallResult | undefined;
}

// ---- server/resolve.d.ts ----
import type { ApprovalStream, ResolvedApprovals, ResolveOptions } from './resolve-types.js';
/**
 * Executes the approved calls of a history, writes its denials, and gives back the messages to send to the model: the AI SDK's
 * `ModelMessage[]` or `UIMessage[]`, or the messages of an Effect prompt. A call that has its result never runs again, and
 * each runs once whatever the history repeats; calls that the model's provider runs are left to it.
 *
 * Rejects with a `ResolveError`, before anything ran: `toolkit-required`, `unknown-tool`, `invalid-signature`,
 * `not-on-record`, `malformed-messages`. With `failureMode: 'throw'` also with `invalid-input`, with `already-started`,
 * and with what a tool threw. Rejects with the reason of an aborted signal. A record that cannot keep a result rejects
 * nothing: see `unrecorded`.
 */
export declare function resolveApprovals<MESSAGE>(messages: readonly MESSAGE[], options?: ResolveOptions): Promise<ResolvedApprovals<MESSAGE>>;
/**
 * As {@link resolveApprovals}, and the page is told meanwhile: `stream` has the AI SDK's chunks for each result as it is
 * there, for `writer.merge` in `createUIMessageStream`; `resolved` has the messages for `streamText`. It begins at once.
 */
export declare function resolveApprovalsStream<MESSAGE>(messages: readonly MESSAGE[], options?: ResolveOptions): ApprovalStream<MESSAGE>;

// ---- server/signature.d.ts ----
import type { RequestedCall } from './resolve-types.js';
/**
 * Signs a request: put it into the `tool-approval-request` as `signature`. 43 letters, digits, `-` and `_`. The input
 * is signed as JSON takes it to the page. Throws a `TypeError` for an empty secret.
 */
export declare function signApproval(call: RequestedCall, secret: string | Uint8Array): Promise<string>;
/**
 * Whether this secret signed exactly this call. A signature has one form: another alphabet, padding or blanks are
 * refused. Never rejects for what a client sent; a `TypeError` for an empty secret.
 */
export declare function verifyApproval(call: RequestedCall, signature: unknown, secret: string | Uint8Array): Promise<boolean>;
/** A digest of a list of texts: 43 letters, digits, `-` and `_`. */
export declare function digestOf(texts: readonly string[]): Promise<string>;

// ======== toolgate/tools ========

// ---- tools/index.d.ts ----
/** `toolgate/tools`: runs tools that live in the page, once their calls may run. No wasm, no gate of its own. */
export { registerTools } from './register-tools.js';
export type * from './tool-types.js';

// ---- tools/register-tools.d.ts ----
import type { BrowserTool, RegisteredTools, RegisterOptions, ToolGateLike } from './tool-types.js';
type Tools = Readonly<Record<string, BrowserTool>>;
/**
 * Runs tools in the browser for a gate: name them in the gate's option `browserTools` too (with a model's own API all
 * tools are), or the server is asked to run them as well. Register them before the chat's first request; calling what
 * is returned ends it. What runs then is aborted, unless its tool is registered again in the same task, as an effect of
 * a framework does: then it goes on, and its events go to the new registration. With `toolgate/persist` only the tab
 * that sends runs tools, and a call is stored as approved before it starts. Throws a `TypeError` for a name that is
 * registered already, and for an unknown option or a value that is none.
 */
export declare function registerTools(gate: ToolGateLike, tools: Tools, options?: RegisterOptions): RegisteredTools;
export {};

// ---- tools/tool-types.d.ts ----
/**
 * The public types of `registerTools`: tools that run in the browser. No code.
 */
import type { GateEvent, GateView, ToolOutput } from '../types/index.js';
/** What `registerTools` uses of a gate: a `ToolGate`, or `gateOf(chat)` of a guarded chat. Its members are described there. */
export interface ToolGateLike {
    getSnapshot(): GateView;
    subscribe(listener: () => void): () => void;
    onEvent(listener: (event: GateEvent) => void): () => void;
    addToolOutput(toolCallId: string, result: ToolOutput): void;
}
/** What a tool gets beside its input. */
export interface BrowserToolContext {
    /** The call that runs. */
    readonly toolCallId: string;
    /** Aborted when the user stops or cancels, when nobody needs the result any more, at the timeout, and at the disposal. */
    readonly signal: AbortSignal;
    /** Tells listeners how far it has come; nothing of it reaches the model. */
    readonly onProgress: (output: unknown) => void;
}
/** A tool that runs in the browser. */
export interface BrowserTool {
    /** Runs a call. What it returns is the result, what it throws the error text; an async iterable tells progress, the last of it is the result. */
    execute(input: never, context: BrowserToolContext): unknown;
    /** What the input is checked against before it runs: a Standard Schema, or a schema of the AI SDK. */
    readonly inputSchema?: unknown;
    /**
     * `false`: the backend never asks the user about it, so it runs as soon as its input is complete. Needed where the reply stays
     * open until the result is there. Default: it runs once approved, or when the reply has ended without asking.
     */
    readonly needsApproval?: boolean;
    /** After how many ms the call fails. Default: never. */
    readonly timeoutMs?: number;
}
/** A call that runs, or is about to. */
export interface BrowserCall {
    readonly toolCallId: string;
    readonly toolName: string;
    /** As the model wrote it. The tool's schema only checks it. */
    readonly input: unknown;
}
/** What happens to calls. Later releases may add types. */
export type BrowserToolEvent = {
    readonly type: 'started';
    readonly toolCallId: string;
    readonly toolName: string;
} | {
    readonly type: 'progress';
    readonly toolCallId: string;
    readonly toolName: string;
    readonly output: unknown;
}
/** `aborted`: the gate was given no result; the call is closed by what aborted it, or with the user's next message. */
 | {
    readonly type: 'ended';
    readonly toolCallId: string;
    readonly toolName: string;
    readonly how: 'executed' | 'failed' | 'aborted';
}
/**
 * The call may have been started before this page knew of it (a reload, another tab), was aborted because its tool
 * was disposed of, or was not started because the user stopped: it is not run. Emitted once for each call. `retry`
 * runs it, `gate.addToolOutput` closes it, and so does the user's next message.
 */
 | {
    readonly type: 'interrupted';
    readonly toolCallId: string;
    readonly toolName: string;
}
/** The gate did not take the result, or the claim failed. */
 | {
    readonly type: 'error';
    readonly toolCallId: string;
    readonly toolName: string;
    readonly error: unknown;
};
/** How tools are run. */
export interface RegisterOptions {
    /** How many calls run at a time. Default: all. */
    readonly concurrency?: number;
    /** Told what happens, progress included: the gate itself shows a call that runs as open. */
    readonly onEvent?: (event: BrowserToolEvent) => void;
    /**
     * Asked right before a call starts; anything but `true` leaves it as interrupted. For apps that store snapshots themselves and
     * must never run a call twice: note the call's id there, and answer `false` for one that is noted. With `toolgate/persist` this
     * is not needed.
     */
    readonly claim?: (call: BrowserCall) => boolean | PromiseLike<boolean>;
}
/**
 * Registered tools. Calling it ends the registration: what runs is aborted and gives the gate no result, unless its
 * tool is registered again in the same task.
 */
export interface RegisteredTools {
    (): void;
    /** The calls that run now, the oldest first. */
    readonly running: readonly string[];
    /** The calls that are open and not run by themselves, in call order: for a button that calls `retry`. */
    readonly interrupted: readonly string[];
    /** Runs one of the `interrupted` calls, because the user says so. Does nothing for any other. */
    retry(toolCallId: string): void;
}
