/**
 * Maps the state of a call to its status, and the status to a colour scheme. The gate owns state, outcome and delivery;
 * this module only reads them.
 */
import type { DeliveryState, Outcome, OutcomeKind, ToolState } from '../types/index.js';

/**
 * The status of a call. `checking`: the backend decides about it, without the user. `forwarded`: passed to the leader
 * tab, which has not confirmed it. `approved`: decided and not sent yet. `unknown`: the reply ended without a result.
 * `forwarded`, `undelivered` and `unconfirmed` also apply to denials.
 */
export type CallStatus =
  | 'drafting'
  | 'running'
  | 'checking'
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

/**
 * The colour scheme of a status. `wait`: the user must act or wait for something. `busy`: the model, the server or the
 * tool is at work. `yes`: as the user wanted. `no`: it failed or was denied. `quiet`: it did not happen.
 */
export type CallTone = 'wait' | 'busy' | 'yes' | 'no' | 'quiet';

/** The colour scheme of each status. */
export const TONES: Readonly<Record<CallStatus, CallTone>> = {
  drafting: 'busy',
  running: 'busy',
  checking: 'busy',
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

/**
 * A tool part: of a gate's view, of a guarded chat, or of a plain chat of the AI SDK (`ToolUIPart`,
 * `DynamicToolUIPart`).
 */
export interface AnyToolPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly state: ToolState;
  readonly toolName?: string | undefined;
  readonly title?: string | undefined;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string | undefined;
  readonly preliminary?: boolean | undefined;
  readonly approval?: AnyApproval | undefined;
  readonly callProviderMetadata?: unknown;
  readonly outcome?: Outcome | undefined;
  readonly decidedBy?: 'remembered' | 'policy' | undefined;
  readonly delivery?: DeliveryState | undefined;
}

/** The approval of a tool part. */
export interface AnyApproval {
  readonly id: string;
  readonly approved?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly isAutomatic?: boolean | undefined;
  readonly requestReason?: string | undefined;
}

/** The outcomes of calls that no tool has answered. */
const UNANSWERED: readonly unknown[] = ['denied', 'skipped', 'cancelled', 'expired', 'interrupted'];

/**
 * Returns how a call settled; undefined if it has not. A plain part has no `outcome`: there it follows from the
 * metadata that Toolgate writes into requests, and from the state.
 */
export function outcomeOf(part: AnyToolPart): Outcome | undefined {
  if (part.outcome) return part.outcome;
  const { approval, state } = part;
  const own = (part.callProviderMetadata as { toolgate?: Record<string, unknown> } | null | undefined)?.toolgate;
  if (UNANSWERED.includes(own?.['outcome'])) {
    const { outcome, reason, mayHaveRun } = own!;
    return {
      kind: outcome as OutcomeKind,
      ...(typeof reason === 'string' && { reason }),
      ...(mayHaveRun === true && { mayHaveRun }),
    };
  }
  if (state === 'output-available') return part.preliminary ? undefined : { kind: 'executed' };
  if (state === 'output-error') return { kind: 'failed' };
  if (state === 'output-denied' || approval?.approved === false) {
    return { kind: 'denied', ...(approval?.reason !== undefined && { reason: approval.reason }) };
  }
  return undefined;
}

/**
 * Returns the status of a call. `isOver`: the turn failed or stalled, so no further events are expected. `isClosed`:
 * its approval can no longer be decided.
 */
export function statusOf(part: AnyToolPart, isOver: boolean, isClosed: boolean): CallStatus {
  const { delivery } = part;
  // Delivery comes first: until the leader confirms the decision, this tab knows nothing more about it.
  if (delivery === 'forwarded') return 'forwarded';
  if (delivery === 'failed') return 'undelivered';
  if (delivery === 'unconfirmed') return 'unconfirmed';
  const outcome = outcomeOf(part);
  if (outcome) return outcome.kind === 'executed' ? 'done' : outcome.kind;
  switch (part.state) {
    case 'input-streaming':
      return isOver ? 'interrupted' : 'drafting';
    case 'input-available':
      return isOver ? 'unknown' : 'running';
    case 'approval-requested':
      if (part.approval?.isAutomatic) return isOver ? 'unknown' : 'checking';
      return isClosed ? 'interrupted' : 'waiting';
    case 'approval-responded':
      if (delivery === 'acknowledged') return isOver ? 'unknown' : 'working';
      // The backend's own decision is not sent to it.
      if (delivery === undefined && part.approval?.isAutomatic) return isOver ? 'unknown' : 'running';
      return delivery === 'in-flight' ? 'sending' : 'approved';
    default:
      return 'working';
  }
}
