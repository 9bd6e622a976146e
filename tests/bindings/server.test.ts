/**
 * Server rendering in Node itself, by the packages that a server would load: without `init()` an empty chat is rendered, and
 * the core is not even imported; with a gate nothing is left listening. Each framework renders in a process of its own.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'svelte/compiler';
import { describe, expect, test } from 'vitest';

import { root } from '../../pkg-scripts/lib/shell.mjs';

/** Prints what was rendered, without a gate and with one, as JSON. */
const PRELUDE = `
  import { readFileSync } from 'node:fs';
  let compiled = 0;
  for (const name of ['Module', 'Instance', 'compile', 'instantiate', 'instantiateStreaming']) {
    const own = WebAssembly[name];
    WebAssembly[name] = new Proxy(own, {
      apply: (target, self, args) => (compiled++, Reflect.apply(target, self, args)),
      construct: (target, args) => (compiled++, Reflect.construct(target, args)),
    });
  }
  async function withGate() {
    const { initSync, ToolGate } = await import('toolgate');
    initSync(readFileSync('pkg/dist/toolgate.wasm'));
    const gate = new ToolGate({ chatId: 'chat' });
    gate.sendUserMessage({ text: 'hi' });
    gate.claim(gate.outgoing()[0].id);
    for (const event of [
      { type: 'start', messageId: 'a1' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {} },
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' },
    ]) gate.receive(event);
    gate.streamEnded({ status: 'finished' });
    const subscribe = gate.subscribe.bind(gate);
    let listeners = 0;
    gate.subscribe = (listener) => {
      const end = subscribe(listener);
      listeners++;
      return () => (listeners--, end());
    };
    return { gate, listeners: () => listeners };
  }
  async function run(render) {
    const without = await render(null);
    const compiledBefore = compiled;
    const { gate, listeners } = await withGate();
    const html = await render(gate);
    console.log(JSON.stringify({ without, compiledBefore, with: html, listeners: listeners() }));
  }
`;

interface Rendered {
  without: string;
  compiledBefore: number;
  with: string;
  listeners: number;
}

function inNode(script: string): Rendered {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PRELUDE + script], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Rendered;
}

const tags = (html: string): string => html.replaceAll(/<!--.*?-->|\s+/g, '');

describe('react-dom/server', () => {
  test('shows an empty chat, with a gate too: that is what the page hydrates', () => {
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
  test('shows what there is, and listens to nothing afterwards', () => {
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
  const component = (name: string): string => {
    const source = readFileSync(join(import.meta.dirname, 'support', `${name}.svelte`), 'utf8');
    const { code } = compile(source, { generate: 'server', dev: false, filename: `${name}.svelte` }).js;
    // Beside each other in one script, each as what it exports.
    const imports = [...code.matchAll(/^import (.+) from '([^.'].*)';$/gm)];
    const body = code.replaceAll(/^import .*$/gm, '').replace('export default function', 'return function');
    const bindings = imports.map(([, names, from]) => {
      const known = names!.startsWith('*') ? names!.slice(5) : names!;
      return `const ${known} = await import(${JSON.stringify(from)});`;
    });
    return `const ${name} = await (async () => { ${bindings.join('\n')}\n${body} })();`;
  };

  test('shows what there is, and listens to nothing', () => {
    const result = inNode(`
      import { render } from 'svelte/server';
      ${['PartCard', 'Content', 'App'].map(component).join('\n')}
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

test.each(['react', 'svelte', 'vue'])('toolgate/%s imports nothing of the core', (name) => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const code = readFileSync(path, 'utf8');
    expect(code).not.toContain('WebAssembly');
    for (const [, next] of code.matchAll(/(?:from|import\()\s*["'`](\.[^"'`]+)["'`]/g)) visit(join(path, '..', next!));
  };
  visit(join(root, `pkg/dist/${name}/index.js`));
  // Itself, what the bindings share, and what finds a gate.
  expect(seen.size).toBe(3);
});

test('toolgate/react says that it belongs to the client: a server component can import it', () => {
  expect(readFileSync(join(root, 'pkg/dist/react/index.js'), 'utf8')).toMatch(/^["']use client["'];/);
});
