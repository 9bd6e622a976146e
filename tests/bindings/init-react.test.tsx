// @vitest-environment happy-dom
/**
 * `use(init())` with React: each render gets the same promise, so the fallback ends.
 */
import { act, StrictMode, Suspense, use, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { init, ToolGate } from 'toolgate';
import { expect, test } from 'vitest';

import { wasmFile } from '../ai-sdk/support/init';
import { collectReactErrors } from './support/react-errors';

const errors = collectReactErrors();

const source = wasmFile();
let renderings = 0;
let fallbacks = 0;

function Fallback() {
  fallbacks++;
  return <p>loading</p>;
}

function Chat({ round }: { round: number }) {
  renderings++;
  use(init(source));
  const [gate] = useState(() => new ToolGate());
  return (
    <p>
      {gate.getSnapshot().status} {round}
    </p>
  );
}

const App = ({ round }: { round: number }) => (
  <StrictMode>
    <Suspense fallback={<Fallback />}>
      <Chat round={round} />
    </Suspense>
  </StrictMode>
);

test.each(['before the core is loaded', 'after the core is loaded'])('use(init()) %s: no later fallback', async () => {
  renderings = 0;
  const element = document.createElement('div');
  const root = createRoot(element);
  await act(async () => root.render(<App round={0} />));
  for (let wait = 0; wait < 50 && element.textContent !== 'idle 0'; wait++)
    await act(async () => new Promise((resolve) => setTimeout(resolve, 2)));
  expect(element.textContent).toBe('idle 0');
  fallbacks = 0;
  for (const round of [1, 2, 3]) {
    await act(async () => root.render(<App round={round} />));
    expect(element.textContent).toBe(`idle ${round}`);
  }
  expect(fallbacks).toBe(0);
  expect(renderings).toBeLessThan(20);
  expect(errors).toEqual([]);
  await act(async () => root.unmount());
});

test('all calls of init() return the same promise, with any source', async () => {
  const first = init(source);
  expect(init()).toBe(first);
  await first;
  expect(init()).toBe(first);
});
