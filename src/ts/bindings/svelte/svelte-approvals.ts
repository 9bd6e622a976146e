/** `<ToolApprovals>` and `<ToolApproval>`: the elements of `toolgate/element` as components. */
import type { Component, ComponentConstructorOptions, SvelteComponent } from 'svelte';
import type { DecisionDetail, DecisionErrorDetail } from '../../element/card-events.js';
import { APPROVAL, APPROVALS, type ApprovalProps, type ApprovalsProps } from '../approval-element.js';
import type { AnyTools } from '../../types/index.js';
import { renderElement } from './svelte-element.js';

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
  renderElement(APPROVALS, place, props)) as unknown as ApprovalsComponent;

/**
 * Shows the card of one call: `<ToolApproval {chat} {part} />`. Instead of `part` it takes `toolCallId` or
 * `approvalId`. See {@link ToolApprovals}.
 */
export const ToolApproval = ((place: unknown, props: ToolApprovalProps) =>
  renderElement(APPROVAL, place, props)) as unknown as ApprovalComponent;
