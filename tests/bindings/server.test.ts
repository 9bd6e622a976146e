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

test.each(['react', 'svelte', 'vue'])('toolgate/%s does not import the core', (name) => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const code = readFileSync(path, 'utf8');
    expect(code).not.toContain('WebAssembly');
    for (const [, next] of code.matchAll(/(?:from|import\()\s*["'`](\.[^"'`]+)["'`]/g)) visit(join(path, '..', next!));
  };
  visit(join(root, `pkg/dist/bindings/${name}/index.js`));
  // The binding itself, and the three built files that it imports, directly or not.
  expect(seen.size).toBe(4);
});

test('toolgate/react has "use client", so that a server component can import it', () => {
  expect(readFileSync(join(root, 'pkg/dist/bindings/react/index.js'), 'utf8')).toMatch(/^["']use client["'];/);
});
