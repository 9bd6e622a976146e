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
  /** Whether `retry` can send that request again. */
  readonly canRetry: boolean;
  /** Whether a reply to its message is awaited or arriving. */
  readonly isReplying: boolean;
}

/** Why a decision is held, if it does not wait for other decisions of its step. */
export function heldUntil(
  { delivery }: AnyToolPart,
  turn: Pick<GateView['turn'], 'undecided' | 'waitingFor'>,
): 'reply' | 'resume' | undefined {
  if (delivery !== 'held' || turn.undecided > 0) return undefined;
  const kinds = turn.waitingFor.map(({ kind }) => kind);
  return kinds.includes('resume') ? 'resume' : kinds.includes('reply') ? 'reply' : undefined;
}

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
  const undelivered =
    id === undefined ? undefined : view?.undelivered.find(({ approvalIds }) => approvalIds.includes(id));
  const last = view?.messages.at(-1);
  const isLast = last?.parts.some((other) => 'toolCallId' in other && other.toolCallId === part.toolCallId) ?? false;
  const waitingFor = view?.turn.waitingFor ?? [];
  return {
    isOver: isLast && view !== undefined && isOver(view.turn),
    // A part that the view does not contain is older or newer than the view: its component will get another one.
    isClosed: isAsked && !approval && part.approval?.isAutomatic !== true && isIn(last, part),
    heldUntil: view && heldUntil(part, view.turn),
    approval,
    undelivered,
    canRetry: waitingFor.some((entry) => entry.kind === 'retry' && entry.ids.includes(undelivered?.id ?? '')),
    isReplying: isLast && waitingFor.some(({ kind }) => kind === 'reply'),
  };
}

const isIn = (message: GateView['messages'][number] | undefined, part: AnyToolPart): boolean =>
  (message?.parts as readonly unknown[] | undefined)?.includes(part) ?? false;
