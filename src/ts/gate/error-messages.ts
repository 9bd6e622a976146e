/**
 * The messages of errors and repairs. The core decides what it refuses or repairs and returns a number for each case;
 * this file has the sentence for each number.
 */
import { CODE, REPAIR_CODE } from '../../../target/bindgen/enums.js';
import * as Input from '../../../target/bindgen/input.js';
import * as RefusalReason from '../../../target/bindgen/refusal-reason.js';
import { omitUndefined } from '../json/omit-undefined.js';
import { ToolGateError, type ToolGateErrorCode } from '../types/errors.js';
import { nameOf, type HandleTable } from '../wasm/handle-table.js';
import type { Repair, RepairCode } from '../types/index.js';

/** A refusal as `src/wasm/events.rs` writes it. */
export interface CoreRefusal {
  /** The index in the Rust enum `Code`. */
  readonly code: number;
  readonly why: RefusalReason.RefusalReason;
  readonly toolCallId?: string;
  readonly approvalId?: string;
  readonly state?: string;
  /** For a contradiction: the index in the Rust enum `Input`. */
  readonly cause?: number;
  /** For a malformed event: the core's numbers for the names of its type and of the invalid property. */
  readonly detail?: number;
  readonly key?: number;
}

/** An id in quotes, shortened: a very long id must not produce a very long message. */
const quoted = (id: string | undefined): string =>
  JSON.stringify((id ?? '').length > 120 ? `${id?.slice(0, 120)}…` : (id ?? ''));

/** The message of each refusal. `call` and `approval` are ids in quotes. */
const MESSAGES: Readonly<
  Record<RefusalReason.RefusalReason, (call: string, approval: string, refusal: CoreRefusal) => string>
> = {
  [RefusalReason.NoApproval]: (_, approval) =>
    `No approval has the id ${approval}. Use the approvalId of an entry of pending().`,
  [RefusalReason.CallForApproval]: (call, approval) =>
    `${call} is the id of a tool call, not of an approval. ` +
    (approval === '""' ? 'The call has no approval request.' : `Its approval id is ${approval}.`),
  [RefusalReason.Closed]: (_, approval) => `Approval ${approval} was superseded. Decide an entry of pending().`,
  [RefusalReason.Decided]: (_, approval, { state }) =>
    `Approval ${approval} was already decided the other way (${state}) and cannot be changed.`,
  [RefusalReason.Withdrawn]: (_, approval, { state }) =>
    `Approval ${approval} was withdrawn: its call settled (${state}). Decide an entry of pending().`,
  [RefusalReason.Automatic]: (_, approval) => `Approval ${approval} is decided by the backend.`,
  [RefusalReason.Stale]: (call, approval) =>
    `Approval ${approval} was decided for an input that call ${call} no longer has. ` +
    'Show the current input and ask again.',
  [RefusalReason.NoCall]: (call) => `No tool call has the id ${call}. Use the toolCallId of a part.`,
  [RefusalReason.OutputUnasked]: (call) => `Call ${call} waits for the user. Decide its approval first.`,
  [RefusalReason.OutputEarly]: (call, _, { state }) =>
    `Call ${call} does not accept an output now (${state}). Wait until its input or output is complete.`,
  [RefusalReason.OutputLate]: (call, _, { state }) => `Call ${call} already settled (${state}) and keeps its result.`,
  [RefusalReason.Blocked]: () => 'Approvals are pending, and `onUserMessage` is "block". Decide or cancel them first.',
  [RefusalReason.UnderWay]: () => 'A request is in flight. Stop it, or wait until its reply ends.',
  [RefusalReason.NoMessage]: () => 'Unknown message id. Use an id from `getSnapshot().messages`.',
  [RefusalReason.NoItem]: () => 'Unknown item id. Use an id from outgoing() or undelivered().',
  [RefusalReason.NotUndelivered]: () => 'This item cannot be sent again. Only items of undelivered() can.',
  [RefusalReason.Unnamed]: (call) =>
    `The backend referred to unknown tool call ${call}. It must send the tool name and input first.`,
  [RefusalReason.ForeignApproval]: (call, approval) =>
    `Ignored a request for approval ${approval} of call ${call}: that approval belongs to another call.`,
  [RefusalReason.ClosedApproval]: (_, approval) =>
    `Ignored a repeated request for approval ${approval}: that approval is no longer pending.`,
  [RefusalReason.NeverAsked]: (_, approval) =>
    `Ignored a response to approval ${approval}: that approval was never requested.`,
  [RefusalReason.Contradiction]: contradiction,
  [RefusalReason.PastStep]: (call, approval) =>
    `Ignored a request for approval ${approval} of call ${call}: a later step or message follows that call.`,
  [RefusalReason.Malformed]: (_, __, { detail, key }) => {
    const [type, property] = [nameOf(detail ?? 0), nameOf(key ?? 0)];
    return type === 'type'
      ? 'Ignored an event that is not an object with a string `type`.'
      : `Ignored ${type}: missing or unknown ${property}.`;
  },
  [RefusalReason.ReusedApproval]: (call, approval) =>
    `The backend reused the id of approval ${approval} for call ${call}. ` +
    'Pass the entry of pending() that was shown, or its inputDigest.',
  [RefusalReason.Unasked]: () => 'Ignored a reply that no request asked for.',
  [RefusalReason.NoReply]: () => 'Ignored content outside of a reply.',
  [RefusalReason.UnsafeRetry]: (_, approval) =>
    `The answer to approval ${approval} may have arrived, and a copy of it could answer a newer request. ` +
    'Call cancel() instead of retry().',
  [RefusalReason.KnownMessage]: () =>
    'Another message has this id. Use a new id, or pass `replace` to replace a message.',
  [RefusalReason.InvalidInputs]: () =>
    'Four replies in a row had arguments that are not valid JSON. Call resume() to go on.',
  [RefusalReason.InputArrives]: (call, approval) =>
    `Approval ${approval} cannot be decided yet: the input of call ${call} is still arriving. ` +
    'Decide an entry of pending().',
};

