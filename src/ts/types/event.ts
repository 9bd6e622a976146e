/**
 * The events of `onEvent`, and the repairs that `load` reports. The view already shows every change; events are for
 * logs, tests and side effects.
 */
import type { ToolGateError } from './errors.js';
import type { DataPart, DeliveryState, Outcome, ToolState } from './message.js';
import type { Loss } from './protocol.js';
import type { OutputOf, ToolNameOf, AnyTools } from './typed-tools.js';
import type { DecidedBy } from './view.js';

/** An event of a gate. Later releases may add types: ignore unknown ones. `T`: the app's tools or message type. */
export type GateEvent<T extends AnyTools = AnyTools> =
  | TransitionEvent<ToolNameOf<T>>
  | InputChangedEvent<ToolNameOf<T>>
  | DecisionEvent<ToolNameOf<T>>
  | DeliveryEvent
  | ToolResultEvent<T>
  | AnomalyEvent
  | ReplyFailedEvent
  | StalledEvent
  | LossyEvent
  | PassthroughEvent
  | DataEvent
  | StoppedEvent
  | CrashedEvent;

/** The state of a tool part changed, or its call settled. */
export interface TransitionEvent<NAME extends string = string> {
  readonly type: 'transition';
  readonly toolCallId: string;
  readonly toolName: NAME;
  /** Absent for a new part. */
  readonly from?: ToolState;
  /** The new state. The same as `from` if only the outcome is new. */
  readonly to: ToolState;
  /** The approval request, if this transition made one. */
  readonly approvalId?: string;
  /** How the call settled, if it has. */
  readonly outcome?: Outcome;
}

/**
 * The backend replaced the input, or the tool, of a call whose input was complete. A pending approval applies to the
 * new input from now on: deciding it with the digest of the old one throws `stale-input`.
 */
export interface InputChangedEvent<NAME extends string = string> {
  readonly type: 'input-changed';
  readonly toolCallId: string;
  /** The tool's new name. */
  readonly toolName: NAME;
  /** The call's approval, if one was requested. */
  readonly approvalId?: string;
  /** Whether a decision on the old input is void, because it was not sent. The approval can be decided again. */
  readonly decisionVoid: boolean;
}

/**
 * An approval was decided. Emitted once for each approval request, and again after an `input-changed` event that made
 * the decision void.
 */
export interface DecisionEvent<NAME extends string = string> {
  readonly type: 'decision';
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: NAME;
  readonly approved: boolean;
  /** The reason that was given with the decision. */
  readonly reason?: string;
  /** Who decided. This is not always the user. */
  readonly by: DecidedBy;
}

/** The delivery state of an outgoing item changed. */
export interface DeliveryEvent {
  readonly type: 'delivery';
  /** The item's `Outgoing.id`. */
  readonly id: string;
  /** Absent for a new item. */
  readonly from?: DeliveryState;
  /** `withdrawn`: the item was not sent and will not be sent. */
  readonly to: DeliveryState | 'withdrawn';
  /** 1 for the first attempt, one more for each `retry`. */
  readonly attempt: number;
  /** Why it failed. */
  readonly error?: string;
}

/** A call settled and has its result. With the app's tools as `T`, `toolName` determines the type of `result`. */
export type ToolResultEvent<T extends AnyTools = AnyTools, NAME extends ToolNameOf<T> = ToolNameOf<T>> =
  // Once for each name. The result of a call that was not executed is a text.
  NAME extends string ? ResultOfTool<NAME, OutputOf<T, NAME> | string> : never;

/** The fields of a {@link ToolResultEvent}. */
export interface ResultOfTool<NAME extends string, RESULT> {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: NAME;
  /** How it settled, and why. */
  readonly outcome: Outcome;
  /** The output of an executed call, the error text of a failed one; otherwise the text that the model reads. */
  readonly result: RESULT;
}

/**
 * The backend sent something that contradicts the present state or that the protocol does not allow. Settled calls do
 * not change. The result of another call is applied, because the tool did run: if the call still waited for the user
 * (code `approval-pending`), or if its approval had not been sent yet (`already-decided`). Also emitted if the protocol
 * cannot express a request (`unserializable`): the item is `failed`, and `retry` tries again.
 */
