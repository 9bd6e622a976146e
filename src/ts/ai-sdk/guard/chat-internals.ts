/**
 * The members of an AI SDK chat that `guard` uses besides those of `ChatHost`. They are private to the AI SDK; a test
 * pins their names for each version and framework.
 */
import type { ChatHost, ChatStatus } from '../chat-host.js';

/** The chat's own state object: the framework's store. In a guarded chat it is only written to, to signal changes. */
export interface FrameworkState {
  messages: readonly unknown[];
  status: ChatStatus;
  error: Error | undefined;
  /** Only if the framework's package supports message queues. */
  experimental_queuedMessages?: readonly unknown[];
}

/** An `AbstractChat`, as a guard sees it. */
export interface ChatInternals extends ChatHost {
  state: FrameworkState;
}

/** The refs of `@ai-sdk/vue`, which are private to it. */
interface VueState {
  readonly messagesRef?: VueRef<FrameworkState['messages']>;
  readonly statusRef?: VueRef<FrameworkState['status']>;
  readonly errorRef?: VueRef<FrameworkState['error']>;
}

/** A ref of Vue. Reading these members instead of `value` does not subscribe. */
interface VueRef<T> {
  readonly _rawValue: T;
  readonly _value: T;
}

/** Whether this is a chat of `@ai-sdk/react`. Components of the other frameworks subscribe by reading. */
export function isReactChat(chat: ChatInternals): boolean {
  return '~registerMessagesCallback' in chat;
}

/**
 * Returns the messages without Vue's proxies, the status and the error, without subscribing to them. An app may call
 * `guard` inside a computed value or an effect of Vue: a subscription would run it again on the chat's first change and
 * create another chat.
 */
export function untracked(state: FrameworkState): Pick<FrameworkState, 'messages' | 'status' | 'error'> {
  const { messagesRef, statusRef, errorRef } = state as VueState;
  return {
    messages: isRef(messagesRef) ? messagesRef._rawValue : state.messages,
    status: isRef(statusRef) ? statusRef._rawValue : state.status,
    error: isRef(errorRef) ? errorRef._rawValue : state.error,
  };
}

/**
 * Whether the framework's store returns proxies of stored values. Writes an empty list into the store, so read the
 * store's content before.
 */
export function makesProxies(chat: ChatInternals): boolean {
  const probe: unknown[] = [];
  const { state } = chat;
  state.messages = probe;
  const { messagesRef } = state as VueState;
  return !isReactChat(chat) && (isRef(messagesRef) ? messagesRef._value : state.messages) !== probe;
}

function isRef<T>(ref: VueRef<T> | undefined): ref is VueRef<T> {
  return typeof ref === 'object' && ref !== null && '_rawValue' in ref && '_value' in ref;
}
