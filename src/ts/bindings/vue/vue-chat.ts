/** `useGuardedChat(options)`: the AI SDK's `useChat(options)` with a guarded chat. */
import {
  computed,
  getCurrentInstance,
  getCurrentScope,
  onMounted,
  onScopeDispose,
  shallowRef,
  toValue,
  watch,
} from 'vue';
import type { ComputedRef, MaybeRefOrGetter, WritableComputedRef } from 'vue';
import { COMMON_METHODS } from '../../ai-sdk/waiting/chat-methods.js';
import { ChatUser } from '../../ai-sdk/own-chat/chat-users.js';
import type { OwnChatOptions } from '../../ai-sdk/own-chat/latest-options.js';
import type { AiSdkChat } from '../../gate/gate-source.js';
import type { GuardedMessage } from '../../types/index.js';
import { resumeChat } from '../resume-chat.js';

/**
 * The return value of `useGuardedChat`: that of `useChat()` of `@ai-sdk/vue`, and `chat`. The object itself also takes
 * the place of a guarded chat: `useApprovals(chat)`, `<ToolApprovals :chat="chat" />`.
 */
export type GuardedChat<CHAT extends AiSdkChat> = {
  /** The chat's id; empty while there is no chat. */
  readonly id: ComputedRef<string>;
  /**
   * The chat's messages; empty while there is no chat. Setting this sets the chat's messages. Their tool parts also say
   * how the call has settled, who decided, and what was delivered.
   */
  readonly messages: WritableComputedRef<GuardedMessage<CHAT['messages'][number]>[]>;
  /** The chat's status; `'ready'` while there is no chat. */
  readonly status: ComputedRef<CHAT['status']>;
  /** Why the last request failed, until `clearError()`. */
  readonly error: ComputedRef<Error | undefined>;
  /** The chat itself: the same object until its id changes; undefined while there is no chat. */
  readonly chat: ComputedRef<CHAT | undefined>;
} & Pick<CHAT, (typeof COMMON_METHODS)[number]>;

/** Uses the chat of these options, until the effect scope ends. */
export function useOwnChat(source: MaybeRefOrGetter<unknown>): GuardedChat<AiSdkChat> {
  const options = (): OwnChatOptions => (toValue(source) ?? {}) as OwnChatOptions;
  const user = shallowRef(new ChatUser(options, true));
  const shown = shallowRef(user.value.read());
  const update = (): void => void (shown.value = user.value.read());
  let isMounted = false;
  let unsubscribe = (): void => {};

  function mount(): void {
    isMounted = true;
    let current = user.value.mount();
    // The chat was disposed while the component waited to be mounted (`<Suspense>`).
    if (current !== user.value) current = (user.value = current).mount();
    const ends = [current.subscribe(update), ...(options().resume ? [resumeChat(current.chat)] : [])];
    unsubscribe = () => ends.forEach((end) => end());
    update();
  }

  function unmount(): void {
    isMounted = false;
    unsubscribe();
    user.value.unmount();
  }

  if (getCurrentScope()) {
    watch(
      () => options().id,
      (id) => {
        if (id === user.value.givenId) return;
        const wasMounted = isMounted;
        if (wasMounted) unmount();
        user.value = new ChatUser(options, true);
        if (wasMounted) mount();
        else update();
      },
      // Code that changes the id gets the new chat at once.
      { flush: 'sync' },
    );
    onScopeDispose(() => isMounted && unmount());
  }
  // A component is mounted in a page only. Outside of components there is nothing to hydrate.
  if (getCurrentInstance()) onMounted(mount);
  else if (typeof document === 'object') mount();

  const methods = COMMON_METHODS.map((name) => [
    name,
    (...args: never[]) => (user.value.chat[name] as (...args: never[]) => unknown)(...args),
  ]);
  return {
    id: computed(() => user.value.chat.id),
    messages: computed({
      get: () => shown.value.messages,
      set: (messages: readonly unknown[]) => void (user.value.chat.messages = messages),
    }) as GuardedChat<AiSdkChat>['messages'],
    status: computed(() => shown.value.status),
    error: computed(() => shown.value.error),
    chat: computed(() => user.value.chat),
    ...(Object.fromEntries(methods) as Pick<AiSdkChat, (typeof COMMON_METHODS)[number]>),
  };
}
