/**
 * The view that a UI renders, with its lists, and the entries of the audit log. All of it is derived and read-only.
 * Unchanged values are the same object as before (`===`).
 */
import type { JSONValue, GateMessage, Outcome, DeliveryState, ToolState } from './message.js';
import type { ToolGateErrorCode } from './errors.js';
import type { InputOf, ToolNameOf, AnyTools } from './typed-tools.js';

/** A queued user message. */
export type QueuedMessage<T extends AnyTools = AnyTools> = GateMessage<T> & {
  /** The delivery state of its request, if the message is sent while approvals stay pending. */
  readonly delivery?: DeliveryState;
};

/** The return value of `getSnapshot()`: everything that a chat UI shows. `T`: the app's tools or message type. */
export interface GateView<T extends AnyTools = AnyTools> {
  /** Increases with every change. */
  readonly revision: number;
  /** What the chat is doing, for a send button, a spinner and the approval UI. */
  readonly status: GateStatus;
  /** The transcript. The array type is mutable only to be assignable to AI SDK messages: do not mutate it. */
  readonly messages: GateMessage<T>[];
  /**
   * User messages that are not part of a request yet, oldest first; with `onUserMessage: 'pass'` also those that were
   * sent while approvals were pending, until the reply that waits for these has ended.
   */
  readonly queued: readonly QueuedMessage<T>[];
  /** The approvals that can be decided now, in call order. */
  readonly pending: readonly PendingApproval<T>[];
  /** Requests that need the user because they failed, stalled or may not have arrived. Oldest first. */
  readonly undelivered: readonly Undelivered[];
  /** Decisions that apply to later calls too, oldest first. */
  readonly remembered: readonly RememberedDecision[];
  /** The state of the current turn. */
  readonly turn: TurnView;
}

/**
 * What the chat is doing.
 * - `idle`: no request is in flight; the user may write the next message
 * - `submitted`: a request was sent, and its reply has not begun
 * - `streaming`: a reply is arriving
 * - `awaiting-approval`: approvals wait for the user
 * - `stalled`: the reply was empty or ended without results for approved calls; see `undelivered`
 * - `crashed`: the state machine failed, or the gate was freed; nothing more is sent
 */
export type GateStatus = 'idle' | 'submitted' | 'streaming' | 'awaiting-approval' | 'stalled' | 'crashed';

/** The current turn: everything from one user message to the next. */
export interface TurnView {
  /**
   * - `open`: the turn continues
   * - `done`: it finished, and waits for nothing
   * - `incomplete`: `ending` is not `finished`, and completed steps or calls are kept
   * - `error`: `ending` is not `finished`, and no step or call was completed
   * - `stalled`: as in `GateStatus`
   */
  readonly status: 'open' | 'done' | 'incomplete' | 'error' | 'stalled';
  /** How the turn ended. Absent until then. */
  readonly ending?: TurnEnding;
  /** The number of calls of the last step that wait for a decision. */
  readonly undecided: number;
  /** The number of calls of the last step that were decided. */
  readonly decided: number;
  /**
   * Who must act before the chat can continue. Empty if only the user's next message is awaited, or after a crash.
   */
  readonly waitingFor: readonly WaitingFor[];
  /**
   * The place of the current step in the last message: the index of its first part, or the number of all parts if
   * no step has begun. `callsOfStep(view)` lists its calls. Except for the requests of a backend that waits for an
   * answer to each, only these can still be decided or run.
   */
  readonly stepStart: number;
  /**
   * The ids of the calls of the step that the page may run now, in call order: calls of `browserTools`, once they are
   * approved, or the reply has ended and can no longer request an approval. `registerTools` runs them.
   */
  readonly runnable: readonly string[];
}

/**
 * Who must act before the chat can continue, and on what:
 * - `user`: approvals wait for `respond`
 * - `tool`: calls of browser tools wait for `addToolOutput`
 * - `host`: items of `outgoing()` wait to be claimed and sent. In a follower tab, the leader sends them
 * - `reply`: the reply is awaited or arriving; the user can `stop()` it
 * - `rewrite`: a `rewriteResult` is pending
 * - `resume`: decisions are held, after `stop()` or a reply that ended badly, until `resume()`, or until
 *   `cancel(reason, { approvalId })` closes the approvals; or, where the client posts the conversation, `resume()`
 *   continues a reply that reached a step limit or paused
 * - `retry`: items of `undelivered()` can be sent again with `retry`, or given up with `cancel(reason, { id })`
 * - `cancel`: items of `undelivered()` cannot be sent again safely; give them up with `cancel(reason, { id })` or a new
 *   message
 */
