/** A page with `<ToolQuestion>` of each binding. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { mount } from 'svelte';
import { init, ToolGate } from 'toolgate';
import * as react from 'toolgate/react';
import * as svelte from 'toolgate/svelte';
import * as vue from 'toolgate/vue';
import { createApp, h } from 'vue';

const input = (name: string): object => ({
  message: `Where should the ${name} app be released?`,
  requestedSchema: {
    type: 'object',
    properties: {
      stage: { type: 'string', title: 'Stage', enum: ['dev', 'prod'], enumNames: ['Development', 'Production'] },
      notes: { type: 'string', title: 'Notes', description: 'Shown in the changelog.' },
    },
    required: ['stage'],
  },
});

/** A gate with one question, and its part. */
function ask(name: string) {
  const gate = new ToolGate({ chatId: name, browserTools: ['ask_user'] });
  gate.sendUserMessage({ text: 'release it' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: `${name}-1`, toolName: 'ask_user', input: input(name) },
    { type: 'finish', finishReason: 'tool-calls' },
  ])
    gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  return { gate, part: gate.part(`${name}-1`) };
}

async function start(): Promise<unknown[]> {
  await init('/toolgate.wasm');
  const answers: unknown[] = [];
  const add = (event: CustomEvent<unknown>): void => void answers.push(event.detail);
  const target = (): HTMLElement => document.querySelector('main')!.appendChild(document.createElement('section'));
  const props = (name: string) => ({ ...ask(name), theme: 'auto' as const });
  createRoot(target()).render(createElement(react.ToolQuestion, { ...props('react'), onAnswer: add }));
  const inVue = props('vue');
  createApp(() => h(vue.ToolQuestion, { ...inVue, onAnswer: add })).mount(target());
  mount(svelte.ToolQuestion, { target: target(), props: { ...props('svelte'), onanswer: add } });
  return answers;
}

declare global {
  interface Window {
    answers: unknown[];
  }
}
window.answers = await start();
document.title = 'ready';
