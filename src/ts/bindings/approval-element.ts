/** What the components `ToolApprovals` and `ToolApproval` of all bindings do with their custom element. */
import { defineToolApproval, type ToolApprovalProps, type ToolApprovalsProps } from '../element/define.js';
import type { DecisionDetail, DecisionErrorDetail } from '../element/card-events.js';
import { gateIn, type GateSource, type GateSourceOf } from '../gate/gate-source.js';
import type { AnyTools } from '../types/index.js';

/** The props of `ToolApprovals`, without events. `T`: the app's message type or tools, which a chat has. */
export interface ApprovalsProps<T extends AnyTools = AnyTools> extends Pick<
  ToolApprovalsProps,
  'texts' | 'validateInput' | 'tools' | 'remember' | 'headingLevel' | 'theme'
> {
  /** A `ToolGate`, or a chat that `guard` returned. */
  readonly gate?: GateSourceOf<T>;
  /** What `useGuardedChat` returned, or a guarded chat. The same as `gate`. */
  readonly chat?: GateSourceOf<T>;
}

/** The props of `ToolApproval`, without events. */
export interface ApprovalProps<T extends AnyTools = AnyTools>
  extends ApprovalsProps<T>, Pick<ToolApprovalProps, 'approvalId' | 'toolCallId' | 'messageId' | 'announce'> {
  /** The tool part to show, as it is in the messages of the chat. Takes the place of the three ids. */
  readonly part?: { readonly toolCallId: string } | undefined;
}

/** The functions that are called for the element's events. */
export interface ApprovalListeners {
  readonly onDecision: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  readonly onDecisionError: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/** The properties of both elements, besides `gate`. */
const COMMON = ['texts', 'validateInput', 'tools', 'remember', 'headingLevel'] as const;

/** The names of all props that are not HTML attributes. */
export const APPROVAL_PROPS = [
  'gate',
  'chat',
  'texts',
  'validateInput',
  'tools',
  'remember',
  'headingLevel',
  'theme',
  'part',
  'approvalId',
  'toolCallId',
  'messageId',
  'announce',
] as const satisfies readonly (keyof ApprovalProps)[];

/** Registers the elements and sets the properties of one. Call it when it was created and when a prop has changed. */
export function showApprovals(element: HTMLElement, source: GateSource, props: ApprovalProps): void {
  defineToolApproval();
  const own = element as unknown as Record<string, unknown>;
  const set = (name: string, value: unknown): void => {
    if (own[name] !== value) own[name] = value;
  };
  for (const name of COMMON) set(name, props[name]);
  if (props.theme === undefined) element.removeAttribute('theme');
  else element.setAttribute('theme', props.theme);
  if (element.localName === 'tool-approval') {
    const { part, toolCallId = part?.toolCallId, messageId = messageOf(source, part) } = props;
    set('approvalId', props.approvalId);
    set('toolCallId', toolCallId);
    set('messageId', messageId);
    set('announce', props.announce);
  }
  own['gate'] = source;
}

/** Calls the listeners of `latest()` for the element's events. Returns an unsubscribe function. */
export function listenTo(element: HTMLElement, latest: () => ApprovalListeners): () => void {
  const decided = (event: Event): void => latest().onDecision?.(event as CustomEvent<DecisionDetail>);
  const failed = (event: Event): void => latest().onDecisionError?.(event as CustomEvent<DecisionErrorDetail>);
  element.addEventListener('decision', decided);
  element.addEventListener('decision-error', failed);
  return () => {
    element.removeEventListener('decision', decided);
    element.removeEventListener('decision-error', failed);
  };
}

/** The message of a part, if another part has the same call id: the element shows the newest call otherwise. */
function messageOf(source: GateSource, part: { readonly toolCallId: string } | undefined): string | undefined {
  const gate = part && gateIn(source);
  if (!gate || gate.part(part.toolCallId) === part) return undefined;
  return gate.getSnapshot().messages.findLast(({ parts }) => (parts as unknown[]).includes(part))?.id;
}
