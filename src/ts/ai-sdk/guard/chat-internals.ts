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

/** A ref of `@ai-sdk/vue`, which is private to it. Reading these members instead of `value` does not subscribe. */
interface VueRef {
  readonly _rawValue: unknown;
  readonly _value: unknown;
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
  const read = (key: 'messages' | 'status' | 'error'): unknown => {
    const ref = refOf(state, key);
    return ref ? ref._rawValue : state[key];
  };
  return { messages: read('messages'), status: read('status'), error: read('error') } as FrameworkState;
}

/**
 * Whether the framework's store returns proxies of stored values. Writes an empty list into the store, so read the
 * store's content before.
 */
export function makesProxies(chat: ChatInternals): boolean {
  const probe: unknown[] = [];
  const { state } = chat;
  state.messages = probe;
  const ref = refOf(state, 'messages');
  return !isReactChat(chat) && (ref ? ref._value : state.messages) !== probe;
}

function refOf(state: FrameworkState, key: string): VueRef | undefined {
  const ref = (state as unknown as Record<string, VueRef | undefined>)[`${key}Ref`];
  return Object(ref) === ref && '_rawValue' in ref! && '_value' in ref ? ref : undefined;
}
