/**
 * The errors and repairs of the core, which returns a number for each case. The sentence for each number is in the
 * folder `sentences`, which production bundles do not contain.
 */
import { CODE, REPAIR_CODE } from '../../../target/bindgen/enums.js';
import * as RefusalReason from '../../../target/bindgen/refusal-reason.js';
import { omitUndefined } from '../json/omit-undefined.js';
import { ToolGateError, type ToolGateErrorCode } from '../types/errors.js';
import { say } from '../types/say.js';
import { coded, known } from '../types/said.js';
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

/** No id, as a text of a message. */
const NO_ID = '""';

/** The error for a refusal of the core. */
export function toError(refusal: CoreRefusal): ToolGateError {
  const { why, toolCallId, approvalId, state, cause, detail = 0, key = 0 } = refusal;
  const code = CODE[refusal.code] as ToolGateErrorCode;
  const [type, property] = why === RefusalReason.Malformed ? [nameOf(detail), nameOf(key)] : [];
  const facts = { code, why, call: quoted(toolCallId), approval: quoted(approvalId), state, cause, type, property };
  const message = known
    ? known.refusal(facts)
    : coded(
        'errors',
        code,
        [facts.call, facts.approval, state, type, property].filter((fact) => fact && fact !== NO_ID),
      );
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
  const message = say`The state machine failed (${why}). Nothing more is sent. Restore the last saved snapshot.`;
  return new ToolGateError('crashed', message, { cause });
}

/** The error for data that a protocol cannot express. `what` begins its message; `cause` is what the protocol threw. */
export function unwritable(what: string, cause: unknown, approvalId?: string): ToolGateError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `${what} (${why}). ${say`The protocol cannot express the data.`}`;
  return new ToolGateError('unserializable', message, { cause, approvalId });
}

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
  const now = state === undefined ? '' : ` (now ${state})`;
  const detail = known ? `${subject} ${known.repairs[code]}${now}` : coded('errors', code, [subject + now]);
  return omitUndefined({ code, toolCallId, detail });
}
