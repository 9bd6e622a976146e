/**
 * The sentences of refusals and repairs: what happened, and what would have been right. What is refused or mended, and
 * when, the core decides; it names the case by a number.
 */
import { omitUndefined } from '../json/omit-undefined.js';
import { ToolGateError, type ToolGateErrorCode } from '../types/errors.js';
import { nameOf, type Host } from '../wasm/handle-table.js';
import type { Repair, RepairCode } from '../types/index.js';

/** A refusal as `src/wasm/events.rs` writes it. */
export interface CoreRefusal {
  /** A place in the Rust enum `Code`. */
  readonly code: number;
  /** A place in the Rust enum `RefusalReason`. */
  readonly why: number;
  readonly toolCallId?: string;
  readonly approvalId?: string;
  readonly state?: string;
  /** A place in the Rust enum `Input`. */
  readonly cause?: number;
  /** A malformed event's type, and the property that is wrong: the core's numbers for these names. */
  readonly detail?: number;
  readonly key?: number;
}

/** In the order of the Rust enum `Code`. */
const CODES: readonly ToolGateErrorCode[] = [
  'unknown-approval',
  'unknown-call',
  'unknown-outgoing',
  'already-decided',
  'already-settled',
  'approval-pending',
  'superseded',
  'stale-input',
  'edit-unsupported',
  'message-blocked',
  'busy',
  'malformed-event',
  'repeat-unsafe',
];

/** In the order of the Rust enum `RepairCode`. */
const REPAIRS: readonly RepairCode[] = [
  'duplicate-call',
  'missing-state',
  'missing-approval',
  'stale-approval',
  'unanswered-call',
  'incomplete-input',
  'malformed',
  'duplicate-message',
  'duplicate-approval',
  'orphaned',
  'invalid-value',
  'denied-output',
];

/** An id in a sentence: one of a megabyte must not become a message of a megabyte. */
const quoted = (id: string | undefined): string =>
  JSON.stringify((id ?? '').length > 120 ? `${id?.slice(0, 120)}…` : (id ?? ''));

/** In the order of the Rust enum `RefusalReason`. */
const SENTENCES: readonly ((call: string, approval: string, refusal: CoreRefusal) => string)[] = [
  (_, approval) => `no approval has the id ${approval}: use the approvalId of an entry of pending()`,
  (call, approval) =>
    `${call} is the id of a tool call, not of an approval: ${approval === '""' ? 'the call has no approval request' : `its approval id is ${approval}`}`,
  (_, approval) => `approval ${approval} is closed: it was superseded by a later message, step, request or edit`,
  (_, approval, { state }) =>
    `approval ${approval} has its one decision, the opposite one (${state}): it cannot be changed`,
  (_, approval, { state }) => `approval ${approval} was withdrawn: its call settled (${state}) before anybody answered`,
  (_, approval) => `approval ${approval} is answered by the backend's own policy: the user is not asked`,
  (call, approval) =>
    `approval ${approval} was answered for another input than call ${call} has: show the present one and ask again`,
  (call) => `no tool call has the id ${call}: use a part's toolCallId`,
  (call) => `call ${call} waits for the user: answer its approval first`,
  (call, _, { state }) =>
    `call ${call} is not ready for an output (${state}): wait for its complete input or its last output`,
  (call, _, { state }) => `call ${call} is settled (${state}) and keeps its result; a denial needs no output`,
  () => 'approvals wait for an answer, and onUserMessage is "block": answer or cancel them, then send the message',
  () => 'a request is on its way: stop it, or wait for the end of its reply',
  () => 'there is no such message: use the id of a message of the view',
  () => 'no outgoing item has this id: use an id that outgoing() or undelivered() lists',
  () => 'only what undelivered() lists can be sent again',
  (call) => `the backend spoke of call ${call}, which it never named: a call begins with its tool's name and input`,
  (call, approval) =>
    `the backend asked for approval ${approval} of call ${call}, but that approval is another call's. It is ignored`,
  (_, approval) => `the backend asked again for approval ${approval}, which is closed. It is ignored`,
  (_, approval) => `the backend answered approval ${approval}, which it never asked for. It is ignored`,
  contradiction,
  (call, approval) =>
    `the backend asked for approval ${approval} of call ${call}, behind which a later step or message stands. It is ignored`,
  (_, __, { detail, key }) => {
    const [type, property] = [nameOf(detail ?? 0), nameOf(key ?? 0)];
    return type === 'type'
      ? 'an event is no object with a type: it is ignored'
      : `a ${type} event lacks its ${property}, or names one that was never started: it is ignored`;
  },
  (call, approval) =>
    `the backend has used the id of approval ${approval} again, for call ${call}: pass the entry of pending() that was shown, or its inputDigest`,
  () => 'the backend sent a reply that no request asked for while a request is about to be sent: it is ignored',
  () => 'the backend sent content outside of any reply, and there is no message of it to add that to: it is ignored',
  (_, approval) =>
    `the answer to approval ${approval} may have arrived, and sent again it could answer a newer request: cancel, and ask again`,
  () => 'another message has this id: use a new one, or pass `replace` to put the message in the place of another',
];

