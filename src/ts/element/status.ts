/**
 * Maps the state of a call to the label, the note and the colour that the card shows. The gate owns state, outcome and
 * delivery; this module only reads them.
 */
import type { Outcome, ToolPart } from '../types/index.js';
import { fill, type CardTexts } from './card-texts.js';
import { brief } from './escape-invisible.js';

/**
 * The status of a call. `forwarded`: passed to the leader tab, which has not confirmed it. `approved`: decided and not
 * sent yet. `forwarded`, `undelivered` and `unconfirmed` also apply to denials.
 */
export type ApprovalStatus =
  | 'drafting'
  | 'running'
  | 'waiting'
  | 'forwarded'
  | 'approved'
  | 'sending'
  | 'working'
  | 'undelivered'
  | 'unconfirmed'
  | 'unknown'
  | 'done'
  | 'failed'
  | 'denied'
  | 'skipped'
  | 'expired'
  | 'cancelled'
  | 'interrupted';

/** The colour scheme of a status. */
type Tone = 'wait' | 'busy' | 'yes' | 'no' | 'quiet';

const TONES: Readonly<Record<ApprovalStatus, Tone>> = {
  drafting: 'busy',
  running: 'busy',
  waiting: 'wait',
  forwarded: 'wait',
  approved: 'yes',
  sending: 'busy',
  working: 'busy',
  undelivered: 'no',
  unconfirmed: 'no',
  unknown: 'no',
  done: 'yes',
  failed: 'no',
  denied: 'no',
  skipped: 'quiet',
  expired: 'wait',
  cancelled: 'quiet',
  interrupted: 'quiet',
};

/** The texts and the colour scheme that a card shows for a status. */
export interface StatusView {
  readonly status: ApprovalStatus;
  readonly tone: Tone;
  readonly label: string;
  readonly note: string;
}

/** Returns the status of a call. `isOver`: the turn failed or stalled, so no further events are expected. */
function statusOf(part: ToolPart, isOver: boolean): ApprovalStatus {
  // Delivery comes first: until the leader confirms the decision, this tab knows nothing more about it.
  if (part.delivery === 'forwarded') return 'forwarded';
  if (part.delivery === 'failed') return 'undelivered';
  if (part.delivery === 'unconfirmed') return 'unconfirmed';
  const { outcome } = part;
  if (outcome) return outcome.kind === 'executed' ? 'done' : outcome.kind;
  switch (part.state) {
    case 'input-streaming':
      return isOver ? 'interrupted' : 'drafting';
    case 'input-available':
      return isOver ? 'unknown' : 'running';
    case 'approval-requested':
      return 'waiting';
    case 'approval-responded':
      if (!part.approval.approved) return 'denied';
      if (part.delivery === 'acknowledged') return isOver ? 'unknown' : 'working';
      return part.delivery === 'in-flight' ? 'sending' : 'approved';
    case 'output-available':
      return part.preliminary ? 'working' : 'done';
    case 'output-error':
      return 'failed';
    case 'output-denied':
      return 'denied';
  }
}

/** Returns the status of a call with its texts. */
export function describe(part: ToolPart, isOver: boolean, texts: CardTexts): StatusView {
  const status = statusOf(part, isOver);
  return { status, tone: TONES[status], label: texts[status], note: noteOf(part, status, texts) };
}

function noteOf(part: ToolPart, status: ApprovalStatus, texts: CardTexts): string {
  const own = texts[`${status}Note`];
  const outcome: Outcome | undefined = part.outcome;
  const reason = outcome?.reason ?? part.approval?.reason;
  const notes: string[] = [];
  if (part.decidedBy === 'remembered') notes.push(texts.remembered);
  if (status === 'forwarded') {
    const approved = part.approval?.approved;
    if (approved !== undefined) notes.push(approved ? texts.forwardedApproval : texts.forwardedDenial);
    return [...notes, own].join(' ');
  }
  if (status === 'done') notes.push(oneLine(part.output));
  else if (status === 'failed') notes.push(oneLine(part.errorText ?? reason));
  else if (reason && status === 'denied') notes.push(fill(texts.reasonGiven, { reason: oneLine(reason) }));
  else if (reason && outcome && !outcome.mayHaveRun) notes.push(oneLine(reason));
  else notes.push(status === 'approved' && part.delivery === 'ready' ? texts.leaving : own);
  if (outcome?.mayHaveRun) notes.push(texts.mayHaveRun);
  return notes.filter(Boolean).join(' ');
}

/** The beginning of a text, or of a value's JSON, on one line. */
function oneLine(value: unknown): string {
  try {
    return brief(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 200);
  } catch {
    return '';
  }
}