/** The values of the Rust enum `Input` for what the backend sends about a call. */
type BackendInput = Exclude<
  Input.Input,
  | typeof Input.Approve
  | typeof Input.Deny
  | typeof Input.Skip
  | typeof Input.Expire
  | typeof Input.PageOutput
  | typeof Input.PageError
  | typeof Input.Cancel
  | typeof Input.Sent
  | typeof Input.Interrupt
  | typeof Input.ConfirmDenial
>;

/** The words in a message for what arrived from the backend. */
const ARRIVED: Readonly<Record<BackendInput, string>> = {
  [Input.InputStart]: 'an input',
  [Input.InputDelta]: 'an input',
  [Input.InputAvailable]: 'an input',
  [Input.InputUpdate]: 'another input',
  [Input.DecisionVoid]: 'another input',
  [Input.InputError]: 'an input error',
  [Input.Request]: 'an approval request',
  [Input.RequestAgain]: 'an approval request',
  [Input.AutomaticRequest]: 'an approval request',
  [Input.BackendApproved]: 'an approval response',
  [Input.BackendDenied]: 'an approval response',
  [Input.RequestWithdrawn]: 'a withdrawal of its approval request',
  [Input.Preliminary]: 'an output',
  [Input.Output]: 'an output',
  [Input.Error]: 'an error',
  [Input.OutputDenied]: 'a denial',
};

function contradiction(call: string, approval: string, { code, state, cause }: CoreRefusal): string {
  // An input that is not from the backend has no entry.
  const arrived = (ARRIVED as Readonly<Record<number, string>>)[cause ?? -1] ?? 'an event';
  switch (CODE[code]) {
    case 'approval-pending':
      return (
        `Call ${call} received ${arrived} while approval ${approval} was pending. ` +
        'The backend did not wait for the user. The call shows what it received.'
      );
    case 'already-decided':
      // Requests, responses and inputs are ignored then. A result is true, so it is shown.
      return /^an(other| approval)/.test(arrived)
        ? `Ignored ${arrived} for call ${call} (${state}): it contradicts the decision.`
        : `Call ${call} received ${arrived} before its approval was sent. The call shows what it received.`;
    case 'unknown-approval':
      return `Ignored ${arrived} for call ${call} (${state}): its approval was never requested.`;
    default:
      return state === 'approval-responded' || state === 'output-denied'
        ? `Ignored ${arrived} for call ${call}: the call was denied and has no result.`
        : `Ignored ${arrived} for call ${call}: the call already settled (${state}).`;
  }
}

