/**
 * What a gate shows: the view that a UI renders, and the lists of what waits, leaves, failed, is remembered or was
 * recorded. All of it is derived and read-only; what did not change is the same object as before (`===`).
 */
import type { JSONValue, GateMessage, Outcome, DeliveryState, ToolState } from './message.js';
import type { ToolGateErrorCode } from './errors.js';

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
  /** Requests that need the user, oldest first: they failed, stalled or may not have arrived. */
  readonly undelivered: readonly Undelivered[];
  /** The decisions that answer later calls too, oldest first. */
  readonly remembered: readonly RememberedDecision[];
  /** The state of the current turn. */
  readonly turn: TurnView;
}

/**
 * What the chat is doing.
 * - `idle`: nothing is on its way, and nothing waits for the user but the next message
 * - `submitted`: a request left, and its reply has not begun
 * - `streaming`: a reply is arriving
 * - `awaiting-approval`: the next step is the user's answer
 * - `stalled`: the backend left approved calls without a result, or sent nothing at all; see `undelivered`
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
export type WaitingFor =
  | { readonly kind: 'user'; readonly approvalIds: readonly string[] }
  | { readonly kind: 'tool'; readonly toolCallIds: readonly string[] }
  | { readonly kind: 'host' | 'retry' | 'cancel'; readonly ids: readonly string[] }
  | { readonly kind: 'reply' | 'rewrite' | 'resume' };

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
  /** Whether an approval can carry another `input`: some protocols have a place for one, some only in some requests. */
  readonly editable: boolean;
  /** When the request arrived, in ms since 1970, by the gate's clock. */
  readonly requestedAt: number;
  /** When it expires, in ms since 1970. Absent: never. */
  readonly expiresAt?: number;
}

/** Something to send to the backend. `BODY` depends on the protocol: see `AiSdkBody`. */
export interface Outgoing<BODY = unknown> {
  /** What `claim`, `markSent`, `markFailed` and `retry` take, and `ReplyTo.requestId`. */
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
} & (
  | {
      /** A call went from one state to another, or was named for the first time. */
      readonly type: 'transition';
      readonly toolCallId: string;
      readonly toolName: string;
      /** Absent for a call that is new. */
      readonly from?: ToolState;
      readonly to: ToolState;
    }
  | {
      /** The user was asked, by the backend or by `needsApproval`. */
      readonly type: 'requested';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly toolName: string;
    }
  | {
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
    }
  | {
      /** A call has its result, or will never have one. */
      readonly type: 'settled';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly outcome: Outcome;
    }
  | {
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
    }
  | {
      /** Something arrived that contradicts what is known. It changed nothing, unless the message says so. */
      readonly type: 'anomaly';
      readonly code: ToolGateErrorCode;
      readonly message: string;
      readonly toolCallId?: string;
      readonly approvalId?: string;
    }
);

declare const snapshotBrand: unique symbol;

/**
 * Everything a gate knows, as plain JSON: what `toJSON()` returns and `ToolGate.restore` takes. Store it, send it,
 * but do not read or change it: only `version` keeps its meaning, and a checksum finds what was changed. The order of
 * keys may change.
 */
export type SavedGate = {
  /** The version of the format. A gate refuses other ones with `bad-snapshot`. */
  readonly version: number;
  readonly [key: string]: JSONValue | undefined;
} & { readonly [snapshotBrand]: true };
