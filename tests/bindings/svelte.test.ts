// @vitest-environment happy-dom
/** `toolgate/svelte` with Svelte: only changed content is rendered. */
import { flushSync, mount as mountComponent, tick, unmount as unmountComponent } from 'svelte';
import { isToolPart, type GateSource, type PendingApproval, type ToolGate } from 'toolgate';
import { useGate } from 'toolgate/svelte';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { chats, stage } from '../ai-sdk/support/chats';
import { watch } from '../ai-sdk/support/effects.svelte';
import { until } from '../lib/waiting';
import { asks, goesOn } from '../ai-sdk/support/transport';
import App from './support/App.svelte';
import Content from './support/Content.svelte';
import { asking, countListeners, Counts, delta, failToSend, initFromFile, streaming, thousand } from './support/gates';
import { box } from './support/state.svelte';

const counts = new Counts();

beforeAll(initFromFile);
beforeEach(() => void counts.take());

/** Mounts the content below a component that provides the gate. The renders of mounting are not counted. */
function mount(gate: GateSource | (() => GateSource), show: object) {
  const target = document.createElement('div');
  const app = mountComponent(App, { target, props: { gate, counts, ...show } });
  flushSync();
  counts.take();
  return {
    target,
    text: () => target.textContent.replaceAll(/\s+/g, ''),
    unmount: async () => {
      await unmountComponent(app);
      // Svelte unsubscribes asynchronously.
      await tick();
    },
  };
}

function rendered(change: () => unknown): Record<string, number> {
  change();
  flushSync();
  return counts.take();
}

test('useGate returns the same object for a gate, and reading the approval of a part needs no subscription', () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  const shown = useGate(gate);
  expect(useGate(gate)).toBe(shown);
  const [part] = gate.getSnapshot().messages.flatMap(({ parts }) => parts.filter(isToolPart));
  const approval = shown.approval(part!);
  expect([approval, listeners()]).toEqual([gate.getSnapshot().pending[0], 0]);
  shown.respond(approval!, { approved: false });
  expect(shown.approval(part!)).toBeUndefined();
});

test('a delta renders one part, a decision renders one card', async () => {
  const gate = streaming();
  const { text, unmount } = mount(gate, { ids: ['c1', 'c2'], approvals: true, status: true });
  expect(text()).toBe('input-streamingnull;approval-requested;c2streaming');
  expect(rendered(() => delta(gate, '{"file":"a'))).toEqual({ 'part c1': 1 });
  expect(text()).toBe('input-streaming{"file":"a"};approval-requested;c2streaming');
  expect(rendered(() => gate.receive({ type: 'text-delta', id: 't', delta: ', yes' }))).toEqual({});
  expect(rendered(() => gate.respond('ask-c2', { approved: true }))).toEqual({ 'part c2': 1, list: 1 });
  expect(text()).toBe('input-streaming{"file":"a"};approval-responded;streaming');
  await unmount();
});

test('in a component that renders all messages, only the changed part renders again', async () => {
  const gate = streaming();
  const { text, unmount } = mount(gate, { transcript: true });
  expect(text()).toBe('textstep-starttexttool-edittool-edit');
  expect(rendered(() => delta(gate, '{'))).toEqual({ 'row 3': 1 });
  expect(rendered(() => gate.respond('ask-c2', { approved: false }))).toEqual({ 'row 2': 1 });
  await unmount();
});

test('with 1,000 pending approvals, a decision renders one card', async () => {
  const gate = asking(thousand);
  const { target, unmount } = mount(gate, { ids: thousand, approvals: true });
  const buttons = (): NodeListOf<HTMLButtonElement> => target.querySelectorAll('button');
  const [second, last] = [buttons()[1], buttons()[999]];
  document.body.append(target);
  expect(rendered(() => buttons()[500]!.click())).toEqual({ list: 1, 'part c500': 1 });
  expect([buttons().length, buttons()[1], buttons()[998]]).toEqual([999, second, last]);
  expect(rendered(() => buttons()[998]!.click())).toEqual({ list: 1, 'part c999': 1 });
  expect(gate.pending()).toHaveLength(998);
  await unmount();
  target.remove();
});

test('subscribes once for each value while an effect reads it', async () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  const show = { ids: ['c1', 'c2'], approvals: true, status: true };
  const first = mount(gate, show);
  expect(listeners()).toBe(4);
  const second = mount(gate, show);
  expect(listeners()).toBe(4);
  await first.unmount();
  expect(listeners()).toBe(4);
  await second.unmount();
  expect(listeners()).toBe(0);

  const third = mount(gate, show);
  expect(listeners()).toBe(4);
  expect(rendered(() => gate.respond('ask-c1', { approved: true }))).toEqual({ 'part c1': 1, list: 1 });
  await third.unmount();
  expect(listeners()).toBe(0);
  expect(useGate(gate).pending).toHaveLength(1);
  expect(listeners()).toBe(0);
});

