/** Reads from a gate's view what a call's own part does not say. */
import type { GateView, PendingApproval, Undelivered } from '../types/index.js';
import type { AnyToolPart } from './call-status.js';
import type { CallFacts } from './call-words.js';

/** What the view says about a call. */
export interface FactsOfView extends CallFacts {
  /** The approval, while it can be decided. */
  readonly approval: PendingApproval | undefined;
  /** The request with its decision, if the request needs the user. */
  readonly undelivered: Undelivered | undefined;
  /** What the user can do about a decision that is held, or about that request. */
  readonly acts: readonly CallAct[];
  /** Whether it is a call of the last message. */
  readonly isLast: boolean;
}

/**
 * Why a decision is held, if it does not wait for other decisions of its step. What `stop` holds is held until the user
 * acts on it, even while other calls are undecided.
 */
export function heldUntil(
  { delivery }: AnyToolPart,
  turn: Pick<GateView['turn'], 'undecided' | 'waitingFor'>,
): 'reply' | 'resume' | undefined {
  if (delivery !== 'held') return undefined;
  const kinds = turn.waitingFor.map(({ kind }) => kind);
  return kinds.includes('resume') ? 'resume' : turn.undecided === 0 && kinds.includes('reply') ? 'reply' : undefined;
}

/**
 * The user's acts on a decision that is not with the backend; the names are those of their texts. `sendNow`:
 * `resume()`. `doNotRun`: `cancel(reason, { approvalId })`. `retry`: `retry(id)`. `giveUp`: `cancel(reason, { id })`.
 */
export type CallAct = 'sendNow' | 'doNotRun' | 'retry' | 'giveUp';

const NO_ACTS: readonly CallAct[] = [];

/** The acts that `waitingFor` names for a call. `undelivered`: the request with its decision, if it needs the user. */
export function actsOn(
  part: AnyToolPart,
  turn: Pick<GateView['turn'], 'undecided' | 'waitingFor'>,
  undelivered: Undelivered | undefined,
): readonly CallAct[] {
  if (heldUntil(part, turn) === 'resume')
    return part.state === 'approval-responded' && part.approval?.approved ? ['sendNow', 'doNotRun'] : ['sendNow'];
  const awaited = undelivered && turn.waitingFor.find((entry) => 'ids' in entry && entry.ids.includes(undelivered.id));
  return awaited ? (awaited.kind === 'retry' ? ['retry', 'giveUp'] : ['giveUp']) : NO_ACTS;
}

/** The request with the decision on this approval, if the request needs the user. */
export const undeliveredOf = (
  approvalId: string | undefined,
  view: Pick<GateView, 'undelivered'> | undefined,
): Undelivered | undefined =>
  approvalId === undefined ? undefined : view?.undelivered.find(({ approvalIds }) => approvalIds.includes(approvalId));

/** Whether the turn ended without results that could still arrive. */
export const isOver = ({ status }: Pick<GateView['turn'], 'status'>): boolean => status !== 'open' && status !== 'done';

/** Reads the view. Without one, nothing is known. */
export function factsOf(
  part: AnyToolPart,
  view: Pick<GateView, 'messages' | 'pending' | 'undelivered' | 'turn'> | undefined,
): FactsOfView {
  const id = part.approval?.id;
  const isAsked = part.state === 'approval-requested' && id !== undefined;
  const approval = isAsked
    ? view?.pending.find((entry) => entry.approvalId === id && entry.toolCallId === part.toolCallId)
    : undefined;
  const undelivered = undeliveredOf(id, view);
  const last = view?.messages.at(-1);
  const isLast = last?.parts.some((other) => 'toolCallId' in other && other.toolCallId === part.toolCallId) ?? false;
  return {
    isOver: isLast && view !== undefined && isOver(view.turn),
    // A part that the view does not contain is older or newer than the view: its component will get another one.
    isClosed: isAsked && !approval && part.approval?.isAutomatic !== true && isIn(last, part),
    heldUntil: view && heldUntil(part, view.turn),
    approval,
    undelivered,
    acts: view ? actsOn(part, view.turn, undelivered) : NO_ACTS,
    isLast,
  };
}

const isIn = (message: GateView['messages'][number] | undefined, part: AnyToolPart): boolean =>
  (message?.parts as readonly unknown[] | undefined)?.includes(part) ?? false;
