// @vitest-environment happy-dom
/** React hydrates a page that a server rendered without the core; the browser's first render has a gate or none. */
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { ToolGateError, ToolGate, type GateSource } from 'toolgate';
import { GateProvider, useApprovals, useGateView } from 'toolgate/react';
import { expect, test } from 'vitest';

import { act } from '../lib/act';
import { asking, countListeners, initFromFile } from './support/gates';
import { collectReactErrors } from './support/react-errors';

const errors = collectReactErrors();

const seen: string[] = [];

function List() {
  const [status, approvals] = [useGateView((view) => view.status), useApprovals()];
  const text = `${status}:${approvals.map(({ approvalId }) => approvalId).join()}`;
  seen.push(text);
  return <p>{text}</p>;
}

const App = ({ gate }: { gate: GateSource }) => (
  <StrictMode>
    <GateProvider gate={gate}>
      <List />
    </GateProvider>
  </StrictMode>
);

test('hydrates a page that a server rendered before init(), at first with or without a gate', async () => {
  expect(() => new ToolGate()).toThrow(ToolGateError);
  const html = renderToString(<App gate={null} />);
  expect(html).toBe('<p>idle:</p>');

  await initFromFile();
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  for (const first of [null, gate]) {
    const element = document.createElement('div');
    element.innerHTML = html;
    const paragraph = element.firstChild;
    seen.length = 0;
    const root = await act(async () =>
      hydrateRoot(element, <App gate={first} />, { onRecoverableError: (error) => void errors.push([error]) }),
    );
    expect(seen[0]).toBe('idle:');
    await act(async () => root.render(<App gate={gate} />));
    expect(element.textContent).toBe('awaiting-approval:ask-c1,ask-c2');
    expect(element.firstChild).toBe(paragraph);
    await act(async () => root.unmount());
    expect(listeners()).toBe(0);
  }
  expect(errors).toEqual([]);
});
