/**
 * Shows the state of a guarded chat in an AI SDK chat and its framework.
 *
 * The chat's getters (`messages`, `lastMessage`, `status`, `error`, the queue) read `chat.state`. A facade replaces
 * that object: its getters read the store and its setters throw, so the chat's own request loop cannot change anything.
 * The framework's state object only signals changes: they are written to it, and its content is ignored. Only the
 * getters may read it: otherwise an effect that calls a method of the chat would subscribe to it and run again.
 */
import { guarded } from '../../types/report-uncaught.js';
import { say } from '../../types/say.js';
import type { ChatSnapshot, ViewStore } from '../waiting/view-store.js';
import { isReactChat, untracked, type ChatInternals, type FrameworkState } from './chat-internals.js';

/** Throws for calls that would bypass the gate. */
export function refuse(): never {
  throw new TypeError(
    say`This method was captured before guard(chat) ran, or bypasses the guard. Read it from the chat again.`,
  );
}

/** Makes a chat show a store. `setMessages` is called for `chat.messages = list`. */
export function showIn(
  chat: ChatInternals,
  store: ViewStore,
  setMessages: (messages: readonly unknown[]) => void,
): void {
  const signal = chat.state;
  const queueKey = 'experimental_queuedMessages';
  const queueSignal = queueKey in signal ? queueKey : 'messages';

  /** In Vue and Svelte, the store is observed a microtask after the first read: a whole rendering shows the same. */
  let isReadNoted = isReactChat(chat);
  const noteRead = (): void => {
    if (isReadNoted) return;
    isReadNoted = true;
    queueMicrotask(() => store.observe());
  };

  const facade = {
    snapshot: (value: unknown) => value,
    pushMessage: refuse,
    popMessage: refuse,
    replaceMessage: refuse,
    // The same mark as Vue's `markRaw`.
    __v_skip: true,
  };
  const define = (name: string, key: keyof ChatSnapshot, signalKey: keyof FrameworkState): void => {
    const get = (): unknown => {
      void signal[signalKey];
      noteRead();
      return store.source[key];
    };
    Object.defineProperty(facade, name, { get, set: refuse, enumerable: true });
    if (key === 'messages')
      Object.defineProperty(chat, name, { get, set: setMessages, configurable: true, enumerable: true });
  };
  for (const key of ['messages', 'status', 'error'] as const) define(key, key, key);
  if (queueKey in chat) define(queueKey, 'queued', queueSignal);
  Object.defineProperty(chat, 'state', { value: facade, configurable: true });

  // React's subscriptions. The other frameworks subscribe by reading.
  const members = chat as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of Object.keys(chat).filter((key) => /^~register\w+Callback$/.test(key))) {
    const subscribe = members[name]!;
    members[name] = (...args) => {
      const unsubscribe = subscribe(...args);
      store.observe();
      return unsubscribe;
    };
  }

  const { status, error } = untracked(signal);
  let shown: ChatSnapshot = { ...store.snapshot, status, error };
  /** An error of the framework's subscriber must not end the request: it is thrown in a microtask. */
  const notify = <KEY extends keyof FrameworkState>(key: KEY, value: FrameworkState[KEY]): void =>
    guarded(() => (signal[key] = value));
  const publish = (): void => {
    const { queued, messages, error, status } = shown;
    const { source } = store;
    // While a reply streams, each change concerns the messages, so nothing needs to be compared.
    if (source.isReplying && status === 'streaming' && source.queued === queued) return notify('messages', []);
    shown = store.snapshot;
    if (shown.queued !== queued) notify(queueSignal, []);
    if (shown.messages !== messages) notify('messages', []);
    if (shown.error !== error) notify('error', shown.error);
    // Status comes last: React publishes its messages together with a status that ends a request.
    if (shown.status !== status) notify('status', shown.status);
  };
  store.subscribe(publish);
  publish();
}
