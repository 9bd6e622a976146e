// @vitest-environment happy-dom
/** `<ToolApprovals>` and `<ToolApproval>` of the bindings. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync, mount as mountSvelte, unmount as unmountSvelte } from 'svelte';
import type { ToolPart } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import {
  loadToolApproval,
  type ToolApprovalElement,
  type ToolApprovalsElement,
  type ToolCards,
} from 'toolgate/element';
import * as react from 'toolgate/react';
import * as vue from 'toolgate/vue';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp, h, nextTick, shallowReactive } from 'vue';

import { act } from '../lib/act';
import { asks, says } from '../ai-sdk/support/transport';
import Cards from './support/Cards.svelte';
import { initFromFile } from './support/gates';
import { freshId, scripted, via } from './support/guarded-chat';
import { box } from './support/state.svelte';

type Chat = react.SharedChat;
interface Props {
  chat: Chat;
  part: ToolPart | undefined;
}

/** What the app of the page knows about its tools. */
const TOOLS: ToolCards = { delete_file: { summary: () => 'Delete it' } };

beforeAll(async () => {
  await initFromFile();
  await loadToolApproval();
});

/** A page with `<ToolApprovals>` and `<ToolApproval>`, whose props can change. */
interface Page {
  readonly element: HTMLElement;
  set(props: Props): Promise<void>;
  unmount(): Promise<void>;
}

type Show = (props: Props, decided: (event: CustomEvent) => void) => Promise<Page>;

const inReact: Show = async (props, decided) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const element = document.createElement('div');
  document.body.append(element);
  const root = createRoot(element);
  const set = ({ chat, part }: Props): Promise<void> =>
    act(async () =>
      root.render(
        <StrictMode>
          <react.GateProvider gate={chat}>
            <react.ToolApprovals chat={chat} headingLevel={2} theme="dark" onDecision={decided} className="mine" />
            <react.ToolApproval part={part} remember="none" tools={TOOLS} />
          </react.GateProvider>
        </StrictMode>,
      ),
    );
  await set(props);
  return { element, set, unmount: () => act(async () => root.unmount()) };
};

const inVue: Show = async (props, decided) => {
  const element = document.createElement('div');
  document.body.append(element);
  const now = shallowReactive(props);
  const app = createApp({
    setup() {
      vue.provideGate(() => now.chat);
      return () => [
        h(vue.ToolApprovals, { chat: now.chat, headingLevel: 2, theme: 'dark', onDecision: decided, class: 'mine' }),
        h(vue.ToolApproval, { part: now.part, remember: 'none', tools: TOOLS }),
      ];
    },
  });
  app.mount(element);
  await nextTick();
  const set = async (next: Props): Promise<void> => {
    Object.assign(now, next);
    await nextTick();
  };
  return { element, set, unmount: async () => app.unmount() };
};

const inSvelte: Show = async (props, decided) => {
  const element = document.createElement('div');
  document.body.append(element);
  const now = box(props);
  const app = mountSvelte(Cards, {
    target: element,
    props: {
      get chat() {
        return now.value.chat;
      },
      get part() {
        return now.value.part;
      },
      ondecision: decided,
      tools: TOOLS,
    },
  });
  flushSync();
  const set = async (next: Props): Promise<void> => {
    now.value = next;
    flushSync();
  };
  return { element, set, unmount: () => unmountSvelte(app) };
};

/** A chat of `useGuardedChat`, outside of the tested component. */
function chatWith(...replies: Parameters<typeof scripted>): Chat {
  return vue.useGuardedChat({ id: freshId(), ...via(scripted(...replies)) }).chat.value as Chat;
}

/** The card that is not in the list. */
const cardIn = ({ element }: Page): ToolApprovalElement =>
  [...element.children].find(({ localName }) => localName === 'tool-approval') as ToolApprovalElement;

describe.each([
  ['React', inReact],
  ['Vue', inVue],
  ['Svelte', inSvelte],
])('%s', (name, show) => {
  test('the components show a chat as its messages and props change', async () => {
    const chat = chatWith(asks(['c1', 'c2']));
    const other = chatWith(asks(['c9']));
    const decisions: string[] = [];
    const page = await show({ chat, part: undefined }, ({ detail }) => void decisions.push(detail.approvalId));
    const list = page.element.querySelector<ToolApprovalsElement>('tool-approvals')!;
    const card = cardIn(page);
    await chat.sendMessage({ text: 'hi' });
    await other.sendMessage({ text: 'hi' });
    expect([list.gate, card.gate]).toEqual([gateOf(chat), gateOf(chat)]);
    expect([list.headingLevel, list.getAttribute('theme'), card.remember]).toEqual([2, 'dark', 'none']);
    expect(list.getAttribute('class')).toBe(name === 'Svelte' ? null : 'mine');
    expect(list.querySelectorAll('tool-approval')).toHaveLength(2);
    expect(card.status).toBeUndefined();

    const [, second] = chat.messages.at(-1)!.parts.filter(({ type }) => type !== 'step-start');
    await page.set({ chat, part: second as ToolPart });
    expect([card.toolCallId, card.messageId, card.status]).toEqual(['c2', undefined, 'waiting']);
    expect(card.tools).toBe(TOOLS);

    const buttons = [...list.querySelector('tool-approval')!.shadowRoot!.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Approve')!.click();
    expect(decisions).toEqual(['ask-c1']);
    await page.set({ chat: other, part: undefined });
    expect([list.gate, card.gate, card.toolCallId]).toEqual([gateOf(other), gateOf(other), undefined]);
    await page.unmount();
    expect([list.gate, card.gate]).toEqual([undefined, undefined]);
  });

  test('a part of an earlier message with the id of a newer call shows its own call', async () => {
    const chat = chatWith(asks(['c1'], 'a1'), [...says('one', 'a2').slice(0, 2), ...asks(['c1'], 'a2').slice(2)]);
    await chat.sendMessage({ text: 'hi' });
    await chat.sendMessage({ text: 'more' });
    const [first, second] = ['a1', 'a2'].map(
      (id) =>
        chat.messages.find((message) => message.id === id)!.parts.find((part) => 'toolCallId' in part) as ToolPart,
    );
    const page = await show({ chat, part: first }, () => {});
    const card = cardIn(page);
    expect([card.messageId, card.status]).toEqual(['a1', 'denied']);
    await page.set({ chat, part: second });
    expect([card.messageId, card.status]).toEqual([undefined, 'waiting']);
    await page.unmount();
  });
});
