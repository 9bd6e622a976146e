/** The chat of `ai`, and the functions that its tests import by relative paths. */
import { AbstractChat as Bare, type ChatInit, type ChatState, type UIMessage } from 'ai';
import { guard } from 'toolgate/ai-sdk';
import { useGuardedChat, type UseGuardedChatOptions } from 'toolgate/vue';
import { isDeepStrictEqual } from 'node:util';
import { watch } from 'vue';

import { disposeAfterTest } from './cleanup';
import { asBare, hideIn, hiding } from './hide';
import { mode } from './mode';

export {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai';

type Init = Omit<ChatInit<UIMessage>, 'messages'> & { state: ChatState<UIMessage> & { history?: UIMessage[][] } };

/** Records each new list of messages in the `history` of a state of the tests. */
function recorder({ state }: Init): (messages: UIMessage[]) => void {
  return (messages) => {
    const { history } = state;
    if (history && !isDeepStrictEqual(history.at(-1), messages)) history.push(structuredClone(messages));
  };
}

class Guarded extends Bare<UIMessage> {
  constructor(init: Init) {
    super(hiding(init));
    const signal = init.state;
    const record = recorder(init);
    guard(this, { idempotencyHeader: false });
    hideIn(this as unknown as { status: string; messages: UIMessage[] });
    Object.defineProperty(this.state, 'history', { get: () => init.state.history });
    Object.defineProperty(signal, 'messages', { get: () => [], set: () => record(this.messages) });
  }
}

/** Has the members of a chat of `useGuardedChat`. */
class Own {
  constructor({ state, ...options }: Init) {
    const record = recorder({ state });
    const used = useGuardedChat(
      hiding({ ...options, messages: state.messages, idempotencyHeader: false }) as UseGuardedChatOptions,
    );
    const chat = used.chat.value!;
    disposeAfterTest(chat);
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(chat));
    const shown = (): UIMessage[] => asBare(chat.messages as UIMessage[], chat.status);
    Object.defineProperties(this, {
      id: { get: () => chat.id },
      messages: { get: shown, set: (list: UIMessage[]) => void (chat.messages = list) },
      lastMessage: { get: () => shown().at(-1) },
      status: { get: () => chat.status },
      error: { get: () => chat.error },
      state: { value: state },
    });
    watch([used.messages, used.status], () => record(shown()), { flush: 'sync' });
  }
}

/** What the tests extend. */
export const AbstractChat = { bare: Bare, guard: Guarded, own: Own }[mode];
