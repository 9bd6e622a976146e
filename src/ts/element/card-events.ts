/** What the events of a card say. No code. */
import type { Remember } from '../types/index.js';

/** What a `decision` event says: the gate has taken this answer. */
export interface DecisionDetail {
  /** The approval that was answered. */
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason of a denial, as the user typed it. */
  readonly reason?: string;
  /** What the user asked to remember. */
  readonly remember?: Remember;
  /** The input as the user edited it. */
  readonly input?: unknown;
  /** `duplicate`: the same answer had been given already. */
  readonly result: 'accepted' | 'duplicate';
}

/** What a `decision-error` event says: the gate refused the answer, with a `ToolGateError` as a rule. */
export interface DecisionErrorDetail {
  /** The approval that was to be answered, or sent again. */
  readonly approvalId: string;
  /** What the gate threw. The card shows what it means in its own words. */
  readonly error: unknown;
}
