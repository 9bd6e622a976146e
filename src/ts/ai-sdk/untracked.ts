/**
 * What a chat's state holds, read once while it is guarded. An app may call `guard` inside a computed value or an
 * effect of Vue: that must not be subscribed to the new chat, or it runs again with the chat's first change and makes
 * another one.
 */
import type { FrameworkState } from './chat-internals.js';

/** The refs of `@ai-sdk/vue`, which are private to it; a test pins their names. */
interface VueState {
  readonly messagesRef?: VueRef<FrameworkState['messages']>;
  readonly statusRef?: VueRef<FrameworkState['status']>;
  readonly errorRef?: VueRef<FrameworkState['error']>;
}

/** A ref of Vue. Reading these members instead of `value` subscribes nobody. */
interface VueRef<T> {
  readonly _rawValue: T;
  readonly _value: T;
}

/** The messages without Vue's proxies, the status and the error. */
export function untracked(state: FrameworkState): Pick<FrameworkState, 'messages' | 'status' | 'error'> {
  const { messagesRef, statusRef, errorRef } = state as VueState;
  return {
    messages: isRef(messagesRef) ? messagesRef._rawValue : state.messages,
    status: isRef(statusRef) ? statusRef._rawValue : state.status,
    error: isRef(errorRef) ? errorRef._rawValue : state.error,
  };
}

/** The messages as the framework hands them out. */
export function handedOut(state: FrameworkState): FrameworkState['messages'] {
  const { messagesRef } = state as VueState;
  return isRef(messagesRef) ? messagesRef._value : state.messages;
}

function isRef<T>(ref: VueRef<T> | undefined): ref is VueRef<T> {
  return typeof ref === 'object' && ref !== null && '_rawValue' in ref && '_value' in ref;
}
