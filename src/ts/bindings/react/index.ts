'use client';
/**
 * `toolgate/react`: hooks over a gate or a guarded chat. Each is one `useSyncExternalStore` on the gate itself, and renders
 * again only when what it returns has changed. On the server, and while a page hydrates, they show an empty chat, so the
 * core need not be loaded there. They decide nothing and keep nothing.
 */
import {
  createContext,
  createElement,
  useCallback,
  useContext,
  useMemo,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import {
  approvalReader,
  messagesOf,
  partReader,
  pendingOf,
  rememberedOf,
  selectReader,
  undeliveredOf,
  type Gate,
} from '../selectors.js';
import { createActions, type GateActions } from '../actions.js';
import type { ToolApprovalTags } from '../../element/define.js';
import { gateIn, type GateSource } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type {
  GateMessage,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../../types/index.js';

export type { GateActions } from '../actions.js';

declare module 'react' {
  namespace JSX {
    /** The tags of `toolgate/element`, for pages that use them. */
    interface IntrinsicElements extends ToolApprovalTags<
      import('react').HTMLAttributes<HTMLElement> & import('react').RefAttributes<HTMLElement>
    > {}
  }
}

/** `undefined`: no provider; `null`: a provider whose gate is not there yet. */
const GateContext = createContext<ToolGate | null | undefined>(undefined);

/** Props of {@link GateProvider}. */
export interface GateProviderProps {
  /** A `ToolGate`, a chat that `guard` returned, or `null` until there is one. */
  readonly gate: GateSource;
  /** Whose hooks get it. */
  readonly children?: ReactNode;
}

/** Gives the hooks below it their gate. */
export function GateProvider({ gate, children }: GateProviderProps): ReactElement {
  return createElement(GateContext.Provider, { value: gateIn(gate) ?? null }, children);
}

/**
 * The gate itself, for what the other hooks do not cover; `null` until there is one. Never renders again by itself. All hooks
 * take a gate or guarded chat (or `null`) as their last argument; without it, it is the one of the nearest `GateProvider`.
 * Throws a `TypeError` if there is no provider either.
 */
export function useGate(gate?: GateSource): ToolGate | null {
  const provided = useContext(GateContext);
  if (gate !== undefined) return gateIn(gate) ?? null;
  if (provided !== undefined) return provided;
  throw new TypeError(
    'toolgate/react: there is no <GateProvider> above, and no gate was passed; as long as there is none, pass null',
  );
}

/** What the user does: `respond`, `respondAll`, `cancel`, `retry`. The same functions as long as the gate is the same. */
export function useGateActions(gate?: GateSource): GateActions {
  const current = useGate(gate);
  return useMemo(() => createActions(() => current), [current]);
}

/** The approvals that can be answered now, in call order. Each is the same object until its call changes: `memo` works. */
export function useApprovals(gate?: GateSource): readonly PendingApproval[] {
  return useRead(pendingOf, gate);
}

/** The approval of one call, while it can be answered. */
export function useApproval(toolCallId: string, gate?: GateSource): PendingApproval | undefined {
  return useRead(
    useMemo(() => approvalReader(toolCallId), [toolCallId]),
    gate,
  );
}

/** The part of one call, however it stands; undefined if there is none. Other parts do not render it again. */
export function useToolPart(toolCallId: string, gate?: GateSource): ToolPart | undefined {
  return useRead(
    useMemo(() => partReader(toolCallId), [toolCallId]),
    gate,
  );
}

/** The transcript. A message or part that did not change is the same object as before: `memo` works. */
export function useMessages(gate?: GateSource): GateMessage[] {
  return useRead(messagesOf, gate);
}

/** What failed, stalled or may not have arrived: `retry(item.id)` sends it again, `cancel()` gives it up. */
export function useUndelivered(gate?: GateSource): readonly Undelivered[] {
  return useRead(undeliveredOf, gate);
}

/** The decisions that answer later calls too: `gateOf(chat).forget(entry.id)` ends one. */
export function useRemembered(gate?: GateSource): readonly RememberedDecision[] {
  return useRead(rememberedOf, gate);
}

/** The whole view. Renders again with every change. */
export function useGateView(): GateView;
/** What `select` takes from the view, such as `view => view.status`. Renders again when that is another value (`Object.is`). */
export function useGateView<T>(select: (view: GateView) => T, gate?: GateSource): T;
export function useGateView(select: (view: GateView) => unknown = asItIs, gate?: GateSource): unknown {
  return useRead(
    useMemo(() => selectReader(select), [select]),
    gate,
  );
}

function asItIs(view: GateView): GateView {
  return view;
}

function useRead<T>(read: (gate: Gate) => T, source: GateSource): T {
  const gate = useGate(source);
  const subscribe = useCallback((listener: () => void) => gate?.subscribe(listener) ?? (() => {}), [gate]);
  return useSyncExternalStore(
    subscribe,
    () => read(gate),
    () => read(null),
  );
}
