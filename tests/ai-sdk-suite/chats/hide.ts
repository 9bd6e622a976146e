/**
 * Hides from the AI SDK's tests what Toolgate adds everywhere. Otherwise nearly every test that compares whole messages
 * would fail for the same few reasons. These are the entries of `hidden` in `differences.ts`.
 */
import type { ChatInit, UIMessage } from 'ai';

type Messages = UIMessage[];

/** A chat of any framework: each of their packages has its own copy of the types of `ai`. */
export type ChatClass = new (init: ChatInit<UIMessage>) => { readonly status: string; messages: Messages };

/** The fields that Toolgate adds to tool parts. */
const ADDED = ['outcome', 'delivery', 'decidedBy'] as const;

const shown = new WeakMap<object, object>();

/** A value that is computed once for each object, so that unchanged objects stay the same objects. */
function once<T extends object>(from: T, make: () => T): T {
  let made = shown.get(from) as T | undefined;
  if (!made) shown.set(from, (made = make()));
  return made;
}

/** The message without the fields that Toolgate adds. */
export function withoutAdded<M extends UIMessage | undefined>(message: M): M {
  if (!message) return message;
  return once(message, () => {
    const parts = message.parts.map((part) => {
      if (!ADDED.some((name) => name in part)) return part;
      return once(part, () => {
        const entries = Object.entries(part).filter(([name]) => !(ADDED as readonly string[]).includes(name));
        return Object.fromEntries(entries) as typeof part;
      });
    });
    return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : message;
  });
}

/** Whether nothing of a reply is there yet: the AI SDK shows a reply from its first content on. */
const isEmpty = ({ role, parts }: UIMessage): boolean =>
  role === 'assistant' && parts.every(({ type }) => type === 'step-start');

/** The messages as the AI SDK would show them: without what Toolgate adds, and an awaited reply only with content. */
export function asBare(messages: Messages, status: string): Messages {
  const last = messages.at(-1);
  if (status === 'submitted' && last && isEmpty(last)) return asBare(messages.slice(0, -1), 'ready');
  return once(messages, () => {
    const all = messages.map(withoutAdded);
    return all.some((message, index) => message !== messages[index]) ? all : messages;
  });
}

/** The options of a chat whose callbacks get the messages as the AI SDK would pass them. */
export function hiding<INIT extends Partial<ChatInit<UIMessage>>>(init: INIT): INIT {
  const { onFinish, sendAutomaticallyWhen } = init;
  return {
    ...init,
    ...(onFinish && {
      onFinish: (report: Parameters<typeof onFinish>[0]) =>
        onFinish({
          ...report,
          message: withoutAdded(report.message),
          messages: asBare(report.messages, 'ready'),
        }),
    }),
    ...(sendAutomaticallyWhen && {
      sendAutomaticallyWhen: ({ messages }: { messages: Messages }) =>
        sendAutomaticallyWhen({ messages: asBare(messages, 'ready') }),
    }),
  };
}

/** Redefines `messages` and `lastMessage` of a chat that was just guarded. */
export function hideIn<CHAT extends { readonly status: string; messages: Messages }>(chat: CHAT): CHAT {
  const { get, set } = Object.getOwnPropertyDescriptor(chat, 'messages')!;
  Object.defineProperties(chat, {
    messages: { get: () => asBare(get!() as Messages, chat.status), set: set!, enumerable: true },
    lastMessage: { get: () => chat.messages.at(-1) },
  });
  return chat;
}
