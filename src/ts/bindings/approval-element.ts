/** What the components `ToolApprovals` and `ToolApproval` of all bindings do with their custom element. */
import { defineToolApproval, type ToolApprovalProps, type ToolApprovalsProps } from '../element/define.js';
import type { GateSource } from '../gate/gate-source.js';
import type { AnyTools } from '../types/index.js';
import {
  callOf,
  setGate,
  setProperties,
  type CallProps,
  type ShownElement,
  type SourceProps,
} from './shown-element.js';

/** The props of `ToolApprovals`, without events. `T`: the app's message type or tools, which a chat has. */
export interface ApprovalsProps<T extends AnyTools = AnyTools>
  extends
    SourceProps<T>,
    Pick<ToolApprovalsProps, 'texts' | 'validateInput' | 'tools' | 'remember' | 'headingLevel' | 'theme' | 'view'> {}

/** The props of `ToolApproval`, without events. */
export interface ApprovalProps<T extends AnyTools = AnyTools>
  extends Omit<ApprovalsProps<T>, 'view'>, CallProps, Pick<ToolApprovalProps, 'approvalId' | 'announce'> {}

const EVENTS = { decision: 'onDecision', 'decision-error': 'onDecisionError' };

/** The names of all props that are not HTML attributes. From the seventh on, each is a property of the element. */
export const APPROVAL_PROPS = [
  'gate',
  'chat',
  'theme',
  'part',
  'toolCallId',
  'messageId',
  'texts',
  'validateInput',
  'tools',
  'remember',
  'headingLevel',
  'approvalId',
  'announce',
  'view',
] as const satisfies readonly (keyof (ApprovalProps & ApprovalsProps))[];

/** The element of `ToolApprovals`. */
export const APPROVALS: ShownElement = { tag: 'tool-approvals', props: APPROVAL_PROPS, events: EVENTS, show };

/** The element of `ToolApproval`. */
export const APPROVAL: ShownElement = { tag: 'tool-approval', props: APPROVAL_PROPS, events: EVENTS, show };

function show(element: HTMLElement, source: GateSource, props: ApprovalProps & ApprovalsProps): void {
  defineToolApproval();
  const values = APPROVAL_PROPS.slice(6).map((name) => [name, props[name]]);
  // A list has no call, and a card no view: both stay undefined.
  setProperties(element, { ...Object.fromEntries(values), ...callOf(source, props) }, props.theme);
  setGate(element, source);
}
