/**
 * The words about a call: what the element shows, and what `describeCall` returns. Reasons and results that Toolgate
 * writes for the model are not among them.
 */
import type { DecidedBy } from '../types/index.js';
import { DENY_PENDING, SUPERSEDED, UNSENT } from '../types/model-reasons.js';
import { brief } from './brief.js';
import { fill, type CallTexts } from './call-texts.js';
import { outcomeOf, statusOf, TONES, type AnyToolPart, type CallStatus, type CallTone } from './call-status.js';

/** Maximum characters of a result or reason. */
const LINE = 200;

/** What the view says about a call, besides its part. */
export interface CallFacts {
  /** The turn failed or stalled, so that no further events are expected. */
  readonly isOver: boolean;
  /** Its approval was requested, and can no longer be decided. */
  readonly isClosed: boolean;
  /** Why its decision is held, if it does not wait for other decisions. */
  readonly heldUntil?: 'reply' | 'resume' | undefined;
}

/** The words about a call. */
export interface CallWords {
  readonly status: CallStatus;
  readonly tone: CallTone;
  readonly label: string;
  readonly note: string;
}

/** Returns the words about a call. */
export function wordsOf(part: AnyToolPart, facts: CallFacts, texts: CallTexts): CallWords {
  const status = statusOf(part, facts.isOver, facts.isClosed);
  return { status, tone: TONES[status], label: labelOf(part, status, texts), note: noteOf(part, status, facts, texts) };
}

/** The label of a status. Beside a delivery that is uncertain, it says what was decided. */
function labelOf({ approval }: AnyToolPart, status: CallStatus, texts: CallTexts): string {
  const decided = approval?.approved;
  const label = texts[status];
  return ['forwarded', 'undelivered', 'unconfirmed'].includes(status) && decided !== undefined
    ? `${texts[decided ? 'approved' : 'denied']} · ${label}`
    : label;
}

function noteOf(part: AnyToolPart, status: CallStatus, facts: CallFacts, texts: CallTexts): string {
  const outcome = outcomeOf(part);
  const notes: string[] = [];
  if (part.decidedBy === 'remembered') notes.push(texts.remembered);
  notes.push(mainNote(part, status, facts, texts));
  if (outcome?.mayHaveRun) notes.push(texts.mayHaveRun);
  return notes.filter(Boolean).join(' ');
}

function mainNote(part: AnyToolPart, status: CallStatus, facts: CallFacts, texts: CallTexts): string {
  const own = texts[`${status}Note`];
  const reason = reasonOf(part);
  switch (status) {
    case 'done':
    case 'failed':
      return resultOf(part);
    case 'denied': {
      const by = deciderOf(part);
      if (by === 'policy') return texts.deniedByMessage;
      const given = reason === undefined ? '' : fill(texts.reasonGiven, { reason: oneLine(reason) });
      return by === 'backend' ? `${texts.deniedByServer} ${given}`.trim() : given || own;
    }
    case 'approved':
      if (part.delivery === undefined) return '';
      if (part.delivery === 'ready') return texts.leaving;
      return facts.heldUntil === 'reply'
        ? texts.heldForReply
        : facts.heldUntil === 'resume'
          ? texts.heldUntilResume
          : own;
    case 'skipped':
    case 'expired':
    case 'cancelled':
    case 'interrupted': {
      if (facts.isClosed) return texts.closed;
      const outcome = outcomeOf(part);
      if (outcome?.reason === SUPERSEDED) return texts.superseded;
      if (outcome?.reason === UNSENT) return texts.unsent;
      return reason === undefined || outcome?.mayHaveRun ? own : oneLine(reason);
    }
    default:
      return own;
  }
}

/**
 * Returns the reason that the user or the backend gave for the present state; undefined for none. `approval.reason` of
 * a call that was not denied contains a text for the model.
 */
export function reasonOf(part: AnyToolPart): string | undefined {
  const reason = outcomeOf(part)?.reason;
  const isOwn = reason === SUPERSEDED || reason === UNSENT || reason === '' || deciderOf(part) === 'policy';
  return isOwn ? undefined : reason;
}

/** Returns who decided about a call, as far as its part says so. */
export function deciderOf(part: AnyToolPart): DecidedBy | undefined {
  const { approval, decidedBy } = part;
  if (decidedBy) return decidedBy;
  // A stored message does not say who decided.
  if (outcomeOf(part)?.reason === DENY_PENDING) return 'policy';
  if (approval?.approved === undefined) return undefined;
  if (approval.isAutomatic) return 'backend';
  // Only a decision of this chat is delivered.
  return part.delivery === undefined ? undefined : 'user';
}

/** Returns the beginning of what the tool gave, on one line: its output or error. Empty if it gave nothing. */
export function resultOf(part: AnyToolPart): string {
  const kind = outcomeOf(part)?.kind;
  const isPreliminary = kind === undefined && part.state === 'output-available';
  if (kind === 'executed' || isPreliminary) return oneLine(part.output);
  return kind === 'failed' ? oneLine(part.errorText ?? part.outcome?.reason) : '';
}

/** The beginning of a text, or of a value's JSON, on one line. */
function oneLine(value: unknown): string {
  try {
    return brief(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), LINE);
  } catch {
    return '';
  }
}
