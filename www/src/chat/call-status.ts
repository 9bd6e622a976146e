/**
 * What the state of a tool call means for the user: one label, one icon, one tone, one sentence. Toolgate determines
 * state, outcome and delivery; this file only describes them.
 */
import type { OutcomeKind } from 'toolgate';
import type { CallView } from '../session/message-types';
import type { IconName } from './icons';

/** The colour family of a status. */
export type Tone = 'wait' | 'busy' | 'yes' | 'no' | 'bad' | 'late' | 'quiet';

/** The statuses of a call. `superseded`: the call was closed because the user sent another message. */
export type StatusKey =
  | 'drafting'
  | 'running'
  | 'waiting'
  | 'approved'
  | 'sending'
  | 'undelivered'
  | 'unconfirmed'
  | 'unknown'
  | 'done'
  | 'superseded'
  | Exclude<OutcomeKind, 'executed'>;

/** How a card presents its call. */
export interface CallStatus {
  key: StatusKey;
  label: string;
  tone: Tone;
  /** Shown beside the label, so that colour is not the only sign. */
  icon?: IconName;
  /** Whether the user is asked for a decision. */
  asks: boolean;
  /** A sentence for the foot of the card, or empty. */
  note: string;
}

const status = (key: StatusKey, label: string, tone: Tone, note = '', icon?: IconName): CallStatus => ({
  key,
  label,
  tone,
  note,
  asks: false,
  ...(icon ? { icon } : {}),
});

/** Describes the status of a call. `isOver`: its turn ended badly, so nothing more arrives until the user acts. */
export function statusOf(call: CallView, isOver = false): CallStatus {
  switch (call.state) {
    case 'input-streaming':
      return call.outcome
        ? ended(call)
        : status('drafting', 'Writing', 'busy', 'The model is still writing this call.');
    case 'input-available':
      return call.outcome ? ended(call) : isOver ? unknown() : status('running', 'Running', 'busy');
    case 'approval-requested':
      return call.outcome ? ended(call) : { ...status('waiting', 'Waiting for you', 'wait'), asks: true };
    case 'approval-responded':
      return undelivered(call) ?? (call.approved === false || call.outcome ? ended(call) : approved(call, isOver));
    case 'output-available':
      return call.outcome && call.outcome.kind !== 'executed'
        ? ended(call)
        : status('done', 'Done', 'yes', outputNote(call.output), 'check');
    case 'output-error':
      return ended(call);
    case 'output-denied':
      return undelivered(call) ?? ended(call);
  }
}

function approved(call: CallView, isOver: boolean): CallStatus {
  const own = call.decidedBy === 'remembered' ? 'Answered by a decision you saved.' : '';
  switch (call.delivery) {
    case 'in-flight':
      return status('sending', 'Approved, sending', 'busy', own || 'Your answer is being sent.');
    case 'acknowledged':
      return isOver
        ? unknown()
        : status('running', 'Approved, running', 'busy', 'The server has received your answer.');
    case 'ready':
      return status('approved', 'Approved', 'yes', own || 'Sending your answer now.', 'check');
    default:
      return status(
        'approved',
        'Approved',
        'yes',
        own || 'Your answer will be sent when the other calls are answered.',
        'check',
      );
  }
}

/** The status of a call whose answer may not have arrived. Undefined for any other call. */
function undelivered({ delivery, approved }: CallView): CallStatus | undefined {
  const answer = approved === false ? 'Denied' : 'Approved';
  if (delivery === 'failed') {
    const note = 'No usable reply came. Your answer may have arrived. You can send it again.';
    return status('undelivered', `${answer}, no reply`, 'bad', note, 'alert');
  }
  if (delivery !== 'unconfirmed') return undefined;
  const note = 'We don’t know whether the server received your answer.';
  return status('unconfirmed', `${answer}, unconfirmed`, 'bad', note, 'alert');
}

/** For a call whose reply ended before its result. */
function unknown(): CallStatus {
  return status(
    'unknown',
    'Outcome unknown',
    'bad',
    'It may have run: the reply ended before a result arrived.',
    'alert',
  );
}

/** Statuses of calls that have settled, or are denied. */
function ended(call: CallView): CallStatus {
  const { outcome } = call;
  const reason = (outcome ? outcome.reason : call.reason) ?? '';
  const mayHaveRun = outcome?.mayHaveRun ? ' It may have run; its outcome is unknown.' : '';
  const kind = outcome?.kind ?? (call.approved === false || call.state === 'output-denied' ? 'denied' : 'failed');
  if (/superseded/i.test(reason)) {
    return status(
      'superseded',
      'Closed: superseded',
      'quiet',
      `You sent another message instead of deciding this.${mayHaveRun}`,
      'slash',
    );
  }
  switch (kind) {
    case 'denied':
      return status('denied', 'Denied', 'no', reason ? `Reason: ${reason}` : 'No reason given.', 'cross');
    case 'skipped':
      return status('skipped', 'Skipped', 'quiet', reason || 'It did not run because another call was denied.', 'skip');
    case 'expired':
      return status('expired', 'Expired', 'late', reason || 'No answer in time. It did not run.', 'clock');
    case 'cancelled':
      return status(
        'cancelled',
        'Cancelled',
        'quiet',
        `${reason || 'You cancelled this.'}${mayHaveRun || (reason ? '' : ' It did not run.')}`,
        'slash',
      );
    case 'interrupted':
      return status(
        'interrupted',
        'Interrupted',
        'quiet',
        reason || (mayHaveRun ? mayHaveRun.trim() : 'Closed before a result arrived. It did not run.'),
        'pause',
      );
    case 'executed':
    case 'failed':
      return status('failed', 'Failed', 'bad', call.errorText ?? reason, 'alert');
  }
}

/** The foot of a card whose call ran: one line of its output. */
function outputNote(output: unknown): string {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  const line = text.trim().split('\n')[0] ?? '';
  return line.length < text.trim().length ? `${line} …` : line;
}
