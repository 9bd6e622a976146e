'use client';
/**
 * `toolgate/react`: `useGuardedChat`, and hooks for a gate or a guarded chat. Each of these but `useGateActions` is one
 * `useSyncExternalStore` on the gate, and causes a render only when its return value changes. On the server and during
 * hydration they return an empty chat, so the core need not be loaded there. They have no state of their own.
 */
import { createElement, useCallback, useMemo, useSyncExternalStore, type ReactElement, type ReactNode } from 'react';
import {
  approvalOf,
  descriptionReader,
  messagesOf,
  partOf,
  pendingOf,
  rememberedOf,
  selectReader,
  undeliveredOf,
  type Gate,
  type ShownCall,
} from '../selectors.js';
import { actionsOf, type GateActions } from '../actions.js';
import type { AnyToolPart } from '../../describe/call-status.js';
import type { CallTexts } from '../../describe/call-texts.js';
import type { CallDescription } from '../../describe/describe-call.js';
import type { ToolApprovalTags } from '../../element/define.js';
import { gateIn, isGuarded, onReady, type GateSource, type GateSourceOf } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type {
  AnyTools,
  GateMessage,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../../types/index.js';
import { GateContext, stable, useSource } from './react-gate.js';

export { ToolApproval, ToolApprovals } from './react-approvals.js';
export type { ToolApprovalProps, ToolApprovalsProps } from './react-approvals.js';
export { ToolQuestion } from './react-question.js';
export type { ToolQuestionProps } from './react-question.js';
export { useGuardedChat } from './react-chat.js';
export { useInbox } from './react-inbox.js';
export type { UseGuardedChatHelpers } from './react-chat.js';
export type { SharedChat, UseGuardedChatOptions } from '../guarded-chat.js';
export type { GateActions } from '../actions.js';
export type { ShownCall } from '../selectors.js';
export { describeCall } from '../../describe/describe-call.js';
export { describeRefusal } from '../../describe/describe-refusal.js';
export type { CallDescription } from '../../describe/describe-call.js';

declare module 'react' {
  namespace JSX {
    /** The elements of `toolgate/element`. */
    interface IntrinsicElements extends ToolApprovalTags<
      import('react').HTMLAttributes<HTMLElement> & import('react').RefAttributes<HTMLElement>
    > {}
  }
}

/** Props of {@link GateProvider}. */
export interface GateProviderProps {
  /** A `ToolGate`, a guarded chat, what `useGuardedChat` returned, or `null` while there is none. */
  readonly gate: GateSource;
  /** The components whose hooks use this gate. */
  readonly children?: ReactNode;
}

/** Provides a gate to the hooks of its descendants. */
export function GateProvider({ gate, children }: GateProviderProps): ReactElement {
  return createElement(GateContext.Provider, { value: stable(gate) ?? null }, children);
}

/**
 * Returns the gate itself, for everything that the other hooks do not cover; `null` while there is none. Changes of the
 * gate do not cause a render. Every hook takes a gate or guarded chat (or `null`) as its last argument; by default, it
 * uses that of the nearest `GateProvider`. Throws a `TypeError` if there is neither.
 */
export function useGate(gate?: GateSource): ToolGate | null {
  const source = useSource(gate);
  const found = useCall<undefined, Gate>(identity, undefined, gate, onReady);
  // While a page hydrates, a chat is as it was on the server: without a gate.
  return (source && isGuarded(source) ? found : gateIn(source)) ?? null;
}

/**
 * Returns `respond`, `respondAll`, `cancel`, `retry` and `resume`. The functions are the same until the gate changes.
 */
export function useGateActions(gate?: GateSource): GateActions {
  return actionsOf(useSource(gate));
}

/**
 * Returns the approvals that can be decided now, in call order. Each is the same object until its call changes. `T` is
 * the app's message type or tools. It is inferred from a chat; without one, name it: `useApprovals<MyMessage>()`.
 */
export function useApprovals<T extends AnyTools = AnyTools>(gate?: GateSourceOf<T>): readonly PendingApproval<T>[] {
  return useRead(pendingOf<T>, gate);
}

/**
 * Returns the approval of one call; undefined if it cannot be decided now. Pass the call's id, or its tool part if the
 * component has it. With a part, the hook does not subscribe to changes of the call.
 */
export function useApproval<T extends AnyTools = AnyTools>(
  call: ShownCall,
  gate?: GateSourceOf<T>,
): PendingApproval<T> | undefined {
  const isPart = typeof call !== 'string';
  // With a part, the hook only waits for the chat to get its gate: until then, no approval can be decided. The snapshot
  // is the gate, because React reads a snapshot again after it has mounted a component.
  const found = useCall<ShownCall, Gate | PendingApproval<T>>(
    isPart ? identity : approvalOf<T>,
    call,
    gate,
    isPart ? onReady : follow,
  );
  return isPart ? approvalOf<T>(found as Gate, call) : (found as PendingApproval<T> | undefined);
}

/** Returns the part of one call, in any state; undefined if there is none. Changes of other parts cause no render. */
export function useToolPart<T extends AnyTools = AnyTools>(
  toolCallId: string,
  gate?: GateSourceOf<T>,
): ToolPart<T> | undefined {
  return useCall(partOf<T>, toolCallId, gate, follow);
}

/**
 * Returns what to show for a call, and what the user can do about it: `describeCall(part, { view, texts })`. Causes a
 * render only when that changes. `texts` replaces the English words: pass the same object at each render.
 */
export function useCallDescription(part: AnyToolPart, gate?: GateSource, texts?: Partial<CallTexts>): CallDescription {
  return useRead(
    useMemo(() => descriptionReader(part, texts), [part, texts]),
    gate,
  );
}

/** Returns the transcript. Unchanged messages and parts are the same objects as before, so `memo` works. */
export function useMessages<T extends AnyTools = AnyTools>(gate?: GateSourceOf<T>): GateMessage<T>[] {
  return useRead(messagesOf<T>, gate);
}

/** Returns items that failed, stalled or may not have arrived. `retry(id)` sends one again, `cancel()` abandons all. */
export function useUndelivered(gate?: GateSource): readonly Undelivered[] {
  return useRead(undeliveredOf, gate);
}

/** Returns the decisions that apply to later calls too. `forget(id)` of the gate removes one. */
export function useRemembered(gate?: GateSource): readonly RememberedDecision[] {
  return useRead(rememberedOf, gate);
}

/** Returns the whole view. Every change causes a render. */
export function useGateView<T extends AnyTools = AnyTools>(): GateView<T>;
/** Returns `select(view)`, such as `view => view.status`. Causes a render when that value changes (`Object.is`). */
export function useGateView<R, T extends AnyTools = AnyTools>(
  select: (view: GateView<T>) => R,
  gate?: GateSourceOf<T>,
): R;
export function useGateView(select: (view: GateView) => unknown = identity, gate?: GateSource): unknown {
  return useRead(
    useMemo(() => selectReader(select), [select]),
    gate,
  );
}

function identity<T>(value: T): T {
  return value;
}

type Follow = (source: GateSource, listener: () => void, toolCallId?: string) => () => void;

function useRead<T>(read: (gate: Gate) => T, gate: GateSource): T {
  return useCall(read, undefined, gate, follow);
}

/** Reads a value of one call, and follows that call only; without a call, follows all. */
function useCall<C extends ShownCall | undefined, T>(
  read: (gate: Gate, call: C) => T,
  call: C,
  gate: GateSource,
  followSource: Follow,
): T {
  const source = useSource(gate);
  const id = typeof call === 'string' ? call : undefined;
  const subscribe = useCallback(
    (listener: () => void) => followSource(source, listener, id),
    [source, followSource, id],
  );
  return useSyncExternalStore(
    subscribe,
    () => read(gateIn(source), call),
    () => read(null, call),
  );
}

/**
 * Calls `listener` after each change of a gate, or of one of its calls, and when a chat gets its gate. Returns an
 * unsubscribe function.
 */
function follow(source: GateSource, listener: () => void, toolCallId?: string): () => void {
  const gate = gateIn(source);
  if (gate) return gate.subscribe(listener, toolCallId);
  let unsubscribe = onReady(source, () => {
    unsubscribe = follow(source, listener, toolCallId);
    listener();
  });
  return () => unsubscribe();
}
