/** `Chat` and `useChat` of `@ai-sdk/vue`. */
import * as sdk from '@ai-sdk/vue';
import type { ChatInit, UIMessage } from 'ai';
import { guard } from 'toolgate/ai-sdk';
import { useGuardedChat, type GuardedChat, type SharedChat, type UseGuardedChatOptions } from 'toolgate/vue';
import { computed, reactive, toValue, type MaybeRefOrGetter } from 'vue';

import { disposeAfterTest } from './cleanup';
import { asBare, hideIn, hiding, type ChatClass } from './hide';
import { mode, refuse } from './mode';

type Init = MaybeRefOrGetter<ChatInit<UIMessage>> | undefined;

const Bare = sdk.Chat as unknown as ChatClass;

class Guarded extends Bare {
  constructor(init: ChatInit<UIMessage>) {
    super(hiding(init));
    guard(this as never, { idempotencyHeader: false });
    hideIn(this);
  }
}

/** The composable's messages as the AI SDK would show them. */
function hidden(used: Pick<GuardedChat<SharedChat>, 'messages' | 'status'>): object {
  const { messages, status } = used;
  return {
    ...used,
    messages: computed({
      get: () => asBare(messages.value, status.value),
      set: (list) => void (messages.value = list),
    }),
  };
}

const useGuarded = (init?: Init): object =>
  hidden(useGuardedChat(computed(() => new Guarded(toValue(init) ?? {}))) as never);

function useOwn(init?: Init): object {
  const used = useGuardedChat(
    () => ({ ...hiding(toValue(init) ?? {}), idempotencyHeader: false }) as UseGuardedChatOptions,
  );
  disposeAfterTest(used.chat.value!);
  return hidden(used as never);
}

/** Has the values of the refs of `useGuardedChat`, as the AI SDK's `Chat` has. */
class Own {
  constructor(init: ChatInit<UIMessage>) {
    return reactive(useOwn(init));
  }
}

export const Chat = { bare: Bare, guard: Guarded, own: Own }[mode];
export const useChat = {
  // Version 6 has no composable, and no test of one.
  bare: (sdk as { useChat?: unknown }).useChat ?? (() => refuse('`useChat()` of Vue')),
  guard: useGuarded,
  own: useOwn,
}[mode];
