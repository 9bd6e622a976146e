/** Renders in a separate Node process, with the builds of the frameworks that a server loads. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'svelte/compiler';
import { expect } from 'vitest';

import { root } from '../../../pkg-scripts/lib/shell.mjs';

/** Defines `run`, which renders without a gate and then with one, and prints the result as JSON. */
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
    const { initSync, ToolGate } = await import('toolgate/slim');
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

/** The HTML, whether WebAssembly was compiled before the gate was created, and the number of remaining listeners. */
export interface Rendered {
  without: string;
  compiledBefore: number;
  with: string;
  listeners: number;
}

/** Runs a script that ends with `await run(render)`, where `render` takes a gate or null and returns HTML. */
export function inNode(script: string): Rendered {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PRELUDE + script], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Rendered;
}

/** The start of such a script, with the Svelte components of this folder compiled for a server. */
export function components(...names: string[]): string {
  return names.map(component).join('\n');
}

function component(name: string): string {
  const source = readFileSync(join(import.meta.dirname, `${name}.svelte`), 'utf8');
  const { code } = compile(source, { generate: 'server', dev: false, filename: `${name}.svelte` }).js;
  // All components are in one script, each as its default export.
  const imports = [...code.matchAll(/^import (.+) from '([^.'].*)';$/gm)];
  const body = code.replaceAll(/^import .*$/gm, '').replace('export default function', 'return function');
  const bindings = imports.map(([, names, from]) => {
    const known = names!.startsWith('*') ? names!.slice(5) : names!;
    return `const ${known} = await import(${JSON.stringify(from)});`;
  });
  return `const ${name} = await (async () => { ${bindings.join('\n')}\n${body} })();`;
}
