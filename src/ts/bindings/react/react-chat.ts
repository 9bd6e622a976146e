/** `useGuardedChat`: the AI SDK's `useChat(options)` with a guarded chat. */
import { useEffect, useInsertionEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ChatUser } from '../../ai-sdk/own-chat/chat-users.js';
import type { OwnChatOptions } from '../../ai-sdk/own-chat/latest-options.js';
import type { ChatSnapshot } from '../../ai-sdk/waiting/view-store.js';
import type { SharedChat, UIMessage, UseGuardedChatOptions } from '../guarded-chat.js';
import type { GuardedMessage } from '../../types/index.js';
import { resumeChat } from '../resume-chat.js';

/**
 * The return value of {@link useGuardedChat}: that of `useChat` of `@ai-sdk/react`, and `chat`. The object itself also
 * takes the place of a guarded chat: `useApprovals(chat)`, `<ToolApprovals chat={chat} />`.
 */
export type UseGuardedChatHelpers<MESSAGE extends UIMessage = UIMessage> = Omit<
  SharedChat<MESSAGE>,
  'lastMessage' | 'messages'
> & {
  /** The messages. Their tool parts also say how the call has settled, who decided, and what was delivered. */
  readonly messages: GuardedMessage<MESSAGE>[];
  /** Replaces the messages. A function gets the present ones. */
  readonly setMessages: (messages: MESSAGE[] | ((messages: MESSAGE[]) => MESSAGE[])) => void;
  /** The chat itself: the same object until `id` changes. Pass it to effects and providers. */
  readonly chat: SharedChat<MESSAGE>;
};

/**
 * `useChat(options)` of the AI SDK with a guarded chat: `const { messages, sendMessage, status } = useGuardedChat({
 * transport })`. Components with the same `id` share one chat; without an `id`, each component has its own. Another
 * `id` is another chat.
 *
 * Needs no `init()`: the core is loaded when the component is mounted, and calls of the methods wait for it. On a
 * server the messages are rendered, and nothing is loaded. A task after its last component was unmounted, the chat is
 * disposed, but not while something is ready to be sent, in flight or replying.
 *
 * Throws a `TypeError` for an invalid option in `gate`.
 */
export function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options: UseGuardedChatOptions<MESSAGE> = {},
): UseGuardedChatHelpers<MESSAGE> {
  const given = options as unknown as OwnChatOptions;
  const [held, hold] = useState(() => userOf(given));
  let user = held;
  if (given.id !== held.givenId) {
    user = userOf(given);
    hold(user);
  }
  // Not during the render: React may discard it.
  useInsertionEffect(() => user.rendered(() => given));
  useEffect(() => {
    const mounted = user.mount();
    if (mounted === user) return () => user.unmount();
    // The chat was disposed while the component was hidden (`<Activity>`).
    hold(mounted);
    return undefined;
  }, [user]);
  const { resume = false } = given;
  useEffect(() => (resume ? resumeChat(user.chat) : undefined), [resume, user]);
  const snapshot = useSyncExternalStore(user.subscribe, user.read, user.readInitial);
  return useMemo(() => helpers(user, snapshot), [user, snapshot]) as unknown as UseGuardedChatHelpers<MESSAGE>;
}

function userOf(options: OwnChatOptions): ChatUser {
  return new ChatUser(() => options, false);
}

function helpers({ chat }: ChatUser, { messages, queued, status, error }: ChatSnapshot) {
  const { sendMessage, regenerate, stop, resumeStream, clearError, addToolOutput, addToolApprovalResponse } = chat;
  return {
    // A getter, because a chat without the option generates its id on the first read.
    get id() {
      return chat.id;
    },
    messages,
    status,
    error,
    setMessages: (list: readonly unknown[] | ((list: readonly unknown[]) => readonly unknown[])): void => {
      chat.messages = typeof list === 'function' ? list(chat.messages) : list;
    },
    sendMessage,
    regenerate,
    stop,
    resumeStream,
    clearError,
    addToolOutput,
    addToolResult: addToolOutput,
    addToolApprovalResponse,
    experimental_queuedMessages: queued,
    experimental_removeQueuedMessage: chat.experimental_removeQueuedMessage,
    experimental_sendQueuedMessageNow: chat.experimental_sendQueuedMessageNow,
    chat,
  };
}
