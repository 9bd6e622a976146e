/** `Chat` of `@ai-sdk/svelte`. */
import * as sdk from '@ai-sdk/svelte';
import type { ChatInit, UIMessage } from 'ai';
import { mount, unmount } from 'svelte';
import { guard } from 'toolgate/ai-sdk';
import type { ReactiveChat } from 'toolgate/svelte';

import { afterTest, disposeAfterTest } from './cleanup';
import { asBare, hideIn, hiding, type ChatClass } from './hide';
import { mode } from './mode';
import Use from './Use.svelte';

const Bare = sdk.Chat as unknown as ChatClass;

class Guarded extends Bare {
  constructor(init: ChatInit<UIMessage>) {
    super(hiding(init));
    guard(this as never, { idempotencyHeader: false });
    hideIn(this);
  }
}

class Own {
  constructor(init: ChatInit<UIMessage>) {
    let used!: ReactiveChat;
    const options = { ...hiding(init), idempotencyHeader: false };
    const component = mount(Use, {
      target: document.body,
      props: { options, onUse: (chat: ReactiveChat) => (used = chat) },
    });
    afterTest(() => unmount(component));
    disposeAfterTest(used.chat);
    // Generates it now, as `new Chat()` does: the tests count the ids.
    void used.id;
    const shown = (): UIMessage[] => asBare(used.messages, used.status);
    Object.defineProperties(this, {
      ...Object.getOwnPropertyDescriptors(used),
      messages: { get: shown, set: (list: UIMessage[]) => void (used.messages = list), enumerable: true },
      lastMessage: { get: () => shown().at(-1) },
    });
  }
}

export const Chat = { bare: Bare, guard: Guarded, own: Own }[mode];