/** By the Rust enum `Input`: what came. Inputs that no backend sends are not here. */
const CAME: Readonly<Record<number, string>> = {
  0: 'an input',
  1: 'an input',
  2: 'an input',
  3: 'an input error',
  4: 'an approval request',
  5: 'an approval request',
  6: 'an approval request',
  7: 'an approval response',
  8: 'an approval response',
  9: 'an output',
  10: 'an output',
  11: 'an error',
  12: 'a denial',
};

function contradiction(call: string, approval: string, { code, state, cause }: CoreRefusal): string {
  const came = CAME[cause ?? -1] ?? 'an event';
  switch (CODES[code]) {
    case 'approval-pending':
      return `call ${call} got ${came} while approval ${approval} still waited for the user: the backend went on without it. It is shown as it happened`;
    case 'already-decided':
      return `call ${call} (${state}) got ${came} against its decision, which stands`;
    case 'unknown-approval':
      return `call ${call} (${state}) got ${came} for an approval that was never requested: it is ignored`;
    default:
      return state === 'approval-responded' || state === 'output-denied'
        ? `call ${call} was denied, and still got ${came}: a denied call has no result, so it is ignored`
        : `call ${call} is settled (${state}), and still got ${came}: it is ignored`;
  }
}

/** A refusal of the core as an error. */
export function toError(refusal: CoreRefusal): ToolGateError {
  const { why, toolCallId, approvalId } = refusal;
  const code = CODES[refusal.code] as ToolGateErrorCode;
  const sentence = SENTENCES[why]?.(quoted(toolCallId), quoted(approvalId), refusal) ?? 'refused';
  return new ToolGateError(code, sentence, { toolCallId, approvalId });
}

/** The sentences, by their place in the Rust enum `RefusalReason`, of what is refused here already: ids that nothing has. */
const [NO_APPROVAL, NO_CALL, NO_MESSAGE] = [0, 7, 13];

/** A mistake of the app: its message has the id of another one. */
const KNOWN_MESSAGE = 27;

/** What is thrown for a refused act: an error with a code, or a `TypeError` for a mistake of the app. */
export function toThrow(refusal: CoreRefusal): ToolGateError | TypeError {
  const error = toError(refusal);
  return refusal.why === KNOWN_MESSAGE ? new TypeError(`sendUserMessage: ${error.message}`) : error;
}

/** No approval has this id. */
export const noApproval = (approvalId: string): ToolGateError =>
  toError({ code: CODES.indexOf('unknown-approval'), why: NO_APPROVAL, approvalId });

/** No call has this id. */
export const noCall = (toolCallId: string): ToolGateError =>
  toError({ code: CODES.indexOf('unknown-call'), why: NO_CALL, toolCallId });

/**
 * The core's number of a message that the app names: 0 for none. Throws `malformed-event` for one that is not there.
 */
export function messageNumber(host: Host, id: string | undefined): number {
  if (id === undefined) return 0;
  const known = host.find(id);
  if (known === undefined) throw toError({ code: CODES.indexOf('malformed-event'), why: NO_MESSAGE });
  return known + 1;
}

/** Something cannot be written in the form of a protocol: `cause` is what the protocol threw. */
export function unwritable(what: string, cause: unknown, approvalId?: string): ToolGateError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `${what} (${why}): the protocol has no form for what the backend sent, or for what the history holds`;
  return new ToolGateError('unserializable', message, { cause, approvalId });
}

const MENDED: Readonly<Record<RepairCode, string>> = {
  'duplicate-call': 'stood in the history more than once: one was kept, with what the others knew',
  'missing-state': 'had no state, an unknown one, or one at odds with what it holds: one was inferred',
  'missing-approval': 'was denied without an approval that says so: one was added',
  'stale-approval': 'was still asked for, with something behind it: closed, it did not run',
  'unanswered-call': 'had no result, with something behind it: closed, and what may have run is said to',
  'incomplete-input': 'had no complete input: it did not run, and is left out of what the model sees',
  malformed: 'an entry that is no message, or no part that could be read, was left out',
  'duplicate-message':
    'a message stood there twice: what it repeated was left out, and what is left has an id of its own',
  'duplicate-approval': 'had the approval of another call, or one that was asked or answered twice: the first stands',
  orphaned: 'a request, an answer or a result stood apart from its call: put there, or left out for want of a call',
  'denied-output': 'was denied, and had an output all the same: the denial counts, and the output was left out',
  'invalid-value': 'a value of the wrong type, or one that the state does not allow, was left out or replaced',
};

/** A repair of the core, with its sentence: what was found, and where the call stands now. */
export function toRepair(repair: { code: number; toolCallId?: string; state?: string }): Repair {
  const { toolCallId, state } = repair;
  const code = REPAIRS[repair.code] as RepairCode;
  const what = toolCallId === undefined ? '' : `call ${quoted(toolCallId)} `;
  const detail = `${what}${MENDED[code]}${state === undefined ? '' : ` (now ${state})`}`;
  return omitUndefined({ code, toolCallId, detail });
}
