/**
 * `<ToolApprovals>` and `<ToolApproval>`: the elements of `toolgate/element` as components. A raw snippet renders the
 * element in the page and on a server, so that apps need not compile a file of this package.
 */
import { createRawSnippet, type Component, type ComponentConstructorOptions, type SvelteComponent } from 'svelte';
import { toStore } from 'svelte/store';
import type { DecisionDetail, DecisionErrorDetail } from '../../element/card-events.js';
import { chatOf, type GateSource } from '../../gate/gate-source.js';
import { listenTo, showApprovals, type ApprovalProps, type ApprovalsProps } from '../approval-element.js';
import type { AnyTools } from '../../types/index.js';
import { providedGate } from './svelte-gate.js';

/** The events of both components. */
interface ApprovalEvents<T extends AnyTools> {
  /** Called when the user has decided, and the gate accepted the decision. */
  readonly ondecision?: ((event: CustomEvent<DecisionDetail<T>>) => void) | undefined;
  /** Called when the gate rejected the user's decision. */
  readonly ondecisionerror?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/** The props of {@link ToolApprovals}. */
export interface ToolApprovalsProps<T extends AnyTools = AnyTools> extends ApprovalsProps<T>, ApprovalEvents<T> {}

/** The props of {@link ToolApproval}. */
export interface ToolApprovalProps<T extends AnyTools = AnyTools> extends ApprovalProps<T>, ApprovalEvents<T> {}

/** A component with a type parameter, as the tools of Svelte write one: with a signature of Svelte 4 and one of 5. */
interface ApprovalsComponent {
  new <T extends AnyTools = AnyTools>(
    options: ComponentConstructorOptions<ToolApprovalsProps<T>>,
  ): SvelteComponent<ToolApprovalsProps<T>>;
  <T extends AnyTools = AnyTools>(
    internals: Parameters<Component>[0],
    props: ToolApprovalsProps<T>,
  ): ReturnType<Component>;
}

/** The same for {@link ToolApproval}. */
interface ApprovalComponent {
  new <T extends AnyTools = AnyTools>(
    options: ComponentConstructorOptions<ToolApprovalProps<T>>,
  ): SvelteComponent<ToolApprovalProps<T>>;
  <T extends AnyTools = AnyTools>(
    internals: Parameters<Component>[0],
    props: ToolApprovalProps<T>,
  ): ReturnType<Component>;
}

/**
 * Shows a card for each approval of a chat: `<ToolApprovals {chat} />`. `chat` or `gate` may be what `useGuardedChat`
 * returned, a guarded chat, a `ToolGate`, or null; by default, it is that of `provideGate`. Registers the element
 * `<tool-approvals>`, and loads its script when there is something to show.
 */
export const ToolApprovals = ((place: unknown, props: ToolApprovalProps) =>
  renderElement('tool-approvals', place, props)) as unknown as ApprovalsComponent;

/**
 * Shows the card of one call: `<ToolApproval {chat} {part} />`. Instead of `part` it takes `toolCallId` or
 * `approvalId`. See {@link ToolApprovals}.
 */
export const ToolApproval = ((place: unknown, props: ToolApprovalProps) =>
  renderElement('tool-approval', place, props)) as unknown as ApprovalComponent;

/** Renders the element. A component and a snippet are both functions of the place in the page. */
function renderElement(tag: string, place: unknown, props: ToolApprovalProps): unknown {
  const isGiven = props.gate !== undefined || props.chat !== undefined;
  const provided = isGiven ? undefined : providedGate();
  const snippet = createRawSnippet(() => ({
    render: () => `<${tag}></${tag}>`,
    setup: (element) => show(element as HTMLElement, props, provided),
  })) as unknown as (place: unknown) => unknown;
  return snippet(place);
}

function show(element: HTMLElement, props: ToolApprovalProps, provided: (() => GateSource) | undefined): () => void {
  // An effect: the store has a new value when a prop has changed.
  const shown = toStore(() => {
    const source = props.gate ?? props.chat ?? provided?.();
    return { source: source && chatOf(source), props: { ...props } };
  });
  const stopShowing = shown.subscribe((now) => showApprovals(element, now.source, now.props));
  const stopListening = listenTo(element, () => ({
    onDecision: props.ondecision,
    onDecisionError: props.ondecisionerror,
  }));
  return () => {
    stopShowing();
    stopListening();
    (element as { gate?: unknown }).gate = null;
  };
}
