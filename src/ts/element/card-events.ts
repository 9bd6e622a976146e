/** The details of the events that a card dispatches. */
import type { AnyTools, Remember, ToolNameOf } from '../types/index.js';

/** The detail of a `decision` event: the gate accepted this decision. `T`: the app's message type or tools. */
export type DecisionDetail<T extends AnyTools = AnyTools> = DecisionOnTool<ToolNameOf<T>>;

/** The fields of a {@link DecisionDetail}. */
export interface DecisionOnTool<NAME extends string> {
  /** The approval that the user decided. */
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: NAME;
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason of a denial, as the user typed it. */
  readonly reason?: string;
  /** For which later calls the decision applies. */
  readonly remember?: Remember;
  /** The edited input, as the user wrote it. Only `validateInput` has checked it. */
  readonly input?: unknown;
  /** `duplicate`: the same decision existed already. */
  readonly result: 'accepted' | 'duplicate';
}

/** The detail of a `decision-error` event: the gate rejected the decision, usually with a `ToolGateError`. */
export interface DecisionErrorDetail {
  /** The approval that the user decided, or whose decision the user wanted to send again. */
  readonly approvalId: string;
  /** The error that the gate threw. The card shows its own text for it. */
  readonly error: unknown;
}
