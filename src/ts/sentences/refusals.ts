/**
 * The sentence for each refusal of the core. The core decides what it refuses, and returns a number for each reason.
 */
import * as Input from '../../../target/bindgen/input.js';
import * as RefusalReason from '../../../target/bindgen/refusal-reason.js';
import type { Refused } from '../types/said.js';

/** The message of each refusal. `call` and `approval` are ids in quotes. */
const MESSAGES: Readonly<
  Record<RefusalReason.RefusalReason, (call: string, approval: string, refusal: Refused) => string>
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
  [RefusalReason.Malformed]: (_, __, { type, property }) =>
    type === 'type'
      ? 'Ignored an event that is not an object with a string `type`.'
      : `Ignored ${type}: missing or unknown ${property}.`,
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

function contradiction(call: string, approval: string, { code, state, cause }: Refused): string {
  // An input that is not from the backend has no entry.
  const arrived = (ARRIVED as Readonly<Record<number, string>>)[cause ?? -1] ?? 'an event';
  switch (code) {
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

/** The sentence for a refusal. */
export const refusal = (refused: Refused): string =>
  MESSAGES[refused.why as RefusalReason.RefusalReason](refused.call, refused.approval, refused);