export interface AnomalyEvent {
  readonly type: 'anomaly';
  /** The problem, with the call and the approval concerned. It is not thrown. */
  readonly error: ToolGateError;
}

/** A reply was empty, or ended without results for approved calls. Nothing more is sent automatically. */
export interface StalledEvent {
  readonly type: 'stalled';
  /** The outgoing item that the reply belongs to. Absent if this gate sent no request, as for a resumed reply. */
  readonly id?: string;
  /** The approvals of the approved calls without a result. */
  readonly approvalIds: readonly string[];
}

/**
 * The backend or the host reported an error of a reply: an error event of the stream, or the `error` that was passed to
 * `streamEnded`. Emitted for each such report. `turn.ending` of the view says how the turn ended.
 */
export interface ReplyFailedEvent {
  readonly type: 'reply-failed';
  /** The error in words, as it was reported. Show it as text, never as HTML. */
  readonly error: string;
  /** The `Outgoing.id` of the request, if the host passed it with the report. */
  readonly requestId?: string;
}

/** The protocol cannot express everything that the gate has to send. */
export interface LossyEvent {
  readonly type: 'lossy';
  /** The name of the gate's protocol, or of the protocol that was passed to `assemble`. */
  readonly protocol: string;
  /** The call concerned. Absent if the loss concerns the whole history. */
  readonly toolCallId?: string;
  /** What is lost. Emitted once for each call and loss. */
  readonly loss: Loss;
  /** What is lost, as a sentence for people. */
  readonly detail: string;
}

/** The backend sent an event that Toolgate does not know. The app gets it unchanged. */
export interface PassthroughEvent {
  readonly type: 'passthrough';
  /** The object that was passed to `receive`. */
  readonly event: unknown;
}

/** A data part arrived. Transient ones, which are not added to a message, are included. */
export interface DataEvent {
  readonly type: 'data';
  readonly part: DataPart;
}

/** `stop()` was called: tools that run in the browser for this chat should end. The view may be unchanged. */
export interface StoppedEvent {
  readonly type: 'stopped';
}

/** The state machine failed, or the gate was freed. Nothing more is sent. Restore the last saved snapshot. */
export interface CrashedEvent {
  readonly type: 'crashed';
  /** The error that every method throws from now on, with its `cause`. */
  readonly error: ToolGateError;
}

/** The repairs that `load` made. */
export interface RepairReport {
  /** The repairs, in the order in which they were made. Empty for a valid history. */
  readonly repairs: readonly Repair[];
}

/** One repair that `load` made. */
export interface Repair {
  /** What was wrong, for programs. */
  readonly code: RepairCode;
  /** The call concerned. Absent if the repair concerns a message or other content. */
  readonly toolCallId?: string;
  /** What was wrong and how it was repaired, as a sentence for people. */
  readonly detail: string;
}

/**
 * What was wrong with a loaded history. Later releases may add codes.
 * - `duplicate-call`: a call or its result occurred more than once; the copy that had progressed furthest was kept
 * - `missing-state`: a tool part had a missing or unknown state, or one that contradicts its fields; it was inferred
 * - `missing-approval`: a denied call had no approval with the denial; one was added
 * - `stale-approval`: an approval was pending although a later step or message follows; its call was closed
 * - `unanswered-call`: a call had no result although a later step or message follows; it was closed
 * - `incomplete-input`: the input of a call was incomplete; the call is omitted from model messages
 * - `malformed`: a message or part could not be read; it was omitted
 * - `duplicate-message`: two messages had one id; repeated content was omitted, the rest got a new id
 * - `duplicate-approval`: two calls had the same approval, or it was requested or answered twice; the first one counts
 * - `denied-output`: a denied call had an output; the denial counts, and the output was omitted
 * - `orphaned`: a request, response or result was separate from its call; it was moved there, or omitted without a call
 * - `invalid-value`: a value had the wrong type, or its call's state does not allow it; it was omitted or replaced
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
