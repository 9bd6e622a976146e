/**
 * The options of a gate, and the arguments of its methods. No code.
 */
import type { GateMessage, Outcome, OutcomeKind, ToolPart } from './message.js';
import type { Protocol } from './protocol.js';
import type { PendingApproval, RememberedDecision } from './view.js';

/** How a gate behaves. Every option may be left out. */
export interface ToolGateOptions {
  /** The backend's wire format, such as `acp` from `toolgate/protocols/acp`. Default `'ai-sdk'`, which is built in. */
  readonly protocol?: 'ai-sdk' | Protocol;
  /** The chat's id, as the backend gets it. Default: generated. */
  readonly chatId?: string;
  /** One call of a step was denied: what becomes of the others? Default `'continue'`. */
  readonly onDeny?: OnDeny;
  /** The user writes while approvals are pending: what becomes of these? Default `'deny-pending'`. */
  readonly onUserMessage?: OnUserMessage;
  /** After how many ms an unanswered approval expires, unless the backend says. Default: never. */
  readonly approvalTimeoutMs?: number;
  /**
   * Which calls the user is asked about, on protocols that have no approvals of their own. Default: all of them; with
   * `vscode`, which asks by itself, none. The approval's id is the call's.
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
  /**
   * Who keeps the history. With `'server'`, requests carry only what is new. Default: what the protocol does; what else it
   * can be is in its `capabilities.historyChoices`.
   */
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
  readonly outcome: Outcome & { readonly kind: Exclude<OutcomeKind, 'executed' | 'failed'> };
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

/** Which request an event or ending is the reply to. Without it, the one that is in flight. */
export interface ReplyTo {
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

/** Which approval a decision is about: an entry of `pending` or the tool part, as it was shown, or the id of an approval. */
export type ApprovalTarget = string | PendingApproval | ToolPart;

/** The user's decision about one approval: see `respond`. */
export interface Decision {
  /** `true` lets the call run; only that does. */
  readonly approved: boolean;
  /** Why; the model can read it where the protocol has a place for it. */
  readonly reason?: string;
  /** The input to run instead. Throws `edit-unsupported` where the backend cannot take one. */
  readonly input?: unknown;
  /** The digest of the input the user saw, from `PendingApproval`. Throws `stale-input` if it is not the call's. */
  readonly inputDigest?: string;
  /** Decides later calls too; not beside another `input`. Default `'once'`: this one only. */
  readonly remember?: Remember;
}

/** One decision for many approvals: see `respondAll`. */
export interface DecisionForAll {
  /** `true` lets the calls run. */
  readonly approved: boolean;
  /** Why; the model can read it with each of them, where the protocol has a place for it. */
  readonly reason?: string;
  /** Which of the pending approvals. Default: all. */
  readonly where?: (approval: PendingApproval) => boolean;
}

/** For how long a decision holds, and for what. A plain word means the very same input only. */
export type Remember =
  | 'once'
  | 'chat'
  | 'always'
  | {
      /** `chat`: as long as this chat. `always`: the app carries it to other chats, by the option `remembered`. */
      readonly for: 'chat' | 'always';
      /** `input`: calls with this very input. `tool`: every call of the tool, whatever its input. */
      readonly scope: 'input' | 'tool';
      /** From when on it holds no longer, in ms since 1970. Default: never. */
      readonly expiresAt?: number;
    };

/** What a browser tool returned, or why it failed, in words that the model reads: see `addToolOutput`. */
export type ToolOutput = { readonly output: unknown } | { readonly errorText: string };

/** What `sendUserMessage` understands: a text, or an AI SDK user message with or without an id. */
export type UserMessage =
  | { readonly text: string; readonly metadata?: unknown }
  | (Omit<GateMessage, 'id' | 'role'> & { readonly id?: string; readonly role?: 'user' });
