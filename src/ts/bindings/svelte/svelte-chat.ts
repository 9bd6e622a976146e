/** `useGuardedChat`: the AI SDK's `new Chat(options)` of Svelte with a guarded chat. */
import { onMount, untrack } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import { COMMON_METHODS, QUEUE_METHODS } from '../../ai-sdk/waiting/chat-methods.js';
import { ChatUser } from '../../ai-sdk/own-chat/chat-users.js';
import type { OwnChatOptions } from '../../ai-sdk/own-chat/latest-options.js';
import type { ChatSnapshot } from '../../ai-sdk/waiting/view-store.js';
import type { GuardedMessage } from '../../types/index.js';
import type { SharedChat, UIMessage, UseGuardedChatOptions } from '../guarded-chat.js';
import { resumeChat } from '../resume-chat.js';

/**
 * The return value of {@link useGuardedChat}: the members of the AI SDK's `Chat`, and `chat`. Do not destructure its
 * properties: the copies are not reactive. Functions can be destructured. The object itself also takes the place of a
 * guarded chat: `useGate(chat)`, `<ToolApprovals {chat} />`.
 */
export type ReactiveChat<MESSAGE extends UIMessage = UIMessage> = Omit<SharedChat<MESSAGE>, 'messages'> & {
  /** The messages. Their tool parts also say how the call has settled, who decided, and what was delivered. */
  messages: GuardedMessage<MESSAGE>[];
  /** The chat itself: the same object until its id changes. It is not reactive. */
  readonly chat: SharedChat<MESSAGE>;
};

/** A component's use of a chat, and a function that subscribes the running effect to it. */
interface TrackedUser {
  readonly user: ChatUser;
  readonly track: () => void;
  /** Runs the effects again that are subscribed. */
  changed(): void;
}

/**
 * `new Chat(options)` of the AI SDK with a guarded chat: `const chat = useGuardedChat({ transport })`. Components with
 * the same `id` share one chat; without an `id`, each component has its own. The options may be a getter, `() => ({ id
 * })`, in which another `id` is another chat. Call it while the component initializes.
 *
 * Needs no `init()`: the core is loaded when the component is mounted, and calls of the methods wait for it. On a
 * server the messages are rendered, and nothing is loaded. A task after its last component was unmounted, the chat is
 * disposed, but not while something is ready to be sent, in flight or replying.
 *
 * Throws a `TypeError` for an invalid option in `gate`.
 */
export function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options: UseGuardedChatOptions<MESSAGE> | (() => UseGuardedChatOptions<MESSAGE>) = {},
): ReactiveChat<MESSAGE> {
  const given = (): OwnChatOptions =>
    (typeof options === 'function' ? options() : options) as unknown as OwnChatOptions;
  const newUser = (): TrackedUser => untrack(() => tracked(new ChatUser(() => untrack(given), true)));
  let held = newUser();
  let isMounted = false;
  let stopResuming = (): void => {};

  function mount(entry: TrackedUser): void {
    const user = entry.user.mount();
    if (user !== entry.user) {
      // The chat was disposed while the component waited to be mounted (`<svelte:boundary>`).
      held = tracked(user);
      entry.changed();
      return mount(held);
    }
    if (user.options.resume) stopResuming = resumeChat(user.chat);
  }

  function unmount({ user }: TrackedUser): void {
    stopResuming();
    stopResuming = () => {};
    user.unmount();
  }

  /** The present user. Depends on the id. */
  function current(): TrackedUser {
    if (typeof options !== 'function' || given().id === held.user.givenId) return held;
    const [before, next] = [held, newUser()];
    held = next;
    if (isMounted) {
      // Not while a value is derived: that must not change another one.
      queueMicrotask(() => {
        unmount(before);
        if (isMounted) mount(next);
      });
    }
    return next;
  }

  function shown(): ChatSnapshot {
    const { user, track } = current();
    track();
    return user.read();
  }

  onMount(() => {
    isMounted = true;
    mount(untrack(current));
    return () => {
      isMounted = false;
      unmount(held);
    };
  });

  const reactive = {
    get id() {
      return current().user.chat.id;
    },
    get chat() {
      return current().user.chat;
    },
    get messages() {
      return shown().messages;
    },
    set messages(messages: readonly unknown[]) {
      untrack(current).user.chat.messages = messages;
    },
    get lastMessage() {
      return shown().messages.at(-1);
    },
    get status() {
      return shown().status;
    },
    get error() {
      return shown().error;
    },
    get experimental_queuedMessages() {
      return shown().queued;
    },
  };
  for (const name of [...COMMON_METHODS, 'addToolResult', ...QUEUE_METHODS] as const) {
    const call = (...args: never[]): unknown =>
      (untrack(current).user.chat[name] as (...args: never[]) => unknown)(...args);
    Object.defineProperty(reactive, name, { value: call, enumerable: true });
  }
  return reactive as unknown as ReactiveChat<MESSAGE>;
}

function tracked(user: ChatUser): TrackedUser {
  const entry = {
    user,
    changed: (): void => {},
    track: createSubscriber((update) => {
      entry.changed = update;
      return user.subscribe(update);
    }),
  };
  return entry;
}
