/** `<ToolApprovals>` and `<ToolApproval>`: the elements of `toolgate/element` as components, for React 18 too. */
import type { HTMLAttributes, ReactElement } from 'react';
import type { DecisionDetail, DecisionErrorDetail } from '../../element/card-events.js';
import { APPROVAL, APPROVALS, type ApprovalProps, type ApprovalsProps } from '../approval-element.js';
import type { AnyTools } from '../../types/index.js';
import { useElement } from './react-element.js';

/** The events of both components, and the attributes of their element. */
interface CommonProps<T extends AnyTools> extends Omit<HTMLAttributes<HTMLElement>, 'children' | 'part'> {
  /** Called when the user has decided, and the gate accepted the decision. */
  readonly onDecision?: ((event: CustomEvent<DecisionDetail<T>>) => void) | undefined;
  /** Called when the gate rejected the user's decision. */
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/** The props of {@link ToolApprovals}. */
export interface ToolApprovalsProps<T extends AnyTools = AnyTools> extends ApprovalsProps<T>, CommonProps<T> {}

/** The props of {@link ToolApproval}. */
export interface ToolApprovalProps<T extends AnyTools = AnyTools> extends ApprovalProps<T>, CommonProps<T> {}

/**
 * Shows a card for each approval of a chat: `<ToolApprovals chat={chat} />`. `chat` or `gate` may be what
 * `useGuardedChat` returned, a guarded chat, a `ToolGate`, or null; by default, it is that of the nearest
 * `GateProvider`. Registers the element `<tool-approvals>`, and loads its script when there is something to show.
 */
export function ToolApprovals<T extends AnyTools = AnyTools>(props: ToolApprovalsProps<T>): ReactElement {
  return useElement(APPROVALS, props);
}

/**
 * Shows the card of one call: `<ToolApproval chat={chat} part={part} />`. Instead of `part` it takes `toolCallId` or
 * `approvalId`. See {@link ToolApprovals}.
 */
export function ToolApproval<T extends AnyTools = AnyTools>(props: ToolApprovalProps<T>): ReactElement {
  return useElement(APPROVAL, props);
}
