/**
 * What a gate reports as it happens: the events of `onEvent`, and what `load` says about a history it had to mend.
 * The view already shows every change; events are for logs, tests and reactions.
 */
import type { ToolGateError } from './errors.js';
import type { DataPart, DeliveryState, Outcome, ToolState } from './message.js';
import type { Loss } from './protocol.js';
import type { DecidedBy } from './view.js';

/** Anything a gate reports. Later releases may add types: ignore those you do not know. */
export type GateEvent =
  | TransitionEvent
  | DecisionEvent
  | DeliveryEvent
  | ToolResultEvent
  | AnomalyEvent
  | StalledEvent
  | LossyEvent
  | PassthroughEvent
  | DataEvent
  | StoppedEvent
  | CrashedEvent;

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
  /** The name of the gate's protocol, or of the one that `assemble` was asked for. */
  readonly protocol: string;
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
export type RepairCode =
  | 'duplicate-call'
  | 'missing-state'
  | 'stale-approval'
  | 'missing-approval'
  | 'unanswered-call'
  | 'incomplete-input'
  | 'malformed'
  | 'duplicate-message'
  | 'duplicate-approval'
  | 'orphaned'
  | 'denied-output'
  | 'invalid-value';
