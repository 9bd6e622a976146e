// @vitest-environment happy-dom
/**
 * A chat whose core is loading: bindings and elements show no approvals until its gate exists, and then show those of
 * the gate.
 */
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { flushSync, mount as mountSvelte, unmount as unmountSvelte } from 'svelte';
import { init, type GateSource } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { defineToolApproval, loadToolApproval } from 'toolgate/element';
import * as react from 'toolgate/react';
import * as vue from 'toolgate/vue';
import { expect, test, vi } from 'vitest';
import { createApp, h, nextTick } from 'vue';

import { act } from '../lib/act';
import { reactChats } from '../ai-sdk/support/chats';
import { wasmFile } from '../ai-sdk/support/init';
import { ScriptedTransport } from '../ai-sdk/support/transport';
import { turns } from '../lib/waiting';
import App from './support/App.svelte';
import { Counts } from './support/gates';

const history = [
  { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] },
  {
    id: 'a0',
    role: 'assistant',
    parts: [
      { type: 'tool-edit', toolCallId: 'c1', state: 'approval-requested', input: {}, approval: { id: 'ask-c1' } },
    ],
  },
];

function Shown() {
  const gate = react.useGate();
  const approvals = react.useApprovals();
  return <p>{`${gate ? 'gate' : 'none'}:${approvals.map(({ approvalId }) => approvalId).join()}`}</p>;
}

const Page = ({ gate }: { gate: GateSource }) => (
  <StrictMode>
    <react.GateProvider gate={gate}>
      <Shown />
    </react.GateProvider>
  </StrictMode>
);

test('hooks, composables, runes and cards show a chat whose core is loaded later', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const problems = vi.spyOn(console, 'error');
  let arrive!: (bytes: Uint8Array) => void;
  const loaded = init(new Promise<Uint8Array>((resolve) => (arrive = resolve)) as never);
  const chat = guard(reactChats[1]!.create({ messages: history, transport: new ScriptedTransport([]) }));

  const html = renderToString(<Page gate={chat} />);
  expect(html).toBe('<p>none:</p>');
  const element = document.createElement('div');
  element.innerHTML = html;
  const root = await act(async () => hydrateRoot(element, <Page gate={chat} />));

  const inVue = document.createElement('div');
  const vueApp = createApp({
    setup() {
      const [gate, approvals] = [vue.useGate(chat), vue.useApprovals(chat)];
      return () =>
        h('p', `${gate.value ? 'gate' : 'none'}:${approvals.value.map(({ approvalId }) => approvalId).join()}`);
    },
  });
  vueApp.mount(inVue);
  const inSvelte = document.createElement('div');
  const svelteApp = mountSvelte(App, {
    target: inSvelte,
    props: { gate: chat, counts: new Counts(), approvals: true },
  });
  flushSync();
  defineToolApproval();
  const list = document.createElement('tool-approvals');
  list.gate = chat;
  document.body.append(list);
  await turns(2);

  const shown = () => [element.textContent, inVue.textContent, inSvelte.textContent.trim(), list.children.length];
  expect(shown()).toEqual(['none:', 'none:', '', 0]);

  await act(async () => {
    arrive(wasmFile());
    await loaded;
    await turns();
  });
  await loadToolApproval();
  await nextTick();
  flushSync();
  expect(list.gate).toBe(gateOf(chat));
  expect(shown()).toEqual(['gate:ask-c1', 'gate:ask-c1', 'c1', 1]);
  await act(async () => root.unmount());
  vueApp.unmount();
  await unmountSvelte(svelteApp);
  expect(problems).not.toHaveBeenCalled();
});
