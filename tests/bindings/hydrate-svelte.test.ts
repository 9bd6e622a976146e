// @vitest-environment happy-dom
/**
 * Svelte hydrates pages that a server rendered. One is rendered without the core and gets its gate later; the other has
 * a gate on the server and in the browser.
 */
import { flushSync, hydrate, tick, unmount } from 'svelte';
import type { GateSource, ToolGate } from 'toolgate';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import App from './support/App.svelte';
import { asking, countListeners, Counts, initFromFile } from './support/gates';
import { components, inNode, type Rendered } from './support/server';
import { box } from './support/state.svelte';

const show = { ids: ['c1'], approvals: true, status: true };
const complaints: unknown[] = [];
let server: Rendered;

beforeAll(async () => {
  await initFromFile();
  server = inNode(`
    import { render } from 'svelte/server';
    ${components('PartCard', 'Content', 'App')}
    const props = { counts: { add() {} }, ...${JSON.stringify(show)} };
    await run((gate) => render(App, { props: { gate, ...props } }).body);
  `);
});
beforeEach(() => {
  complaints.length = 0;
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((...args) => void complaints.push(args));
});
afterEach(() => vi.restoreAllMocks());

/** Hydrates the server's HTML. `element` is an element of that HTML. */
function takeOver(html: string, gate: GateSource | (() => GateSource)) {
  const target = document.createElement('div');
  target.innerHTML = html;
  document.body.append(target);
  const element = target.querySelector('i');
  const app = hydrate(App, { target, props: { gate, counts: new Counts(), ...show } });
  flushSync();
  const end = async (): Promise<void> => {
    await unmount(app);
    // Svelte unsubscribes asynchronously.
    await tick();
    target.remove();
  };
  return { target, element, end, text: () => target.textContent.replaceAll(/\s+/g, '') };
}

test('hydrates a page that was rendered before init(), and gets a gate later', async () => {
  const gate = asking(['c1']);
  const listeners = countListeners(gate);
  const source = box<ToolGate | null>(null);
  expect(server.compiledBefore).toBe(0);
  const { target, element, end, text } = takeOver(server.without, () => source.value);
  expect(text()).toBe('none;idle');
  source.value = gate;
  flushSync();
  expect(text()).toBe('approval-requested;c1awaiting-approval');
  expect(target.querySelector('i')).toBe(element);
  target.querySelector('button')?.click();
  flushSync();
  expect(gate.pending()).toEqual([]);
  await end();
  expect([listeners(), complaints]).toEqual([0, []]);
});

test('an equal gate hydrates a page that was rendered with a gate', async () => {
  const gate = asking(['c1']);
  const listeners = countListeners(gate);
  const { target, element, end, text } = takeOver(server.with, gate);
  expect(text()).toBe('approval-requested;c1awaiting-approval');
  expect(target.querySelector('i')).toBe(element);
  target.querySelector('button')?.click();
  flushSync();
  expect(text()).toContain('approval-responded');
  await end();
  expect([listeners(), complaints]).toEqual([0, []]);
});
