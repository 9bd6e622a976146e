/**
 * Reads a chat's state without subscribing to it. An app may call `guard` inside a computed value or an effect of Vue:
 * a subscription would run it again on the chat's first change and create another chat.
 */
import type { FrameworkState } from './chat-internals.js';

/** The refs of `@ai-sdk/vue`, which are private to it; a test pins their names. */
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

/** Returns the messages without Vue's proxies, the status and the error. */
export function untracked(state: FrameworkState): Pick<FrameworkState, 'messages' | 'status' | 'error'> {
  const { messagesRef, statusRef, errorRef } = state as VueState;
  return {
    messages: isRef(messagesRef) ? messagesRef._rawValue : state.messages,
    status: isRef(statusRef) ? statusRef._rawValue : state.status,
    error: isRef(errorRef) ? errorRef._rawValue : state.error,
  };
}

/** Returns the messages as the framework provides them, possibly as proxies. */
export function provided(state: FrameworkState): FrameworkState['messages'] {
  const { messagesRef } = state as VueState;
  return isRef(messagesRef) ? messagesRef._value : state.messages;
}

function isRef<T>(ref: VueRef<T> | undefined): ref is VueRef<T> {
  return typeof ref === 'object' && ref !== null && '_rawValue' in ref && '_value' in ref;
}
