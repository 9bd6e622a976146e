// @vitest-environment happy-dom
/** `<ToolQuestion>` of the bindings. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { flushSync, mount as mountSvelte, unmount as unmountSvelte } from 'svelte';
import type { ToolPart } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import { loadToolQuestion, type Question, type ToolQuestionElement } from 'toolgate/element';
import * as react from 'toolgate/react';
import * as vue from 'toolgate/vue';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp, h, nextTick, shallowReactive } from 'vue';

import { act } from '../lib/act';
import { says } from '../ai-sdk/support/transport';
import { initFromFile } from './support/gates';
import { freshId, scripted, via } from './support/guarded-chat';
import QuestionCard from './support/QuestionCard.svelte';
import { box } from './support/state.svelte';

beforeAll(async () => {
  await initFromFile();
  await loadToolQuestion();
});

interface Props {
  chat: react.SharedChat;
  part?: ToolPart | undefined;
  question?: Question | undefined;
}

interface Page {
  readonly element: HTMLElement;
  set(props: Props): Promise<void>;
  unmount(): Promise<void>;
}

type Listener = (event: CustomEvent) => void;
type Show = (props: Props, answered: Listener, failed: Listener) => Promise<Page>;

const place = (): HTMLElement => document.body.appendChild(document.createElement('div'));

const inReact: Show = async (props, answered, failed) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const element = place();
  const root = createRoot(element);
  const set = (next: Props): Promise<void> =>
    act(async () =>
      root.render(
        <StrictMode>
          <react.ToolQuestion {...next} headingLevel={2} theme="dark" onAnswer={answered} onAnswerError={failed} />
        </StrictMode>,
      ),
    );
  await set(props);
  return { element, set, unmount: () => act(async () => root.unmount()) };
};

const inVue: Show = async (props, onAnswer, onAnswerError) => {
  const element = place();
  const now = shallowReactive({ ...props });
  const app = createApp(() => h(vue.ToolQuestion, { ...now, headingLevel: 2, theme: 'dark', onAnswer, onAnswerError }));
  app.mount(element);
  await nextTick();
  const set = async (next: Props): Promise<void> => {
    Object.assign(now, next);
    await nextTick();
  };
  return { element, set, unmount: async () => app.unmount() };
};

const inSvelte: Show = async (props, onanswer, onanswererror) => {
  const element = place();
  const now = box(props);
  const app = mountSvelte(QuestionCard, {
    target: element,
    props: {
      get chat() {
        return now.value.chat;
      },
      get part() {
        return now.value.part;
      },
      get question() {
        return now.value.question;
      },
      onanswer,
      onanswererror,
    },
  });
  flushSync();
  const set = async (next: Props): Promise<void> => {
    now.value = next;
    flushSync();
  };
  return { element, set, unmount: () => unmountSvelte(app) };
};

const asks = (message: string): object => ({
  message,
  requestedSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
});

/** A chat in which the model has asked two questions with the same call id. */
async function asked(): Promise<react.SharedChat> {
  const ask = (id: string, message: string): never =>
    [
      { type: 'start', messageId: id },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'ask_user', input: asks(message) },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'tool-calls' },
    ] as never;
  const transport = scripted(ask('a1', 'Which one?'), ask('a2', 'Which colour?'), says('thanks', 'a3'));
  const chat = vue.useGuardedChat({ id: freshId(), gate: { browserTools: ['ask_user'] }, ...via(transport) }).chat
    .value as react.SharedChat;
  await chat.sendMessage({ text: 'hi' });
  await chat.sendMessage({ text: 'go on' });
  return chat;
}

const partsOf = (chat: react.SharedChat): ToolPart[] =>
  chat.messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-ask_user') as ToolPart[]);

describe.each([
  ['React', inReact],
  ['Vue', inVue],
  ['Svelte', inSvelte],
])('%s', (_, show) => {
  test('the component shows the question of its part, and emits its answer', async () => {
    const chat = await asked();
    const [first, second] = partsOf(chat) as [ToolPart, ToolPart];
    const answers: unknown[] = [];
    const page = await show(
      { chat, part: second },
      ({ detail }) => answers.push(detail),
      () => answers.push('failed'),
    );
    const element = page.element.querySelector<ToolQuestionElement>('tool-question')!;
    expect([element.gate, element.status, element.headingLevel]).toEqual([gateOf(chat), 'waiting', 2]);
    expect(element.getAttribute('theme')).toBe('dark');
    const root = element.shadowRoot!;
    expect(root.querySelector('[part~=message]')!.textContent).toContain('Which colour?');

    await page.set({ chat, part: first });
    expect([element.messageId, element.status]).toEqual(['a1', expect.not.stringMatching('waiting')]);
    await page.set({ chat, part: second, question: asks('And now?') });
    expect(root.querySelector('[part~=message]')!.textContent).toContain('And now?');

    root.querySelector('input')!.value = 'blue';
    root.querySelector<HTMLButtonElement>('[part~=send]')!.click();
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    const answer = { action: 'accept', content: { colour: 'blue' } };
    expect(answers).toEqual([{ toolCallId: 'c1', toolName: 'ask_user', answer }]);
    expect(partsOf(chat).at(-1)).toMatchObject({ state: 'output-available', output: answer });
    await page.unmount();
    expect(element.gate).toBeUndefined();
  });

  test('an answer that the gate rejects: the listener of answer errors is called', async () => {
    const chat = await asked();
    const [, part] = partsOf(chat) as [ToolPart, ToolPart];
    const errors: unknown[] = [];
    const page = await show(
      { chat, part },
      () => errors.push('answered'),
      ({ detail }) => errors.push(detail.toolCallId),
    );
    const root = page.element.querySelector('tool-question')!.shadowRoot!;
    root.querySelector('input')!.value = 'blue';
    vi.spyOn(gateOf(chat), 'addToolOutput').mockImplementation(() => {
      throw new Error('no');
    });
    root.querySelector<HTMLButtonElement>('[part~=send]')!.click();
    await vi.waitFor(() => expect(errors).toEqual(['c1']));
    await page.unmount();
  });
});

test('a server renders the tag, with the attributes of the app only', () => {
  const html = renderToString(<react.ToolQuestion gate={null} toolCallId="c1" className="mine" question={{}} />);
  expect(html).toBe('<tool-question class="mine"></tool-question>');
});