export type WaitingFor =
  | { readonly kind: 'user'; readonly approvalIds: readonly string[] }
  | { readonly kind: 'tool'; readonly toolCallIds: readonly string[] }
  | { readonly kind: 'host' | 'retry' | 'cancel'; readonly ids: readonly string[] }
  | { readonly kind: 'reply' | 'rewrite' | 'resume' };

/** How a turn ended. `failed`: an error of the API or the stream. `interrupted`: by the user. */
export type TurnEnding = 'finished' | 'failed' | 'empty' | 'step-limit' | 'interrupted' | 'disconnected';

/**
 * An approval that the user can decide now. With the app's tools or message type as `T`, `toolName` determines the type
 * of `input`, and `PendingApproval<T, 'deleteFile'>` is an approval of that tool.
 */
export type PendingApproval<T extends AnyTools = AnyTools, NAME extends ToolNameOf<T> = ToolNameOf<T>> =
  // Once for each name.
  NAME extends string ? ApprovalOfTool<NAME, InputOf<T, NAME>> : never;

/** The fields of a {@link PendingApproval}. */
export interface ApprovalOfTool<NAME extends string, INPUT> {
  /** The approval's id, which `respond` takes. It is not the tool call's id. */
  readonly approvalId: string;
  /** The id of the call that needs approval: the `toolCallId` of its part. */
  readonly toolCallId: string;
  /** The tool's name, without the prefix `tool-`. */
  readonly toolName: NAME;
  /** The call's input, as the model wrote it. It is frozen, and has not been validated. */
  readonly input: INPUT;
  /**
   * SHA-256 of the input, in hex. Pass it to `respond` to bind the decision to this input. Empty for an input that
   * JSON cannot express (a Map, a class instance): a decision cannot be bound to it.
   */
  readonly inputDigest: string;
  /**
   * Changes with what else is shown of the request: its title, its options and other fields of the backend. Pass it to
   * `respond` to refuse a decision on outdated ones.
   */
  readonly shownRevision: string;
  /** Whether an approval can carry an edited `input`. This depends on the protocol and on the request. */
  readonly editable: boolean;
  /** `false`: decisions about this tool are never remembered (option `neverRemember`). Absent: they can be. */
  readonly rememberable?: false;
  /** When the request arrived, in ms since 1970, by the gate's clock. */
  readonly requestedAt: number;
  /** When the request expires, in ms since 1970. Absent: never. */
  readonly expiresAt?: number;
  /** With `expiresAt`: whether `extend` can give the user more time. `false` for a deadline of the backend. */
  readonly extendable?: boolean;
}

/** An item to send to the backend. `BODY` depends on the protocol, such as `AiSdkBody`. */
export interface Outgoing<BODY = unknown> {
  /** The item's id, for `claim`, `markSent`, `markFailed`, `retry` and `ReplyTo.requestId`. */
  readonly id: string;
  /** The idempotency key. The same decisions have the same key, also in another tab and on a retry. */
  readonly key: string;
  /** `submission`: the conversation, with decisions. `answer`: a single decision. */
  readonly kind: 'submission' | 'answer';
  /** The approvals whose decisions the item carries. */
  readonly approvalIds: readonly string[];
  /**
   * The request body that the protocol's own client would send, ready for `JSON.stringify`. A message that has not
   * changed is the same object in the next body, so copy a message before you change it.
   */
  readonly body: BODY;
  /** 1 for the first attempt, one more for each `retry`. */
  readonly attempt: number;
}

/** An outgoing item without its body. */
export type OutgoingHead = Omit<Outgoing, 'body'>;

/** The `Outgoing.body` of the protocol `ai-sdk`. */
export interface AiSdkBody {
  /** The chat's id. */
  readonly id: string;
  /** The whole history, including the decisions of the step. */
  readonly messages: GateMessage[];
  /** `regenerate-message` after `regenerate()`, otherwise `submit-message`. */
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** The message to replace or continue. */
  readonly messageId?: string;
}