/** The error for a refusal of the core. */
export function toError(refusal: CoreRefusal): ToolGateError {
  const { why, toolCallId, approvalId } = refusal;
  const code = CODE[refusal.code] as ToolGateErrorCode;
  const message = MESSAGES[why](quoted(toolCallId), quoted(approvalId), refusal);
  return new ToolGateError(code, message, { toolCallId, approvalId });
}

/**
 * The error to throw for a refused command: a `ToolGateError`, or a `TypeError` for a new message with the id of an
 * existing one, which is a mistake of the app.
 */
export function errorToThrow(refusal: CoreRefusal): ToolGateError | TypeError {
  const error = toError(refusal);
  return refusal.why === RefusalReason.KnownMessage ? new TypeError(`sendUserMessage: ${error.message}`) : error;
}

/** The error for an id that no approval has. Callers throw it instead of calling the core. */
export const unknownApproval = (approvalId: string): ToolGateError =>
  toError({ code: CODE.indexOf('unknown-approval'), why: RefusalReason.NoApproval, approvalId });

/** The error for an id that no call has. Callers throw it instead of calling the core. */
export const unknownCall = (toolCallId: string): ToolGateError =>
  toError({ code: CODE.indexOf('unknown-call'), why: RefusalReason.NoCall, toolCallId });

/**
 * The core's number for a message id that the app passed; 0 for no id. Throws `malformed-event` for an unknown id.
 */
export function messageNumber(handles: HandleTable, id: string | undefined): number {
  if (id === undefined) return 0;
  const known = handles.find(id);
  if (known === undefined) throw toError({ code: CODE.indexOf('malformed-event'), why: RefusalReason.NoMessage });
  return known + 1;
}

/** The error of a gate whose core failed. `cause` is what the core threw. */
export function coreFailed(cause: unknown): ToolGateError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `The state machine failed (${why}). Nothing more is sent. Restore the last saved snapshot.`;
  return new ToolGateError('crashed', message, { cause });
}

/** The error for data that a protocol cannot express. `what` begins its message; `cause` is what the protocol threw. */
export function unwritable(what: string, cause: unknown, approvalId?: string): ToolGateError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `${what} (${why}). The protocol cannot express the data.`;
  return new ToolGateError('unserializable', message, { cause, approvalId });
}

/** The description of each repair. In the sentence it follows the name of the call. */
const REPAIR_TEXTS: Readonly<Record<RepairCode, string>> = {
  'duplicate-call': 'occurred more than once: the copies were merged',
  'missing-state': 'had no valid state: the state was inferred',
  'missing-approval': 'was denied without an approval: one was added',
  'stale-approval': 'had a pending approval before later content: closed without running',
  'unanswered-call': 'had no result before later content: closed, and its outcome says if it may have run',
  'incomplete-input': 'had an incomplete input: it did not run',
  malformed: 'could not be read: omitted',
  'duplicate-message': 'occurred more than once: copies were omitted, and the rest got a new id',
  'duplicate-approval': 'had the approval of another call, or one twice: the first one counts',
  orphaned: 'had a request, response or result in another place: moved to its call, or omitted',
  'denied-output': 'was denied, but had an output: the denial counts',
  'invalid-value': 'had a value that its state does not allow: omitted or replaced',
};

/**
 * A repair of the core, with a sentence that says what was wrong, how it was repaired, and the call's new state.
 * `message`: the index of the message, if the history was the app's own.
 */
export function toRepair(repair: {
  code: number;
  toolCallId?: string;
  state?: string;
  message?: number | undefined;
}): Repair {
  const { toolCallId, state, message } = repair;
  const place = message === undefined ? 'A message or part' : `messages[${message}], or a part of it,`;
  const code = REPAIR_CODE[repair.code] as RepairCode;
  const subject = toolCallId === undefined ? place : `Call ${quoted(toolCallId)}`;
  const detail = `${subject} ${REPAIR_TEXTS[code]}${state === undefined ? '' : ` (now ${state})`}`;
  return omitUndefined({ code, toolCallId, detail });
}
