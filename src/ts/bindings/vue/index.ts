/**
 * `toolgate/vue`: composables for a gate or a guarded chat. Each returns a shallow ref that is set only when its value
 * has changed, and unsubscribes with the component or effect scope that called it.
 */
import {
  computed,
  getCurrentInstance,
  inject,
  isRef,
  provide,
  shallowRef,
  ssrContextKey,
  toRaw,
  toValue,
  watch,
} from 'vue';
import type { ComputedRef, MaybeRefOrGetter, ShallowRef } from 'vue';
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
import type { AnyToolPart } from '../../describe/call-status.js';
import type { CallTexts } from '../../describe/call-texts.js';
import type { CallDescription } from '../../describe/describe-call.js';
import { COMMON_METHODS } from '../../ai-sdk/waiting/chat-methods.js';
import { createActions, type GateActions } from '../actions.js';
import type { SharedChat, UIMessage, UseGuardedChatOptions } from '../guarded-chat.js';
import { KEY, sourceOf } from './vue-gate.js';
import { useOwnChat, type GuardedChat } from './vue-chat.js';
import {
  chatOf,
  gateIn,
  isGuarded,
  notInitialized,
  onReady,
  pendingChat,
  withoutProxy,
  type AiSdkChat,
  type GateSource,
  type GateSourceOf,
} from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type {
  AnyTools,
  GateMessage,
  GuardedMessage,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../../types/index.js';
import { say } from '../../types/say.js';

export { ToolApproval, ToolApprovals } from './vue-approvals.js';
export { useInbox } from './vue-inbox.js';
export { ToolQuestion } from './vue-question.js';
export type { ApprovalEvents } from './vue-approvals.js';
export type { QuestionEvents } from './vue-question.js';
export type { ApprovalProps, ApprovalsProps } from '../approval-element.js';
export type { QuestionProps } from '../shown-question.js';
export type { GuardedChat } from './vue-chat.js';
export type { SharedChat, UseGuardedChatOptions } from '../guarded-chat.js';
export type { GateActions } from '../actions.js';
export type { ShownCall } from '../selectors.js';
export { describeCall } from '../../describe/describe-call.js';
export { describeRefusal } from '../../describe/describe-refusal.js';
export type { CallDescription } from '../../describe/describe-call.js';

/** Provides a gate to the composables of this component's descendants. Call it in `setup`. */
export function provideGate(gate: MaybeRefOrGetter<GateSource>): void {
  provide(KEY, gate);
}

/**
 * Returns the gate itself, for everything that the other composables do not cover; undefined while there is none. Every
 * composable takes a gate or guarded chat, or a ref or getter of one, as its last argument; by default, it uses that of
 * `provideGate`. Throws a `TypeError` if there is neither.
 */
export function useGate(gate?: MaybeRefOrGetter<GateSource>): ComputedRef<ToolGate | undefined> {
  const source = sourceOf(gate);
  if (source === null) return withoutGate;
  const key = typeof source === 'function' || isRef(source) ? source : withoutProxy(source);
  let gates = gatesOf.get(key);
  if (!gates) gatesOf.set(key, (gates = computed(() => gateOf(toValue(source)))));
  return gates;
}

/** The gate of each source, so that all components below a `provideGate` share one computed ref. */
const gatesOf = new WeakMap<object, ComputedRef<ToolGate | undefined>>();
const withoutGate = computed(() => undefined);

/** The gate of a source. Also depends on whether the core of a chat is loaded. */
function gateOf(source: GateSource): ToolGate | undefined {
  if (pendingChat(source)) void readiness(source as AiSdkChat).value;
  return gateIn(source);
}

/** A ref for each chat whose core is loading, which is set when its gate exists. */
const readinessOf = new WeakMap<object, ShallowRef<boolean>>();

function readiness(chat: AiSdkChat): ShallowRef<boolean> {
  const raw = chatOf(chat);
  let ready = readinessOf.get(raw);
  if (!ready) {
    const made = (ready = shallowRef(false));
    readinessOf.set(raw, made);
    onReady(chat, () => void (made.value = true));
  }
  return ready;
}

/** Returns `respond`, `respondAll`, `cancel`, `retry` and `resume`. */
export function useGateActions(gate?: MaybeRefOrGetter<GateSource>): GateActions {
  const current = useGate(gate);
  let actions = actionsByGate.get(current);
  if (!actions) actionsByGate.set(current, (actions = createActions(() => current.value)));
  return actions;
}

const actionsByGate = new WeakMap<object, GateActions>();

/**
 * Returns the approvals that can be decided now, in call order. Each is the same object until its call changes. `T` is
 * the app's message type or tools. It is inferred from a chat; without one, name it: `useApprovals<MyMessage>()`.
 */
export function useApprovals<T extends AnyTools = AnyTools>(
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<readonly PendingApproval<T>[]>> {
  return useRead(() => pendingOf<T>, gate);
}

/**
 * Returns the approval of one call; undefined if it cannot be decided now. Pass the call's id, or its tool part if the
 * component has it. With a part, the ref does not subscribe to the gate. What you pass must stay an id, or stay a part.
 */
export function useApproval<T extends AnyTools = AnyTools>(
  call: MaybeRefOrGetter<ShownCall>,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<PendingApproval<T> | undefined>> {
  if (typeof toValue(call) === 'string') {
    return useCall(approvalOf<T>, call as MaybeRefOrGetter<string>, gate);
  }
  const current = useGate(gate);
  return computed(() => approvalOf<T>(current.value, toRaw(toValue(call)) as ShownCall));
}

/**
 * Returns the part of one call, in any state; undefined if there is none. Changes of other parts do not set the ref.
 */
export function useToolPart<T extends AnyTools = AnyTools>(
  toolCallId: MaybeRefOrGetter<string>,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<ToolPart<T> | undefined>> {
  return useCall(partOf<T>, toolCallId, gate);
}

/**
 * Returns what to show for a call, and what the user can do about it: `describeCall(part, { view, texts })`. `texts`
 * replaces the English words.
 */
export function useCallDescription(
  part: MaybeRefOrGetter<AnyToolPart>,
  gate?: MaybeRefOrGetter<GateSource>,
  texts?: MaybeRefOrGetter<Partial<CallTexts> | undefined>,
): Readonly<ShallowRef<CallDescription>> {
  // A reactive proxy of a part is another object at each read of its fields.
  return useRead(() => descriptionReader(toRaw(toValue(part)), toValue(texts)), gate);
}

/** Returns the transcript. Unchanged messages and parts are the same objects as before. */
export function useMessages<T extends AnyTools = AnyTools>(
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<GateMessage<T>[]>> {
  return useRead(() => messagesOf<T>, gate);
}

/** Returns items that failed, stalled or may not have arrived. `retry(id)` sends one again, `cancel()` abandons all. */
export function useUndelivered(gate?: MaybeRefOrGetter<GateSource>): Readonly<ShallowRef<readonly Undelivered[]>> {
  return useRead(() => undeliveredOf, gate);
}

/** Returns the decisions that apply to later calls too. `forget(id)` of the gate removes one. */
export function useRemembered(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly RememberedDecision[]>> {
  return useRead(() => rememberedOf, gate);
}

/** Returns `select(view)`, such as `view => view.status`; without `select`, the whole view. */
export function useGateView<R = GateView, T extends AnyTools = AnyTools>(
  select?: (view: GateView<T>) => R,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<R>> {
  return useRead(() => selectReader(select ?? ((view: GateView<T>) => view as R)), gate);
}

/** Reads a value of one call, and follows that call only. */
function useCall<T>(
  read: (gate: Gate, toolCallId: string) => T,
  call: MaybeRefOrGetter<string>,
  gate: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<T>> {
  const reader = (): ((gate: Gate) => T) => {
    const id = toValue(call);
    return (current) => read(current, id);
  };
  return useRead(reader, gate, () => toValue(call));
}

function useRead<T>(
  reader: () => (gate: Gate) => T,
  source: MaybeRefOrGetter<GateSource>,
  toolCallId?: () => string,
): Readonly<ShallowRef<T>> {
  const gate = useGate(source);
  const value = shallowRef() as ShallowRef<T>;
  // On a server nothing ends a subscription: Vue before 3.5 does not clean up the watchers there.
  const isOnServer = getCurrentInstance() !== null && inject<unknown>(ssrContextKey, undefined) !== undefined;
  // Synchronous, so that code which replaces the gate reads the new one at once.
  watch(
    [gate, computed(reader)] as const,
    ([current, read], _before, onCleanup) => {
      const update = (): void => void (value.value = read(current));
      update();
      if (current && !isOnServer) onCleanup(current.subscribe(update, toolCallId?.()));
    },
    { immediate: true, flush: 'sync' },
  );
  return value;
}

/**
 * For a chat that you created, returns what `useChat()` of `@ai-sdk/vue` 7 does for its own:
 * `useGuardedChat(guard(new Chat(…)))`. Also takes a ref or getter. While there is no chat (`null`), the properties are
 * empty and the methods throw an `Error` with the code `not-initialized`.
 */
export function useGuardedChat<CHAT extends AiSdkChat>(
  chat: MaybeRefOrGetter<CHAT | null | undefined>,
): GuardedChat<CHAT>;
/**
 * `useChat(options)` of the AI SDK 7 with a guarded chat: `const { messages, sendMessage } = useGuardedChat({ transport
 * })`. Components with the same `id` share one chat; without an `id`, each component has its own. The options may be a
 * ref or a getter; another `id` is another chat.
 *
 * Needs no `init()`: the core is loaded when the component is mounted, and calls of the methods wait for it. On a
 * server the messages are rendered, and nothing is loaded. A task after its last component was unmounted, the chat is
 * disposed, but not while something is ready to be sent, in flight or replying.
 *
 * Throws a `TypeError` for an invalid option in `gate`.
 */
export function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: MaybeRefOrGetter<UseGuardedChatOptions<MESSAGE>>,
): GuardedChat<SharedChat<MESSAGE>>;
export function useGuardedChat(...args: MaybeRefOrGetter<unknown>[]): GuardedChat<AiSdkChat> {
  const [source] = args;
  const first = args.length === 0 ? {} : (toValue(source) as object | null | undefined);
  // A chat has `sendMessage`. An unguarded one is refused below.
  if (first && !isGuarded(first) && !('sendMessage' in first)) return useOwnChat(source);
  return useExistingChat(source as MaybeRefOrGetter<AiSdkChat | null | undefined>);
}

function useExistingChat<CHAT extends AiSdkChat>(chat: MaybeRefOrGetter<CHAT | null | undefined>): GuardedChat<CHAT> {
  const current = (): (CHAT & { readonly error?: Error | undefined }) | undefined => {
    const found = toValue(chat) ?? undefined;
    gateIn(found);
    return found;
  };
  const must = (): CHAT => {
    const found = current();
    if (found) return found;
    throw notInitialized(say`toolgate/vue: there is no chat yet. Pass guard(new Chat(…)).`);
  };
  const methods = COMMON_METHODS.map((name) => [name, (...args: never[]) => must()[name](...args)] as const);
  const messages = computed({
    get: () => (current()?.messages ?? []) as GuardedMessage<CHAT['messages'][number]>[],
    set: (list) => void (must().messages = list),
  });
  return {
    id: computed(() => current()?.id ?? ''),
    messages,
    status: computed(() => current()?.status ?? 'ready'),
    error: computed(() => current()?.error),
    chat: computed(current),
    ...(Object.fromEntries(methods) as unknown as Pick<CHAT, (typeof COMMON_METHODS)[number]>),
  };
}
