/**
 * What the state of a tool call means for the user: one label, one tone, one sentence.
 * The state, outcome and delivery come from Toolgate; nothing is decided here.
 */
import type { CallView } from '../session/message-types';

/** The colour family of a status. */
export type Tone = 'wait' | 'busy' | 'yes' | 'no' | 'bad' | 'quiet';

/** How a card presents its call. */
export interface CallStatus {
  key: string;
  label: string;
  tone: Tone;
  /** Whether the user is asked for a decision. */
  asks: boolean;
  /** A sentence for the foot of the card, or empty. */
  note: string;
}

const status = (key: string, label: string, tone: Tone, note = '', asks = false): CallStatus => ({ key, label, tone, note, asks });

/** Names the status of a call. */
export function statusOf(call: CallView): CallStatus {
  switch (call.state) {
    case 'input-streaming':
      return call.outcome ? ended(call) : status('drafting', 'Writing', 'busy', 'The model is still writing this request.');
    case 'input-available':
      return call.outcome ? ended(call) : status('running', 'Running', 'busy');
    case 'approval-requested':
      return call.outcome ? ended(call) : status('waiting', 'Waiting for you', 'wait', '', true);
    case 'approval-responded':
      return call.approved === false || call.outcome ? ended(call) : approved(call);
    case 'output-available':
      return call.outcome && call.outcome.kind !== 'executed' ? ended(call) : status('done', 'Done', 'yes', outputNote(call.output));
    default:
      return ended(call);
  }
}

function approved(call: CallView): CallStatus {
  switch (call.delivery) {
    case 'in-flight':
      return status('sending', 'Approved, sending', 'busy', 'Your answer is on its way.');
    case 'acknowledged':
      return status('running', 'Approved, running', 'busy', 'The server has your answer.');
    case 'failed':
      return status('undelivered', 'Approved, not sent', 'bad', 'Your answer did not reach the server. It is kept.');
    case 'unconfirmed':
      return status('unconfirmed', 'Approved, unconfirmed', 'bad', 'Whether the server has your answer is not known.');
    case 'ready':
      return status('approved', 'Approved', 'yes', 'Your answer leaves now.');
    default:
      return status('approved', 'Approved', 'yes', 'Kept here until every call of this step is decided.');
  }
}

/** Statuses of calls that have settled, or are denied. */
function ended(call: CallView): CallStatus {
  const { outcome } = call;
  const reason = outcome?.reason ?? call.reason ?? '';
  const mayHaveRun = outcome?.mayHaveRun ? ' It may have run; the outcome is not known.' : '';
  const kind = outcome?.kind ?? (call.approved === false || call.state === 'output-denied' ? 'denied' : 'failed');
  if (/superseded/i.test(reason)) {
    return status('superseded', 'Closed: superseded', 'quiet', `A later message came first, so this was never answered.${mayHaveRun}`);
  }
  switch (kind) {
    case 'denied':
      return status('denied', 'Denied', 'no', reason ? `Reason: ${reason}` : 'No reason given.');
    case 'skipped':
      return status('skipped', 'Skipped', 'quiet', reason || 'Skipped, because another call of this step was denied.');
    case 'expired':
      return status('expired', 'Expired', 'quiet', reason || 'Nobody answered in time.');
    case 'cancelled':
      return status('cancelled', 'Cancelled', 'quiet', `${reason || 'You gave this up.'}${mayHaveRun}`);
    case 'interrupted':
      return status('interrupted', 'Interrupted', 'quiet', reason || (mayHaveRun ? mayHaveRun.trim() : 'Closed before it was settled. It did not run.'));
    default:
      return status('failed', 'Failed', 'bad', call.errorText ?? reason);
  }
}

/** The foot of a card that ran: one line of its output. */
function outputNote(output: unknown): string {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  const line = text.trim().split('\n')[0] ?? '';
  return line.length < text.trim().length ? `${line} …` : line;
}