test('the gate is set, replaced and removed', async () => {
  const [one, two] = [asking(['c1']), asking(['c1', 'c2'])];
  const [first, second] = [countListeners(one), countListeners(two)];
  const gate = box<ToolGate | null>(null);
  const { text, unmount } = mount(() => gate.value, { ids: ['c1', 'c2'], status: true });
  const after = async (next: ToolGate | null): Promise<unknown[]> => {
    gate.value = next;
    flushSync();
    await tick();
    return [text(), first(), second()];
  };
  expect(text()).toBe('none;none;idle');
  expect(await after(one)).toEqual(['approval-requested;none;awaiting-approval', 3, 0]);
  expect(await after(two)).toEqual(['approval-requested;approval-requested;awaiting-approval', 0, 3]);
  expect(await after(null)).toEqual(['none;none;idle', 0, 0]);
  await unmount();
});

test('an effect runs again only for the value that it read', () => {
  const gate = asking(['c1', 'c2']);
  const tools = useGate(gate);
  const seen: Record<string, number> = {};
  const ends = (['view', 'messages', 'pending', 'undelivered', 'gate'] as const).map((piece) =>
    watch(() => {
      void tools[piece];
      seen[piece] = (seen[piece] ?? 0) + 1;
    }),
  );
  const end = watch(() => {
    void tools.approval('c1');
    seen['approval'] = (seen['approval'] ?? 0) + 1;
  });
  flushSync();
  gate.respond('ask-c2', { approved: true });
  flushSync();
  expect(seen).toEqual({ view: 2, messages: 2, pending: 2, undelivered: 1, gate: 1, approval: 1 });
  gate.respond('ask-c1', { approved: true });
  flushSync();
  const id = failToSend(gate);
  flushSync();
  expect(seen).toMatchObject({ approval: 2, undelivered: 2 });
  expect(tools.undelivered).toMatchObject([{ id, delivery: 'failed', error: 'no network' }]);
  tools.retry(id);
  expect(tools.undelivered).toEqual([]);
  [...ends, end].forEach((stop) => stop());
});

test('what is held is sent or closed, and a failed request is given up', () => {
  const gate = asking(['c1', 'c2']);
  const { cancel, resume } = useGate(gate);
  gate.respondAll({ approved: true });
  gate.stop();
  cancel(undefined, { approvalId: 'ask-c1' });
  expect([gate.outgoing(), gate.part('c1')?.outcome?.kind]).toEqual([[], 'cancelled']);
  resume();
  const id = failToSend(gate);
  cancel(undefined, { id });
  expect([gate.undelivered(), gate.part('c2')?.outcome?.mayHaveRun]).toEqual([[], true]);
});

test('a decision applies only to the shown input and the shown approvals', () => {
  const gate = asking(['c1', 'c2', 'c3', 'c4']);
  const spy = vi.spyOn(gate, 'respond');
  const tools = useGate(gate);
  const { respond, respondAll, cancel } = tools;
  const [c1, c2, c3] = tools.pending as [PendingApproval, PendingApproval, PendingApproval];
  respond(c1, { approved: false, reason: 'no' });
  expect(spy).toHaveBeenLastCalledWith(c1, { approved: false, reason: 'no' });
  expect(() => respond({ ...c2, inputDigest: c3.inputDigest }, { approved: true })).toThrow(
    expect.objectContaining({ code: 'stale-input' }),
  );
  expect(respondAll([c1, c2, { ...c3, inputDigest: c2.inputDigest }], { approved: true })).toBe(1);
  expect(tools.pending.map(({ toolCallId }) => toolCallId)).toEqual(['c3', 'c4']);
  cancel();
  expect(tools.pending).toEqual([]);
  expect(() => useGate(null).cancel()).toThrow(/no gate yet/);
});

test('throws without provideGate, and for a value that is not a gate', () => {
  const target = document.createElement('div');
  expect(() => mountComponent(Content, { target, props: { counts } })).toThrow(
    /Call provideGate in a parent component/,
  );
  expect(() => useGate({} as ToolGate).pending).toThrow(/a chat that guard\(\) returned/);
});

describe.each(chats.filter(({ framework }) => framework === 'svelte'))('$name', (kind) => {
  test('accepts a guarded chat', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1']), goesOn({ c1: 1 })] });
    const { target, text, unmount } = mount(chat, { ids: ['c1'], approvals: true });
    document.body.append(target);
    await chat.sendMessage({ text: 'hi' });
    await tick();
    expect(text()).toBe('approval-requested;c1');
    target.querySelector('button')!.click();
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
    await tick();
    expect(text()).toBe('output-available;');
    await unmount();
    target.remove();
  });
});
