/** `Chat` and `useChat` of `@ai-sdk/react`. */
import * as sdk from '@ai-sdk/react';
import { DefaultChatTransport, type ChatInit, type ChatTransport, type UIMessage } from 'ai';
import { useInsertionEffect, useRef } from 'react';
import { guard } from 'toolgate/ai-sdk';
import { useGuardedChat, type UseGuardedChatOptions } from 'toolgate/react';

import { disposeAfterTest } from './cleanup';
import { asBare, hideIn, hiding } from './hide';
import { mode, refuse } from './mode';

type Options = UseGuardedChatOptions & { chat?: sdk.Chat<UIMessage> };

class Guarded extends sdk.Chat<UIMessage> {
  constructor(init: ChatInit<UIMessage>) {
    super(hiding(init));
    guard(this, { idempotencyHeader: false });
    hideIn(this);
  }
}

class NoChat {
  constructor() {
    refuse('`new Chat()` of React');
  }
}

const transportOf = ({ transport = new DefaultChatTransport() }: Options): ChatTransport<UIMessage> => transport;

/** `useChat(options)` with a guarded chat: a new one for each id, with the callbacks of the last render. */
function useGuarded(options: Options = {}): ReturnType<typeof sdk.useChat> {
  const latest = useRef(options);
  useInsertionEffect(() => void (latest.current = options));
  const own = useRef<Guarded>(undefined);
  if (!('chat' in options) && (!own.current || (options.id && own.current.id !== options.id))) {
    own.current = new Guarded({
      ...options,
      transport: {
        sendMessages: (request) => transportOf(latest.current).sendMessages(request),
        reconnectToStream: (request) => transportOf(latest.current).reconnectToStream(request),
      },
      onToolCall: (event) => latest.current.onToolCall?.(event),
      onData: (part) => latest.current.onData?.(part),
      onFinish: (report) => latest.current.onFinish?.(report),
      onError: (error) => latest.current.onError?.(error),
      sendAutomaticallyWhen: (state) => latest.current.sendAutomaticallyWhen?.(state) ?? false,
    });
  }
  return sdk.useChat({ ...options, chat: options.chat ?? own.current! } as Parameters<typeof sdk.useChat>[0]);
}

function useOwn(options: Options = {}): object {
  if ('chat' in options) refuse('`useChat({ chat })` of React');
  // The tests create a new counter with each render. `useGuardedChat` would use the last one, which starts again.
  const { generateId } = useRef(options).current;
  const shown = useGuardedChat({ ...hiding(options), ...(generateId && { generateId }), idempotencyHeader: false });
  const { chat } = shown;
  // Generates it now, as `new Chat()` does: the tests count the ids.
  void chat.id;
  const known = useRef<object>(undefined);
  if (known.current !== chat) disposeAfterTest((known.current = chat));
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(shown),
      messages: { value: asBare(shown.messages, shown.status), enumerable: true },
    },
  );
}

export const Chat = { bare: sdk.Chat, guard: Guarded, own: NoChat }[mode];
export const useChat = { bare: sdk.useChat, guard: useGuarded, own: useOwn }[mode];
