// @vitest-environment happy-dom
/** Inline tools that a React effect registers again on each render: running calls continue. */
import { act, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ToolGate } from 'toolgate';
import { registerTools, type BrowserToolEvent } from 'toolgate/tools';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { initFromFile } from '../bindings/support/gates';

beforeAll(initFromFile);
beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => void vi.unstubAllGlobals());

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test.each([false, true])(
  'inline tools, StrictMode %s: a call runs once although every render registers the tools, and its result arrives',
  async (isStrict) => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const runs: { render: number; signal: AbortSignal; ends: (output: unknown) => void }[] = [];
    let renders = 0;

    function Picker() {
      const [events, setEvents] = useState<BrowserToolEvent[]>([]);
      const render = ++renders;
      useEffect(() => {
        const execute = (_: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((resolve) => void runs.push({ render, signal, ends: resolve }));
        // Each event renders, and each render registers the tools again.
        return registerTools(
          gate,
          { pick: { execute } },
          { onEvent: (event) => setEvents((before) => [...before, event]) },
        );
      });
      return <p>{events.map(({ type }) => type).join(' ')}</p>;
    }

    const element = document.createElement('div');
    const root = createRoot(element);
    await act(async () =>
      root.render(
        isStrict ? (
          <StrictMode>
            <Picker />
          </StrictMode>
        ) : (
          <Picker />
        ),
      ),
    );
    await act(async () => {
      gate.sendUserMessage({ text: 'pick one' });
      gate.markSent(gate.outgoing()[0]!.id);
      gate.receive({ type: 'start', messageId: 'm' });
      gate.receive({ type: 'start-step' });
      gate.receive({ type: 'tool-input-available', toolCallId: 'c1', toolName: 'pick', input: {} });
      gate.receive({ type: 'finish' });
      gate.streamEnded({ status: 'finished' });
      await quiet();
    });
    const before = renders;
    for (let n = 0; n < 3; n++)
      await act(async () =>
        root.render(
          isStrict ? (
            <StrictMode>
              <Picker />
            </StrictMode>
          ) : (
            <Picker />
          ),
        ),
      );
    expect(renders).toBeGreaterThan(before);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false]);
    await act(async () => {
      runs[0]?.ends('seven');
      await quiet();
    });
    expect(gate.getSnapshot().messages.at(-1)?.parts.at(-1)).toMatchObject({
      state: 'output-available',
      output: 'seven',
    });
    expect(element.textContent).toBe('started ended');
    await act(async () => root.unmount());
  },
);
