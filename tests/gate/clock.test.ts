/**
 * The timer of a gate: one timer for the next deadline by the gate's clock, and none without deadlines or listeners.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';

import { ask, reply, send } from './support.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => void vi.useRealTimers());

/** A gate with pending approvals, each with its own deadline in ms from now by the gate's clock. */
function asking(deadlines: readonly number[], options: ToolGateOptions = {}): ToolGate {
  const now = options.now ?? Date.now;
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  const calls = deadlines.map((ms, at) =>
    ask(`c${at}`).map((chunk) => ({ ...chunk, ...('approvalId' in chunk && { expiresAt: now() + ms }) })),
  );
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...calls.flat(), { type: 'finish' }]);
  return gate;
}

/** The number of pending approvals. Does not read their list. */
const waiting = (gate: ToolGate): number => gate.getSnapshot().turn.undecided;

it('expires each approval at its deadline, and has no timer without deadlines', () => {
  const gate = asking([50, 80]);
  const stop = gate.subscribe(() => {});
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(49);
  expect(waiting(gate)).toBe(2);
  vi.advanceTimersByTime(1);
  expect(waiting(gate)).toBe(1);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(30);
  expect(waiting(gate)).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  stop();
});

it('notifies listeners of an expiry', () => {
  const gate = asking([50]);
  const seen: string[] = [];
  gate.onEvent((event) => seen.push(event.type));
  gate.subscribe(() => seen.push('change'));
  vi.advanceTimersByTime(50);
  expect(seen).toEqual(expect.arrayContaining(['decision', 'change']));
});

describe('without listeners', () => {
  it('there is no timer, and no approval expires', () => {
    const gate = asking([50]);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(HOUR);
    expect(waiting(gate)).toBe(1);
  });

  it.each(['subscribe', 'onEvent'] as const)(
    '%s starts the timer, also for overdue approvals; the timer stops when the last listener is removed',
    (listen) => {
      const gate = asking([50, HOUR]);
      vi.advanceTimersByTime(100);
      const stop = gate[listen](() => {});
      vi.advanceTimersByTime(0);
      expect(waiting(gate)).toBe(1);
      expect(vi.getTimerCount()).toBe(1);
      const stopOther = gate.subscribe(() => {});
      stop();
      expect(vi.getTimerCount()).toBe(1);
      stopOther();
      expect(vi.getTimerCount()).toBe(0);
      vi.advanceTimersByTime(2 * HOUR);
      expect(waiting(gate)).toBe(1);
    },
  );
});