/** An outgoing item that needs the user: `retry(id)` sends it again, `cancel()` abandons it. */
export interface Undelivered {
  /** The item's id, which `retry` takes. */
  readonly id: string;
  /** The idempotency key, the same on every attempt. */
  readonly key: string;
  /** `submission`: the conversation, with decisions. `answer`: a single decision. */
  readonly kind: 'submission' | 'answer';
  /** The approvals whose decisions the item carries. */
  readonly approvalIds: readonly string[];
  /** The number of attempts so far. */
  readonly attempt: number;
  /** `stalled`: the backend replied, but its reply lacks results of approved calls that the item carried. */
  readonly delivery: 'failed' | 'unconfirmed' | 'stalled';
  /** The error that was passed to `markFailed`. */
  readonly error?: string;
}

/**
 * Who decided. `user`: the user, with `respond`. `remembered`: an earlier decision of the user. `policy`: an option
 * about denials, user messages or deadlines. `backend`: the backend's own policy.
 */
export type DecidedBy = 'user' | 'remembered' | 'policy' | 'backend';

/** A decision that applies to later calls too, until `forget(id)`. */
export interface RememberedDecision {
  /** The decision's id, which `forget` takes. */
  readonly id: string;
  /** The tool whose calls it applies to. */
  readonly toolName: string;
  /** Whether it approves or denies them. */
  readonly approved: boolean;
  /** The user's reason for a remembered denial. */
  readonly reason?: string;
  /** `chat`: for this chat. `always`: also for other chats, to which the app passes it. */
  readonly for: 'chat' | 'always';
  /** `input`: calls with the same input. `tool`: every call of the tool, with any input. */
  readonly scope: 'input' | 'tool';
  /** With scope `input`: the digest of that input. */
  readonly inputDigest?: string;
  /** When the user decided, in ms since 1970. */
  readonly decidedAt: number;
  /** When the decision stops applying, in ms since 1970. Absent: never. */
  readonly expiresAt?: number;
}

/** An entry of `auditLog()`, as plain JSON. */
export type AuditEntry = {
  /** The time of the entry in ms since 1970, by the gate's clock. */
  readonly at: number;
} & (
  | {
      /** A call changed its state, or is new. */
      readonly type: 'transition';
      readonly toolCallId: string;
      readonly toolName: string;
      /** Absent for a new call. */
      readonly from?: ToolState;
      readonly to: ToolState;
    }
  | {
      /**
       * The backend or the gate (`needsApproval`) requested an approval, or the backend changed a pending call's input.
       */
      readonly type: 'requested';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      /** SHA-256 of the input that is shown: the `inputDigest` of its `PendingApproval`. Absent if that is empty. */
      readonly inputDigest?: string;
    }
  | {
      /** An approval was decided. */
      readonly type: 'decided';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly approved: boolean;
      readonly reason?: string;
      readonly by: DecidedBy;
      /**
       * SHA-256 of the input that was decided about: the `inputDigest` of its `PendingApproval`. Absent if that is
       * empty.
       */
      readonly inputDigest?: string;
      /** SHA-256 of the input that the user passed instead. */
      readonly editedInputDigest?: string;
    }
  | {
      /** A call settled. */
      readonly type: 'settled';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly outcome: Outcome;
    }
  | {
      /** The delivery state of an outgoing item changed. */
      readonly type: 'delivery';
      /** The item's id. Empty for a reply that this gate did not request. */
      readonly id: string;
      /** The item's idempotency key, which a server's log can have too. */
      readonly key: string;
      readonly approvalIds: readonly string[];
      readonly to: DeliveryState | 'stalled' | 'withdrawn';
      readonly attempt: number;
      /** Why it failed. */
      readonly error?: string;
    }
  | {
      /** An event contradicted the present state. It changed nothing, unless the message says otherwise. */
      readonly type: 'anomaly';
      readonly code: ToolGateErrorCode;
      readonly message: string;
      readonly toolCallId?: string;
      readonly approvalId?: string;
    }
);

declare const snapshotBrand: unique symbol;

/**
 * The state of a gate as plain JSON. `toJSON()` returns it and `ToolGate.restore` takes it. Store it or send it, but do
 * not read or change it: only `version` has a stable meaning, and a checksum detects changes. The order of keys is not
 * significant.
 */
export type SavedGate = {
  /** The version of the format. A gate refuses other versions with `bad-snapshot`. */
  readonly version: number;
  readonly [key: string]: JSONValue | undefined;
} & { readonly [snapshotBrand]: true };
