/**
 * The options of a gate, and the arguments of its methods. No code.
 */
import type { FilePart, GateMessage, Outcome, OutcomeKind, TextPart, ToolPart } from './message.js';
import type { Protocol } from './protocol.js';
import type { AnyTools } from './typed-tools.js';
import type { PendingApproval, RememberedDecision } from './view.js';

/** The options of a gate. All are optional. */
export interface ToolGateOptions<P extends Protocol = Protocol> {
  /** The backend's wire format, such as `acp` from `toolgate/protocols/acp`. Default `'ai-sdk'`, which is built in. */
  readonly protocol?: 'ai-sdk' | P;
  /** The chat's id, which requests carry. Default: generated. */
  readonly chatId?: string;
  /** What a denial does to the other calls of its step. Default `'continue'`. */
  readonly onDeny?: OnDeny;
  /** What a user message does to pending approvals. Default `'deny-pending'`. */
  readonly onUserMessage?: OnUserMessage;
  /** Expires an undecided approval after this many ms, unless the backend sets a deadline. Default: never. */
  readonly approvalTimeoutMs?: number;
  /**
   * Whether a call that the page runs needs approval: calls of `browserTools` and, with a model's own API such as
   * `openaiChat`, all. The gate asks the user itself, with the call's id as the approval's id; the backend gets the
   * result only. Default: calls of a model's own API do, others not; with `vscode`, which asks the user itself, none.
   * Without `browserTools`, the other protocols throw a `TypeError`.
   */
  readonly needsApproval?: (call: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }) => boolean;
  /**
   * The tools that run in the browser: their calls wait for `addToolOutput`. With a model's own API, all calls do.
   * Calls of other tools are the server's: one without a result holds nothing up once its reply has ended. Without this
   * option, such a call is the browser's if the protocol has the AI SDK's format.
   */
  readonly browserTools?: readonly string[];
  /** Replacements for the result texts that Toolgate writes. */
  readonly texts?: Partial<GateTexts>;
  /** Rewrites each result that Toolgate writes, denials included, before it is sent. Requests wait for it. */
  readonly rewriteResult?: (result: SynthesizedResult) => string | Promise<string>;
  /** Decisions remembered in other chats, as `remembered()` lists them: those for `'always'`, for example. */
  readonly remembered?: readonly RememberedDecision[];
  /**
   * The tools whose decisions are never remembered. `respond` throws a `TypeError` for `remember`, decisions in
   * `remembered` or in a snapshot are dropped, and the cards offer no choice.
   */
  readonly neverRemember?: readonly string[];
  /** The clock, in ms since 1970. Default `Date.now`. Deadlines use it too. */
  readonly now?: () => number;
  /**
   * Where the history is stored. With `'server'`, requests carry only new messages and decisions. The protocol's
   * `capabilities` have the default (`history`) and the allowed values (`historyChoices`).
   */
  readonly history?: 'client' | 'server';
  /** The maximum number of entries in `auditLog()`. Default 1000; 0 disables the log. */
  readonly logLimit?: number;
  /** Returns a unique id for each message that Toolgate creates. Default: random ids. */
  readonly generateId?: () => string;
}

/** The options of `ToolGate.restore`: those of a gate, and one more. */
export interface RestoreOptions<P extends Protocol = Protocol> extends ToolGateOptions<P> {
  /**
   * What to do with a turn whose `status` is `incomplete`, `error` or `stalled`. `'keep'` (default) keeps its messages
   * for the next request; `'drop'` removes everything after the user's message.
   */
  readonly incompleteTurn?: 'keep' | 'drop';
}

/**
 * What a denial does to the other calls of its step.
 * - `continue`: nothing; each call is decided separately
 * - `skip-rest`: skips undecided calls; the model continues
 * - `end-turn`: skips undecided calls and unsent approvals; nothing is sent until the next user message
 * - `by-reason`: `end-turn` for a denial without a reason, `skip-rest` for one with a reason
 */
export type OnDeny = 'continue' | 'skip-rest' | 'end-turn' | 'by-reason';

/**
 * What a user message does to pending approvals.
 * - `deny-pending`: denies them with a reason that the model can read
 * - `cancel-pending`: cancels them
 * - `queue`: queues the message until they are decided
 * - `block`: `sendUserMessage` throws `message-blocked`
 * - `pass`: sends the message at once, and they stay pending. Only with protocols whose backend accepts that
 *   (`capabilities.messageWhilePending`)
 */
export type OnUserMessage = 'deny-pending' | 'cancel-pending' | 'queue' | 'block' | 'pass';

