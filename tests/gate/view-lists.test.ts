/**
 * The lists of the view. A list is the same object until its content changes.
 */
import { describe, expect, it, vi } from 'vitest';
import { ToolGate, type GateView, type SavedGate } from 'toolgate';

import { ask, asking, reply, send } from './support.js';

const LISTS = ['messages', 'queued', 'pending', 'undelivered', 'remembered'] as const;

/** A gate whose submission with an approved call failed. */
function failed(): ToolGate {
  const { gate } = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  gate.markFailed(item!.id, 'offline');
  return gate;
}

describe('undelivered', () => {
  it('is in the view, and the method returns the same list', () => {
    const gate = failed();
    const { undelivered } = gate.getSnapshot();
    expect(undelivered).toMatchObject([
      { delivery: 'failed', error: 'offline', approvalIds: ['approve-c1'], attempt: 1 },
    ]);
    expect(gate.undelivered()).toBe(undelivered);
    const before = gate.getSnapshot();
    gate.retry(undelivered[0]!.id);
    expect(gate.getSnapshot().undelivered).toEqual([]);
    expect(before.undelivered, 'a view does not change').toBe(undelivered);
  });

  it('is the same object until its content changes', () => {
    const gate = failed();
    const { undelivered } = gate.getSnapshot();
    const [entry] = undelivered;
    gate.sendUserMessage({ text: 'and then' });
    expect(gate.getSnapshot().queued).toHaveLength(1);
    expect(gate.getSnapshot().undelivered).toBe(undelivered);
    gate.retry(entry!.id);
    gate.claim(entry!.id);
    gate.markFailed(entry!.id, 'offline');
    expect(gate.getSnapshot().undelivered).toMatchObject([{ attempt: 2 }]);
    expect(gate.getSnapshot().undelivered).not.toBe(undelivered);
  });

  it('is empty after free(), and earlier views keep their lists', () => {
    const gate = failed();
    const before = gate.getSnapshot();
    gate.free();
    expect(gate.undelivered()).toEqual([]);
    expect(gate.remembered()).toEqual([]);
    expect(before.undelivered).toHaveLength(1);
  });
});

describe('remembered', () => {
  it('is in the view, and the method returns the same list', () => {
    const { gate } = asking(['c1']);
    expect(gate.getSnapshot().remembered).toEqual([]);
    gate.respond('approve-c1', { approved: true, remember: 'chat' });
    const { remembered } = gate.getSnapshot();
    expect(remembered).toMatchObject([{ toolName: 'edit', approved: true, for: 'chat' }]);
    expect(gate.remembered()).toBe(remembered);
    gate.stop();
    expect(gate.getSnapshot().remembered).toBe(remembered);
    gate.forget(remembered[0]!.id);
    expect(gate.getSnapshot().remembered).toEqual([]);
  });

  it('a timer removes expired decisions while there is a listener', () => {
    vi.useFakeTimers();
    try {
      const { gate } = asking(['c1', 'c2']);
      const views: GateView[] = [];
      const end = gate.subscribe(() => views.push(gate.getSnapshot()));
      const expiresAt = Date.now() + 60_000;
      gate.respond('approve-c1', { approved: true, remember: { for: 'chat', scope: 'input', expiresAt } });
      expect(gate.nextDeadline()).toBe(expiresAt);
      expect(views.at(-1)?.remembered).toMatchObject([{ expiresAt }]);
      vi.advanceTimersByTime(60_001);
      expect(views.at(-1)?.remembered).toEqual([]);
      end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('without a listener, `remembered()` removes expired decisions', () => {
    const clock = { now: 1000 };
    const gate = new ToolGate({ now: () => clock.now });
    gate.sendUserMessage({ text: 'tidy up' });
    send(gate);
    reply(gate, [{ type: 'start' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }]);
    gate.respond('approve-c1', { approved: true, remember: { for: 'chat', scope: 'input', expiresAt: 2000 } });
    clock.now = 1999;
    expect(gate.remembered()).toHaveLength(1);
    clock.now = 2000;
    expect(gate.remembered()).toEqual([]);
    expect(gate.getSnapshot().remembered).toEqual([]);
  });
});

it('a list is the same object after an unrelated change', () => {
  const { gate } = asking(['c1', 'c2']);
  const before = gate.getSnapshot();
  gate.stop();
  gate.resume();
  const same = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate).getSnapshot();
  for (const name of LISTS) expect(same[name], name).toEqual(gate.getSnapshot()[name]);
  expect(gate.getSnapshot().undelivered).toBe(before.undelivered);
  expect(gate.getSnapshot().remembered).toBe(before.remembered);
});

it('pending is the same object while other calls change', () => {
  const { gate } = asking([]);
  gate.sendUserMessage({ text: 'go on' });
  send(gate);
  for (const event of [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...ask('c1')]) gate.receive(event);
  const { pending } = gate.getSnapshot();
  expect(pending).toHaveLength(1);
  gate.receive({ type: 'tool-input-start', toolCallId: 'c2', toolName: 'edit' });
  gate.receive({ type: 'tool-input-delta', toolCallId: 'c2', inputTextDelta: '{"path"' });
  expect(gate.getSnapshot().messages.at(-1)?.parts).toHaveLength(3);
  expect(gate.getSnapshot().pending).toBe(pending);
});
