/**
 * `toolgate/vue`: composables over a gate or a guarded chat. Each gives one shallow ref that is set only when what it holds
 * has changed, and ends with the component (or effect scope) that called it. They decide nothing and keep nothing.
 */
import { computed, inject, provide, shallowRef, toValue, watch } from 'vue';
import type { ComputedRef, InjectionKey, MaybeRefOrGetter, ShallowRef, WritableComputedRef } from 'vue';
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
import { createActions, noneYet, type GateActions } from '../actions.js';
import { gateIn, type AiSdkChat, type GateSource } from '../../gate/gate-source.js';
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

const KEY: InjectionKey<MaybeRefOrGetter<GateSource>> = Symbol('toolgate');

/** Gives the composables of this component's descendants their gate. Call it in `setup`. */
export function provideGate(gate: MaybeRefOrGetter<GateSource>): void {
  provide(KEY, gate);
}

/**
 * The gate itself, for what the other composables do not cover; undefined until there is one. All composables take a gate or
 * guarded chat as their last argument, or a ref or getter of one; without it, it is the one of `provideGate`. Throws a plain
 * `Error` if there is none either.
 */
export function useGate(gate?: MaybeRefOrGetter<GateSource>): ComputedRef<ToolGate | undefined> {
  const source = gate ?? (gate === undefined ? inject(KEY, undefined) : null);
  if (source === undefined)
    throw new TypeError(
      'toolgate/vue: no component above calls provideGate, and no gate was passed; as long as there is none, pass null',
    );
  return computed(() => gateIn(toValue(source)));
}

/** What the user does: `respond`, `respondAll`, `cancel`, `retry`. */
export function useGateActions(gate?: MaybeRefOrGetter<GateSource>): GateActions {
  const current = useGate(gate);
  return createActions(() => current.value);
}

/** The approvals that can be answered now, in call order. Each is the same object until its call changes. */
export function useApprovals(gate?: MaybeRefOrGetter<GateSource>): Readonly<ShallowRef<readonly PendingApproval[]>> {
  return useRead(() => pendingOf, gate);
}

/** The approval of one call, while it can be answered. */
export function useApproval(
  toolCallId: MaybeRefOrGetter<string>,
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<PendingApproval | undefined>> {
  return useRead(() => approvalReader(toValue(toolCallId)), gate);
}

/** The part of one call, however it stands; undefined if there is none. Other parts do not change it. */
export function useToolPart(
  toolCallId: MaybeRefOrGetter<string>,
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<ToolPart | undefined>> {
  return useRead(() => partReader(toValue(toolCallId)), gate);
}

/** The transcript. A message or part that did not change is the same object as before. */
export function useMessages(gate?: MaybeRefOrGetter<GateSource>): Readonly<ShallowRef<GateMessage[]>> {
  return useRead(() => messagesOf, gate);
}

/** What failed, stalled or may not have arrived: `retry(item.id)` sends it again, `cancel()` gives it up. */
export function useUndelivered(gate?: MaybeRefOrGetter<GateSource>): Readonly<ShallowRef<readonly Undelivered[]>> {
  return useRead(() => undeliveredOf, gate);
}

/** The decisions that answer later calls too: `gateOf(chat).forget(entry.id)` ends one. */
export function useRemembered(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly RememberedDecision[]>> {
  return useRead(() => rememberedOf, gate);
}

/** What `select` takes from the view, such as `view => view.status`; without it, the whole view. */
export function useGateView<T = GateView>(
  select?: (view: GateView) => T,
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<T>> {
  return useRead(() => selectReader(select ?? ((view: GateView) => view as T)), gate);
}

function useRead<T>(reader: () => (gate: Gate) => T, source: MaybeRefOrGetter<GateSource>): Readonly<ShallowRef<T>> {
  const gate = useGate(source);
  const value = shallowRef() as ShallowRef<T>;
  // Synchronous: who replaces the gate and reads on sees the new one. Vue's server renderer ends it, too.
  watch(
    [gate, computed(reader)] as const,
    ([current, read], _before, onCleanup) => {
      const update = (): void => void (value.value = read(current));
      update();
      if (current) onCleanup(current.subscribe(update));
    },
    { immediate: true, flush: 'sync' },
  );
  return value;
}

/** What {@link useGuardedChat} returns: `useChat()` of `@ai-sdk/vue`, over a chat of one's own. */
export type GuardedChat<CHAT extends AiSdkChat> = {
  /** The chat's id; empty until there is a chat. */
  readonly id: ComputedRef<string>;
  /** The chat's messages; empty until there is a chat. Setting them sets the chat's. */
  readonly messages: WritableComputedRef<CHAT['messages']>;
  /** `'ready'` until there is a chat. */
  readonly status: ComputedRef<CHAT['status']>;
  /** Why the last request failed, until `clearError()`. */
  readonly error: ComputedRef<Error | undefined>;
} & Pick<CHAT, Method>;

const METHODS = [
  'sendMessage',
  'regenerate',
  'stop',
  'resumeStream',
  'clearError',
  'addToolApprovalResponse',
  'addToolOutput',
] as const;

type Method = (typeof METHODS)[number];

/**
 * What `useChat()` of `@ai-sdk/vue` 7 returns, which makes its own chat and takes none: `useGuardedChat(guard(new Chat(…)))`.
 * Takes a ref or getter, too; until there is a chat it is empty, and its methods throw an `Error` with the
 * code `not-initialized`.
 */
export function useGuardedChat<CHAT extends AiSdkChat>(
  chat: MaybeRefOrGetter<CHAT | null | undefined>,
): GuardedChat<CHAT> {
  const current = (): (CHAT & { readonly error?: Error | undefined }) | undefined => {
    const found = toValue(chat) ?? undefined;
    gateIn(found);
    return found;
  };
  const must = (): CHAT => {
    const found = current();
    if (found) return found;
    throw noneYet('toolgate/vue: there is no chat yet: wait for init(), then hand in guard(new Chat(…))');
  };
  const methods = METHODS.map((name) => [name, (...args: never[]) => must()[name](...args)] as const);
  return {
    id: computed(() => current()?.id ?? ''),
    messages: computed({ get: () => current()?.messages ?? [], set: (messages) => void (must().messages = messages) }),
    status: computed(() => current()?.status ?? 'ready'),
    error: computed(() => current()?.error),
    ...(Object.fromEntries(methods) as unknown as Pick<CHAT, Method>),
  };
}
