/** `<ToolApprovals>` and `<ToolApproval>`: the elements of `toolgate/element` as components. */
import { h, onBeforeUnmount, onMounted, shallowRef, toValue, watchPostEffect } from 'vue';
import type { AllowedComponentProps, VNode, VNodeProps } from 'vue';
import type { DecisionDetail, DecisionErrorDetail } from '../../element/card-events.js';
import type { GateSource } from '../../gate/gate-source.js';
import {
  APPROVAL_PROPS,
  listenTo,
  showApprovals,
  type ApprovalProps,
  type ApprovalsProps,
} from '../approval-element.js';
import type { AnyTools } from '../../types/index.js';
import { sourceOf } from './vue-gate.js';

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
  setup: (props: ApprovalProps, { emit }: Context) => showElement('tool-approvals', props, emit),
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
  setup: (props: ApprovalProps, { emit }: Context) => showElement('tool-approval', props, emit),
} as unknown as <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalProps<T> & ApprovalEvents<T>,
) => VNode;

interface Context {
  readonly emit: (event: string, detail: CustomEvent) => void;
}

/** Returns the render function of a component. */
function showElement(tag: string, props: ApprovalProps, emit: Context['emit']): () => VNode {
  const element = shallowRef<HTMLElement>();
  const provided = sourceOf(props.gate === undefined && props.chat === undefined ? undefined : null);
  const source = (): GateSource => props.gate ?? props.chat ?? toValue(provided);
  let stopListening = (): void => {};
  onMounted(() => {
    stopListening = listenTo(element.value!, () => ({
      onDecision: (event) => emit('decision', event),
      onDecisionError: (event) => emit('decision-error', event),
    }));
  });
  watchPostEffect(() => {
    if (element.value) showApprovals(element.value, source(), props);
  });
  onBeforeUnmount(() => {
    stopListening();
    (element.value as { gate?: unknown }).gate = null;
  });
  return () => h(tag, { ref: element });
}
