/** `<ToolApprovals>` and `<ToolApproval>`: the elements of `toolgate/element` as components. */
import type { AllowedComponentProps, VNode, VNodeProps } from 'vue';
import type { DecisionDetail, DecisionErrorDetail } from '../../element/card-events.js';
import { APPROVAL, APPROVAL_PROPS, APPROVALS, type ApprovalProps, type ApprovalsProps } from '../approval-element.js';
import type { AnyTools } from '../../types/index.js';
import { renderElement, type Setup } from './vue-element.js';

/**
 * A listener that may also accept a narrower event. Templates do not infer `T`, and would else refuse a listener of
 * `DecisionDetail<MyMessage>`.
 */
type Listener<EVENT> = { listen(event: EVENT): void }['listen'];

/** The events of both components. */
export interface ApprovalEvents<T extends AnyTools = AnyTools> {
  /** The user has decided, and the gate accepted the decision. */
  readonly onDecision?: Listener<CustomEvent<DecisionDetail<T>>> | undefined;
  /** The gate rejected the user's decision. */
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/** The events that both components emit. */
const EVENTS = ['decision', 'decision-error'];

/**
 * Shows a card for each approval of a chat: `<ToolApprovals :chat="chat" />`. `chat` or `gate` may be what
 * `useGuardedChat` returned, a guarded chat, a `ToolGate`, or null; by default, it is that of `provideGate`. Registers
 * the element `<tool-approvals>`, and loads its script when there is something to show. Events: `decision` and
 * `decision-error`.
 */
// An object without calls, so that bundlers omit it where it is not used.
export const ToolApprovals = {
  name: 'ToolApprovals',
  props: APPROVAL_PROPS,
  emits: EVENTS,
  setup: ((props, { emit }) => renderElement(APPROVALS, props, emit)) as Setup,
} as unknown as <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalsProps<T> & ApprovalEvents<T>,
) => VNode;

/**
 * Shows the card of one call: `<ToolApproval :chat="chat" :part="part" />`. Instead of `part` it takes `toolCallId` or
 * `approvalId`. See {@link ToolApprovals}.
 */
export const ToolApproval = {
  name: 'ToolApproval',
  props: APPROVAL_PROPS,
  emits: EVENTS,
  setup: ((props, { emit }) => renderElement(APPROVAL, props, emit)) as Setup,
} as unknown as <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalProps<T> & ApprovalEvents<T>,
) => VNode;
