// @vitest-environment happy-dom
/** `useCallDescription` of React and Vue, and `gate.describe` of Svelte: what they say, and how often they change. */
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'svelte';
import type { ToolGate, ToolPart } from 'toolgate';
import { useCallDescription, useToolPart } from 'toolgate/react';
import { useGate } from 'toolgate/svelte';
import { useCallDescription as useVueDescription, useToolPart as useVuePart } from 'toolgate/vue';
import { beforeAll, expect, test, vi } from 'vitest';
import { effectScope, watchEffect } from 'vue';

import { watch } from '../ai-sdk/support/effects.svelte';
import { asking, initFromFile } from './support/gates';

beforeAll(initFromFile);

/** Shows the description of call `c1` until the returned function is called. `show` is called for each change. */
type Binding = (gate: ToolGate, show: (line: string) => void) => Promise<() => unknown>;

const BINDINGS: Readonly<Record<string, Binding>> = {
  react: async (gate, show) => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const root = createRoot(document.createElement('div'));
    const texts = { waiting: 'Bitte entscheiden' };
    function Line({ part }: { part: ToolPart }) {
      const call = useCallDescription(part, gate, texts);
      show(`${call.label}. ${call.note} ${call.can.approve}`);
      return null;
    }
    function Call() {
      return <Line part={useToolPart('c1', gate)!} />;
    }
    await act(async () => root.render(<Call />));
    return () => act(async () => root.unmount());
  },
  vue: async (gate, show) => {
    const scope = effectScope();
    scope.run(() => {
      const part = useVuePart('c1', gate);
      const call = useVueDescription(() => part.value!, gate, { waiting: 'Bitte entscheiden' });
      watchEffect(() => show(`${call.value.label}. ${call.value.note} ${call.value.can.approve}`));
    });
    return () => scope.stop();
  },
  svelte: async (gate, show) => {
    const shown = useGate(gate);
    const texts = { waiting: 'Bitte entscheiden' };
    let last: unknown;
    const stop = watch(() => {
      const call = shown.describe(shown.part('c1')!, texts);
      // A derived value does the same.
      if (call === last) return;
      last = call;
      show(`${call.label}. ${call.note} ${call.can.approve}`);
    });
    return stop;
  },
};

test.each(Object.entries(BINDINGS))('%s shows each change of the description once', async (_name, show) => {
  const gate = asking(['c1', 'c2']);
  const lines: string[] = [];
  const stop = await show(gate, (line) => lines.push(line));
  const change = async (how: () => void): Promise<string[]> => {
    lines.length = 0;
    await act(async () => how());
    flushSync();
    return [...new Set(lines)];
  };
  expect([...new Set(lines)]).toEqual(['Bitte entscheiden.  true']);
  expect(await change(() => gate.respond('ask-c1', { approved: true }))).toEqual([
    'Approved. Your answer will be sent when the other calls are answered. false',
  ]);
  expect(await change(() => gate.respond('ask-c2', { approved: true }))).toEqual([
    'Approved. Sending your answer now. false',
  ]);
  // The view says more than the part: the request failed.
  const [item] = gate.outgoing();
  expect(await change(() => gate.markFailed(item!.id, 'offline'))).toEqual([
    'Approved · No reply. No usable reply came. Your answer may have arrived. You can send it again. false',
  ]);
  await stop();
  vi.unstubAllGlobals();
});