it('the timer waits for an earlier deadline, and stops waiting for a removed one', () => {
  const gate = new ToolGate();
  gate.subscribe(() => {});
  const [input, request] = ask('c1') as [object, object];
  const [second, asked] = ask('c2') as [object, object];
  for (const chunk of [{ type: 'start', messageId: 'a1' }, input, { ...request, expiresAt: NOON + HOUR }])
    gate.receive(chunk);
  expect(vi.getTimerCount()).toBe(1);
  for (const chunk of [second, { ...asked, expiresAt: NOON + 20 }]) gate.receive(chunk);
  vi.advanceTimersByTime(20);
  expect(waiting(gate)).toBe(1);
  gate.respond('approve-c1', { approved: true });
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['an hour behind', -HOUR],
  ['an hour ahead', HOUR],
  ['counting from the opening of the page', -NOON],
])('uses the clock of the gate: %s', (_, offset) => {
  const gate = asking([500], { now: () => Date.now() + offset });
  gate.subscribe(() => {});
  vi.advanceTimersByTime(499);
  expect(waiting(gate)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(waiting(gate)).toBe(0);
});

it('notices within a minute that the clock was set forward, and waits longer if it was set back', () => {
  let offset = 0;
  const gate = asking([2 * HOUR], { now: () => Date.now() + offset });
  gate.subscribe(() => {});
  vi.advanceTimersByTime(1000);
  offset = 3 * HOUR;
  vi.advanceTimersByTime(60_000);
  expect(waiting(gate)).toBe(0);

  const later = asking([500], { now: () => Date.now() + offset });
  later.subscribe(() => {});
  vi.advanceTimersByTime(400);
  offset -= HOUR;
  vi.advanceTimersByTime(HOUR);
  expect(waiting(later)).toBe(1);
  vi.advanceTimersByTime(200);
  expect(waiting(later)).toBe(0);
});

it('a clock that does not advance is read at increasing intervals', () => {
  let asked = 0;
  const gate = asking([10], { now: () => (asked++, NOON) });
  gate.subscribe(() => {});
  asked = 0;
  vi.advanceTimersByTime(HOUR);
  expect(asked).toBeLessThan(250);
  expect(waiting(gate)).toBe(1);
});

it('after `tick` has set the time, the system clock expires no approvals', () => {
  const gate = new ToolGate({ approvalTimeoutMs: 500 });
  gate.subscribe(() => {});
  gate.tick(0);
  reply(gate, [{ type: 'start', messageId: 'a1' }, ...ask('c1'), { type: 'finish' }]);
  vi.advanceTimersByTime(HOUR);
  expect(waiting(gate)).toBe(1);
  gate.tick(500);
  expect(waiting(gate)).toBe(0);
});

it('waits for deadlines beyond the maximum delay of a timer', () => {
  const gate = asking([2 ** 32 + 5]);
  gate.subscribe(() => {});
  vi.advanceTimersByTime(2 ** 31);
  expect(waiting(gate)).toBe(1);
  vi.advanceTimersByTime(2 ** 31 + 4);
  expect(waiting(gate)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(waiting(gate)).toBe(0);
});

it('waits for the deadlines of a loaded history, and not for those of the history that it replaces', () => {
  const gate = new ToolGate({ approvalTimeoutMs: 500 });
  gate.subscribe(() => {});
  gate.load(
    asking([HOUR])
      .getSnapshot()
      .messages.map((message) => JSON.parse(JSON.stringify(message)) as object),
  );
  expect(vi.getTimerCount()).toBe(1);
  gate.load([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('a thousand approval requests and decisions read the next deadline fewer than ten times', () => {
  const gate = new ToolGate({ approvalTimeoutMs: HOUR });
  gate.subscribe(() => {});
  let looks = 0;
  Object.defineProperty(gate, 'nextDeadline', { value: () => (looks++, ToolGate.prototype.nextDeadline.call(gate)) });
  const calls = Array.from({ length: 1000 }, (_, at) => ask(`c${at}`)).flat();
  for (const chunk of [{ type: 'start', messageId: 'a1' }, ...calls]) {
    gate.receive(chunk);
    vi.advanceTimersByTime(1);
  }
  for (let at = 0; at < 1000; at++) gate.respond(`approve-c${at}`, { approved: true });
  expect(looks).toBeLessThan(10);
  expect(vi.getTimerCount()).toBe(0);
});

it('an approval that was decided early does not delay a later deadline', () => {
  const gate = asking([50, 80]);
  gate.subscribe(() => {});
  gate.respond('approve-c0', { approved: true });
  vi.advanceTimersByTime(79);
  expect(waiting(gate)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(waiting(gate)).toBe(0);
});

it('a restored gate waits for its deadlines', () => {
  const saved = JSON.parse(JSON.stringify(asking([500]))) as never;
  vi.advanceTimersByTime(400);
  const gate = ToolGate.restore(saved);
  gate.subscribe(() => {});
  vi.advanceTimersByTime(99);
  expect(waiting(gate)).toBe(1);
  vi.advanceTimersByTime(1);
  expect(waiting(gate)).toBe(0);
});

it('after a page load a message waits for a turn that goes on, until no event arrives for ten seconds', () => {
  const page = new ToolGate({ chatId: 'chat', protocol: aiSdkWs });
  page.sendUserMessage({ text: 'go' });
  send(page);
  const call = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search', input: {} };
  for (const chunk of [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, call]) page.receive(chunk);

  const gate = ToolGate.restore(page.toJSON(), { protocol: aiSdkWs });
  gate.subscribe(() => {});
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'found' });
  vi.advanceTimersByTime(HOUR);
  gate.receive({ type: 'text-start', id: 't' });
  vi.advanceTimersByTime(4_000);
  expect(gate.sendUserMessage({ text: 'and now?' })).toBe('queued');
  expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'reply' }]);
  vi.advanceTimersByTime(5_000);
  gate.receive({ type: 'text-delta', id: 't', delta: 'Let me see.' });
  vi.advanceTimersByTime(9_999);
  expect(gate.outgoing()).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect(gate.outgoing()).toHaveLength(1);
  expect(gate.getSnapshot().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

it('free() stops the timer', () => {
  const gate = asking([500]);
  gate.subscribe(() => {});
  expect(vi.getTimerCount()).toBe(1);
  gate.free();
  expect(vi.getTimerCount()).toBe(0);
  gate.subscribe(() => {});
  expect(vi.getTimerCount()).toBe(0);
});

it('the timer does not keep a Node process alive', async () => {
  vi.useRealTimers();
  const gate = asking([HOUR]);
  const real = globalThis.setTimeout;
  const timers: NodeJS.Timeout[] = [];
  vi.stubGlobal('setTimeout', (...args: Parameters<typeof setTimeout>) => {
    const timer = real(...args);
    timers.push(timer);
    return timer;
  });
  const stop = gate.subscribe(() => {});
  vi.unstubAllGlobals();
  expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  stop();
});
