/**
 * Server rendering in Node. Without `init()`, an empty chat is rendered and the core is not imported. After rendering
 * with a gate, the gate has no listeners. Each framework renders in a separate process.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { root } from '../../pkg-scripts/lib/shell.mjs';
import { components, inNode } from './support/server';

const tags = (html: string): string => html.replaceAll(/<!--.*?-->|\s+/g, '');

describe('react-dom/server', () => {
  test('renders an empty chat, also with a gate, for hydration', () => {
    const result = inNode(`
      import { createElement as h } from 'react';
      import { renderToString } from 'react-dom/server';
      import { GateProvider, useApproval, useApprovals, useGateActions, useGateView, useMessages, useToolPart, useUndelivered } from 'toolgate/react';
      function App() {
        const { respond } = useGateActions();
        const all = [useApprovals().length, useMessages().length, useUndelivered().length, useGateView((view) => view.status), typeof respond];
        return h('p', null, [...all, String(useToolPart('c1')?.state), String(useApproval('c1'))].join(' '));
      }
      await run((gate) => renderToString(h(GateProvider, { gate }, h(App))));
    `);
    const empty = '<p>0 0 0 idle function undefined undefined</p>';
    expect(result).toEqual({ without: empty, compiledBefore: 0, with: empty, listeners: 0 });
  });
});

describe('vue/server-renderer', () => {
  test('renders the content of the gate, and removes its listeners', () => {
    const result = inNode(`
      import { createSSRApp, h } from 'vue';
      import { renderToString } from 'vue/server-renderer';
      import { provideGate, useApproval, useApprovals, useGateActions, useGateView, useGuardedChat, useMessages, useToolPart, useUndelivered } from 'toolgate/vue';
      const App = {
        setup() {
          const { respond } = useGateActions();
          const { messages } = useGuardedChat(null);
          const all = [useApprovals(), useMessages(), useUndelivered(), messages];
          const [status, part, approval] = [useGateView((view) => view.status), useToolPart('c1'), useApproval('c1')];
          return () => h('p', [...all.map((list) => list.value.length), status.value, typeof respond, part.value?.state, approval.value?.approvalId].join(' '));
        },
      };
      await run((gate) => renderToString(createSSRApp({ setup: () => provideGate(gate), render: () => h(App) })));
    `);
    expect(result).toEqual({
      without: '<p>0 0 0 0 idle function  </p>',
      compiledBefore: 0,
      with: '<p>1 2 0 0 awaiting-approval function approval-requested ask-c1</p>',
      listeners: 0,
    });
  });
});

describe('svelte/server', () => {
  test('renders the content of the gate without a subscription', () => {
    const result = inNode(`
      import { render } from 'svelte/server';
      ${components('PartCard', 'Content', 'App')}
      const props = { counts: { add() {} }, ids: ['c1'], approvals: true, status: true, transcript: true };
      await run((gate) => render(App, { props: { gate, ...props } }).body);
    `);
    expect(tags(result.without)).toBe('<i>none;</i><b>idle</b>');
    expect(tags(result.with)).toBe(
      '<i>approval-requested;</i><button>c1</button><b>awaiting-approval</b><u>text</u><u>tool-edit</u>',
    );
    expect([result.compiledBefore, result.listeners]).toEqual([0, 0]);
  });
});

/** Renders the page of two users, whose chats have the same id, in one process. Loads and requests nothing. */
const twoUsers = (frame: string): { pages: string[]; compiled: number; fetched: number } =>
  inNode(`
    let fetched = 0;
    globalThis.fetch = async () => (fetched++, new Response());
    const options = (text) => ({ id: 'chat', messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text }] }], resume: true });
    const show = ({ status, messages }) => status + ':' + messages.map(({ parts }) => parts[0].text).join();
    ${frame}
    const pages = [await page('first'), await page('second')];
    await new Promise((done) => setTimeout(done, 10));
    console.log(JSON.stringify({ pages, compiled, fetched }));
  `) as never;

