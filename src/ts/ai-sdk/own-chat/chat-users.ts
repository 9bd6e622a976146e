/**
 * The chats of `useGuardedChat`, and the components that use them. In a page there is one chat for each id. On a server
 * each component has its own: a list of chats there would show the messages of one request in another.
 */
import { OwnChat } from './own-chat.js';
import type { OptionsSource, OwnChatOptions } from './latest-options.js';
import type { ChatSnapshot } from '../waiting/view-store.js';

/** The chats of this page by id. Weak, because a component that was rendered may never be mounted. */
const chats = new Map<string, WeakRef<OwnChat>>();

/** The chats that mounted components use, or that have a request in flight, with the number of these components. */
const inUse = new Map<OwnChat, number>();

let renders = 0;

function find(id: string | undefined): OwnChat | undefined {
  const chat = id === undefined ? undefined : chats.get(id)?.deref();
  return chat?.isDisposed ? undefined : chat;
}

function register(id: string, chat: OwnChat): void {
  if (typeof document === 'undefined' || find(id)) return;
  for (const [other, ref] of chats) if (!ref.deref()) chats.delete(other);
  chats.set(id, new WeakRef(chat));
}

/** One component that uses a chat. Create one when it is first rendered, and for another id. */
export class ChatUser implements OptionsSource {
  readonly chat: OwnChat;
  /** The `id` of its options; undefined if the chat generates one. */
  readonly givenId: string | undefined;
  /** What a server renders for this component. */
  readonly initial: ChatSnapshot;
  renderedAt = ++renders;

  #options: () => OwnChatOptions;
  #isMounted = false;
  /** What a throttled component shows; undefined if it shows the present state. */
  #throttled: ChatSnapshot | undefined;

  /**
   * `options` returns the component's newest options. `hasProxies`: whether the framework wraps data in proxies.
   * Throws a `TypeError` for invalid options.
   */
  constructor(options: () => OwnChatOptions, hasProxies: boolean) {
    this.#options = options;
    const { id, messages } = this.options;
    this.givenId = id;
    const known = find(id);
    this.chat = known ?? new OwnChat(this, hasProxies, register);
    if (!known && id !== undefined) register(id, this.chat);
    this.chat.offer(messages);
    const shown = this.chat.store.plain(messages ?? []) as ChatSnapshot['messages'];
    this.initial = { messages: shown, queued: [], status: 'ready', error: undefined };
  }

  get options(): OwnChatOptions {
    return this.#options();
  }

  /** Called when a render with newer options was committed. */
  rendered(options: () => OwnChatOptions): void {
    this.#options = options;
    this.renderedAt = ++renders;
    this.chat.settings.add(this);
  }

  /**
   * Called when the component is mounted. Returns this user; if its chat was disposed while no component was mounted,
   * another one, which is not mounted yet and whose chat shows the same messages.
   */
  mount(): ChatUser {
    const { chat } = this;
    if (chat.isDisposed) {
      const options = this.#options;
      const { messages, store } = chat;
      return new ChatUser(() => ({ ...options(), messages }), store.hasProxies);
    }
    if (this.#isMounted) return this;
    this.#isMounted = true;
    const users = inUse.get(chat) ?? 0;
    // The options of components that were unmounted, or rendered and never mounted, do not count any more.
    if (users === 0) chat.settings.reset();
    inUse.set(chat, users + 1);
    chat.settings.add(this);
    chat.start();
    return this;
  }

  /** Called when the component is unmounted. A task after its last component, an idle chat is disposed. */
  unmount(): void {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    const { chat } = this;
    const users = inUse.get(chat)! - 1;
    inUse.set(chat, users);
    chat.settings.remove(this);
    if (users === 0) setTimeout(() => disposeUnused(chat));
  }

  /** Calls `listener` when the component must render again. Returns an unsubscribe function. */
  subscribe = (listener: () => void): (() => void) => {
    const { store } = this.chat;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const publish = (): void => {
      if (this.#throttled === store.snapshot) return;
      this.#throttled = store.snapshot;
      listener();
    };
    const end = (): void => {
      timer = undefined;
      publish();
    };
    if (this.#waitMs) this.#throttled = store.snapshot;
    const unsubscribe = store.subscribe(() => {
      const waitMs = this.#waitMs;
      if (!waitMs) {
        this.#throttled = undefined;
        return listener();
      }
      const { status, error } = store.source;
      // The status and the error are not throttled, and never shown with older messages.
      if (status !== this.#throttled?.status || error !== this.#throttled.error || !timer) publish();
      timer ??= setTimeout(end, waitMs);
    });
    return () => {
      clearTimeout(timer);
      this.#throttled = undefined;
      unsubscribe();
    };
  };

  get #waitMs(): number | undefined {
    const { throttle, experimental_throttle: waitMs = throttle } = this.options;
    return waitMs;
  }

  /** What the component shows. The same object until something changes. */
  read = (): ChatSnapshot => this.#throttled ?? this.chat.store.snapshot;

  /** What the component shows on a server and while a page hydrates. */
  readInitial = (): ChatSnapshot => this.initial;
}

/** Disposes a chat without components, as soon as nothing is ready, in flight or replying. */
function disposeUnused(chat: OwnChat): void {
  if (inUse.get(chat) !== 0) return;
  if (!chat.isBusy) {
    inUse.delete(chat);
    // A failure leaves nothing to do: the chat is not used any more.
    if (!chat.isDisposed) chat.dispose().catch(() => {});
    return;
  }
  let timer: ReturnType<typeof setTimeout>;
  const again = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      unsubscribe();
      disposeUnused(chat);
    }, delay);
  };
  // Most requests end with a change. The interval covers the others, such as an aborted attempt to reconnect.
  const unsubscribe = chat.store.subscribe(() => again(0));
  again(1000);
}
