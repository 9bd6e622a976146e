/** `<ToolApprovals>` and `<ToolApproval>`: the elements of `toolgate/element` as components. */
import {
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  toValue,
  watchPostEffect,
  type DefineComponent,
} from 'vue';
import type { DecisionDetail, DecisionErrorDetail } from '../../element/card-events.js';
import type { GateSource } from '../../gate/gate-source.js';
import {
  APPROVAL_PROPS,
  listenTo,
  showApprovals,
  type ApprovalProps,
  type ApprovalsProps,
} from '../approval-element.js';
import { sourceOf } from './vue-gate.js';

/** The events of both components. */
export interface ApprovalEvents {
  /** The user has decided, and the gate accepted the decision. */
  readonly onDecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  /** The gate rejected the user's decision. */
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/**
 * Shows a card for each approval of a chat: `<ToolApprovals :chat="chat" />`. `chat` or `gate` may be what
 * `useGuardedChat` returned, a guarded chat, a `ToolGate`, or null; by default, it is that of `provideGate`. Registers
 * the element `<tool-approvals>`, and loads its script when there is something to show. Events: `decision` and
 * `decision-error`.
 */
export const ToolApprovals = /* @__PURE__ */ component('tool-approvals') as DefineComponent<
  ApprovalsProps & ApprovalEvents
>;

/**
 * Shows the card of one call: `<ToolApproval :chat="chat" :part="part" />`. Instead of `part` it takes `toolCallId` or
 * `approvalId`. See {@link ToolApprovals}.
 */
export const ToolApproval = /* @__PURE__ */ component('tool-approval') as DefineComponent<
  ApprovalProps & ApprovalEvents
>;

function component(tag: 'tool-approvals' | 'tool-approval') {
  return defineComponent({
    name: tag === 'tool-approval' ? 'ToolApproval' : 'ToolApprovals',
    props: [...APPROVAL_PROPS],
    emits: ['decision', 'decision-error'],
    setup(given, { emit }) {
      const props = given as ApprovalProps;
      const element = shallowRef<HTMLElement>();
      const provided = sourceOf(props.gate === undefined && props.chat === undefined ? undefined : null);
      const source = (): GateSource => props.gate ?? props.chat ?? toValue(provided);
      let end = (): void => {};
      onMounted(() => {
        end = listenTo(element.value!, () => ({
          onDecision: (event) => emit('decision', event),
          onDecisionError: (event) => emit('decision-error', event),
        }));
      });
      watchPostEffect(() => {
        if (element.value) showApprovals(element.value, source(), props);
      });
      onBeforeUnmount(() => {
        end();
        (element.value as { gate?: unknown }).gate = null;
      });
      return () => h(tag, { ref: element });
    },
  });
}