/** The result texts of calls whose tool returned no result. A reason is appended if there is one. */
export interface GateTexts {
  /** Default `Error: Tool execution was denied by user.` */
  readonly denied: string;
  /** Default `Error: Tool execution was skipped due to previous tool denial.` */
  readonly skipped: string;
  /** The user cancelled the work. */
  readonly cancelled: string;
  /** The approval got no decision in time. */
  readonly expired: string;
  /** The call was closed before it ran. */
  readonly interrupted: string;
  /** The call was closed and may have run. The text must say that the outcome is unknown. */
  readonly mayHaveRun: string;
  /** The reason given for calls that `deny-pending` denies. */
  readonly denyPending: string;
}

/** A result that Toolgate is about to write: the argument of `rewriteResult`. */
export interface SynthesizedResult {
  /** The call that gets the result. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** The call's input, as the model wrote it. */
  readonly input: unknown;
  /** Why the tool returned no result. */
  readonly outcome: Outcome & { readonly kind: Exclude<OutcomeKind, 'executed' | 'failed'> };
  /** The text that is written unless `rewriteResult` returns another one. */
  readonly text: string;
}

/** How a stream ended, as the transport observed it. */
export interface StreamEnd {
  /** `aborted`: by the user. `disconnected`: connection lost. `step-limit`: the backend reached its step limit. */
  readonly status: 'finished' | 'error' | 'aborted' | 'disconnected' | 'step-limit';
  /** The error message. A `reply-failed` event has it. */
  readonly error?: string;
}

/** The request that an event or a stream end replies to. Default: the request in flight. */
export interface ReplyTo {
  /** The `Outgoing.id` of the request. */
  readonly requestId?: string;
  /** The `Outgoing.attempt` of the request, so that a late end of attempt 1 does not end attempt 2. */
  readonly attempt?: number;
  /**
   * The event belongs to a stream that the host reconnected to. `'start'`: the stream repeats the reply from its
   * `start`, and repeated content is not added again. `'offset'`: it continues after the last event that arrived.
   */
  readonly reconnect?: 'start' | 'offset';
}

/** The approval to decide: an entry of `pending` or the tool part, as it was shown, or an approval id. */
export type ApprovalTarget = string | PendingApproval | ToolPart;

/** The input of an {@link ApprovalTarget}. */
export type InputOfTarget<TARGET extends ApprovalTarget> = TARGET extends { readonly input: infer INPUT }
  ? INPUT
  : unknown;

/** The user's decision about one approval: an argument of `respond`. */
export interface Decision<INPUT = unknown> {
  /** Only `true` lets the call run. */
  readonly approved: boolean;
  /** The reason. The model can read it if the protocol can send one. */
  readonly reason?: string;
  /** An edited input to run instead. `respond` throws `edit-unsupported` if the backend cannot receive one. */
  readonly input?: INPUT;
  /** The digest of the input that the user saw. `respond` throws `stale-input` if the call has another input now. */
  readonly inputDigest?: string;
  /** The `shownRevision` that the user saw. `respond` throws `stale-shown` if the request has another one now. */
  readonly shownRevision?: string;
  /** Applies the decision to later calls too. Not allowed with `input`. Default `'once'`: this call only. */
  readonly remember?: Remember;
}

/** What `cancel` is limited to. Anything else stays as it is. */
export interface CancelOnly {
  /** An approval that was given and not sent: one that is held, for example. Its call will not run. */
  readonly approvalId?: string | undefined;
  /** An item of `undelivered()`. Its approved calls may have run. */
  readonly id?: string | undefined;
}

/** One decision about many approvals: the argument of `respondAll`. */
export interface DecisionForAll<T extends AnyTools = AnyTools> {
  /** `true` lets the calls run. */
  readonly approved: boolean;
  /** The reason. The model can read it with each call if the protocol can send one. */
  readonly reason?: string;
  /** Selects pending approvals. Default: all. */
  readonly where?: (approval: PendingApproval<T>) => boolean;
}

/** How long a decision applies, and to which calls. `'chat'` and `'always'` alone: to calls with the same input. */
export type Remember =
  | 'once'
  | 'chat'
  | 'always'
  | {
      /** `chat`: this chat. `always`: also other chats, to which the app passes the decision as option `remembered`. */
      readonly for: 'chat' | 'always';
      /** `input`: calls with the same input. `tool`: every call of the tool, with any input. */
      readonly scope: 'input' | 'tool';
      /** When the decision stops applying, in ms since 1970. Default: never. */
      readonly expiresAt?: number;
    };

/**
 * The result of a browser tool: its output; or texts, images and other files, as in a message; or an error text that
 * the model reads. An argument of `addToolOutput`. The model sees files if the protocol can send them in a result.
 */
export type ToolOutput =
  | { readonly output: unknown }
  | { readonly content: readonly (TextPart | FilePart)[] }
  | { readonly errorText: string };

/** The argument of `sendUserMessage`: a text, or an AI SDK user message with or without an id. */
export type UserMessage =
  | { readonly text: string; readonly metadata?: unknown }
  | (Omit<GateMessage, 'id' | 'role'> & { readonly id?: string; readonly role?: 'user' });