test('ToolApprovals and ToolApproval are empty elements on a server', () => {
  const result = inNode(`
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    import { render } from 'svelte/server';
    import { createSSRApp, h } from 'vue';
    import { renderToString as renderVue } from 'vue/server-renderer';
    import * as react from 'toolgate/react';
    import * as vue from 'toolgate/vue';
    ${components('Cards')}
    const chat = (await import('toolgate/vue')).useGuardedChat({ id: 'chat' }).chat.value;
    const part = { toolCallId: 'c1' };
    console.log(JSON.stringify([
      renderToString(createElement(react.ToolApprovals, { chat, headingLevel: 2, className: 'mine' })),
      renderToString(createElement(react.ToolApproval, { chat, part })),
      await renderVue(createSSRApp({ render: () => h(vue.ToolApproval, { chat, part, class: 'mine' }) })),
      render(Cards, { props: { chat, part } }).body,
    ]));
  `) as never as string[];
  expect(result.map(tags)).toEqual([
    '<tool-approvalsclass="mine"></tool-approvals>',
    '<tool-approval></tool-approval>',
    '<tool-approvalclass="mine"></tool-approval>',
    '<tool-approvals></tool-approvals><tool-approval></tool-approval>',
  ]);
});

describe('useGuardedChat on a server renders the messages, and shares no chats between requests', () => {
  const nothing = { compiled: 0, fetched: 0 };

  test('react-dom/server', () => {
    const result = twoUsers(`
      import { createElement as h } from 'react';
      import { renderToString } from 'react-dom/server';
      import { useApprovals, useGuardedChat } from 'toolgate/react';
      function App({ options }) {
        const chat = useGuardedChat(options);
        return h('p', null, show(chat) + useApprovals(chat).length);
      }
      const page = (text) => renderToString(h('div', null, h(App, { options: options(text) }), h(App, { options: { id: 'chat' } })));
    `);
    const html = (text: string) => `<div><p>ready:${text}0</p><p>ready:0</p></div>`;
    expect(result).toEqual({ pages: [html('first'), html('second')], ...nothing });
  });

  test('vue/server-renderer', () => {
    const result = twoUsers(`
      import { createSSRApp, h } from 'vue';
      import { renderToString } from 'vue/server-renderer';
      import { useApprovals, useGuardedChat } from 'toolgate/vue';
      const App = {
        props: ['options'],
        setup({ options }) {
          const chat = useGuardedChat(options);
          const approvals = useApprovals(chat);
          return () => h('p', show({ status: chat.status.value, messages: chat.messages.value }) + approvals.value.length);
        },
      };
      const page = (text) => renderToString(createSSRApp({ render: () => h('div', [h(App, { options: options(text) }), h(App, { options: { id: 'chat' } })]) }));
    `);
    const html = (text: string) => `<div><p>ready:${text}0</p><p>ready:0</p></div>`;
    expect(result).toEqual({ pages: [html('first'), html('second')], ...nothing });
  });

  test('svelte/server', () => {
    const result = twoUsers(`
      import { render } from 'svelte/server';
      ${components('GuardedChat', 'GuardedChats')}
      const page = (text) => render(GuardedChats, { props: { list: [options(text), { id: 'chat' }], seen: [], show } }).body;
    `);
    const html = (text: string) => `<p>ready:${text};0</p><p>ready:;0</p>`;
    expect({ ...result, pages: result.pages.map(tags) }).toEqual({
      pages: [html('first'), html('second')],
      ...nothing,
    });
  });
});

test.each(['react', 'svelte', 'vue'])('toolgate/%s does not import the core', (name) => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const code = readFileSync(path, 'utf8');
    expect(code).not.toContain('WebAssembly.instantiate');
    // `useGuardedChat` loads the core later, with `import()`.
    for (const [, next] of code.matchAll(/(?:from|import)\s*["'`](\.[^"'`]+)["'`]/g)) visit(join(path, '..', next!));
  };
  visit(join(root, `pkg/dist/bindings/${name}/index.sentences.js`));
  expect(seen.size).toBeGreaterThan(4);
});

test('toolgate/react has "use client", so that a server component can import it', () => {
  for (const file of ['index.js', 'index.sentences.js'])
    expect(readFileSync(join(root, 'pkg/dist/bindings/react', file), 'utf8')).toMatch(/^["']use client["'];/);
});
