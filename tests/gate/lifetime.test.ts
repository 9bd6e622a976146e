/**
 * The end of a gate: `free()` once or repeatedly, at any time, and views that were read before.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { ToolGate, ToolGateError, type GateView, type ToolGateOptions } from 'toolgate';

import { initSync } from '../../src/ts/wasm/init.js';
import { internalsOf } from '../../src/ts/gate/internals.js';
import { ToolGate as SourceGate } from '../../src/ts/gate/tool-gate.js';
import { Core } from '../../target/bindgen/toolgate.js';
import { ask, asking, reply, send, thrownBy } from './support.js';
import { gemini } from 'toolgate/protocols/gemini';

const REPLY = [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }];

/** Adopts a state, as the persister does with the state of another tab. */
const adopt = (gate: SourceGate, saved: ReturnType<SourceGate['toJSON']>): void =>
  internalsOf(gate)!.commands.dispatch({ name: 'adopt', args: [saved, true] });

describe('free', () => {
  it('does nothing when called again; Symbol.dispose does the same', () => {
    const { gate, events } = asking(['c1']);
    for (let i = 0; i < 3; i++) gate.free();
    gate[Symbol.dispose]();
    expect(events).toMatchObject([
      { type: 'crashed', error: { code: 'crashed', message: expect.stringContaining('freed') as string } },
    ]);
    const other = asking(['c1']).gate;
    {
      using held = other;
      expect(held.pending()).toHaveLength(1);
    }
    expect(other.getSnapshot().status).toBe('crashed');
  });

  it('notifies subscribers; the view keeps its messages and has no pending approvals', () => {
    const { gate } = asking(['c1']);
    const seen: GateView[] = [];
    gate.subscribe(() => seen.push(gate.getSnapshot()));
    const before = gate.getSnapshot();
    gate.free();
    gate.free();
    expect(seen).toMatchObject([{ status: 'crashed', pending: [] }]);
    expect(seen[0]?.messages).toBe(before.messages);
    expect(gate.getSnapshot()).toBe(seen[0]);
  });

  it('after `free()`, commands throw `crashed`, and reads do not throw', () => {
    const { gate } = asking(['c1']);
    gate.free();
    const acts: (() => unknown)[] = [
      () => gate.receive({ type: 'start' }),
      () => gate.streamEnded({ status: 'finished' }),
      () => gate.load([]),
      () => gate.sendUserMessage({ text: 'x' }),
      () => gate.regenerate(),
      () => gate.respond('approve-c1', { approved: true }),
      () => gate.respondAll({ approved: true }),
      () => gate.cancel(),
      () => gate.stop(),
      () => gate.resume(),
      () => gate.addToolOutput('c1', { output: 1 }),
      () => gate.markSent('out-1'),
      () => gate.markFailed('out-1', 'x'),
      () => gate.retry('out-1'),
      () => gate.assemble(),
      () => gate.tick(1),
      () => gate.toJSON(),
    ];
    for (const act of acts) expect(thrownBy(act)).toMatchObject({ name: 'ToolGateError', code: 'crashed' });
    expect([
      gate.outgoing(),
      gate.pending(),
      gate.undelivered(),
      gate.remembered(),
      gate.claim('out-1'),
      gate.nextDeadline(),
    ]).toEqual([[], [], [], [], false, null]);
    expect(gate.auditLog().length).toBeGreaterThan(0);
    gate.subscribe(() => {})();
  });

  it('resolves a pending `deliver`', async () => {
    const never = new Promise<never>(() => {});
    const sending = new ToolGate();
    sending.sendUserMessage({ text: 'x' });
    const first = sending.deliver(() => never);
    const { gate: writing } = asking(['c1'], { rewriteResult: () => never });
    writing.respond('approve-c1', { approved: false });
    const second = writing.deliver(() => Promise.resolve());
    await Promise.resolve();
    sending.free();
    writing.free();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  });

  it('called within `send`, it resolves `deliver`, and the result of `send` is ignored', async () => {
    const gate = new ToolGate();
    gate.sendUserMessage({ text: 'x' });
    await gate.deliver(async () => {
      gate.free();
      throw new Error('offline');
    });
  });
});

describe('an earlier view', () => {
  const views = (end: (gate: ToolGate) => void): [shown: GateView, unread: GateView] => {
    const { gate } = asking(['c1', 'c2']);
    const unread = gate.getSnapshot();
    gate.respond('approve-c1', { approved: true });
    const shown = gate.getSnapshot();
    end(gate);
    return [shown, unread];
  };

  it('keeps its content after free(), even if its lists had not been read', () => {
    const [shown, unread] = views((gate) => gate.free());
    expect(shown.pending).toMatchObject([
      {
        approvalId: 'approve-c2',
        requestedAt: expect.any(Number) as number,
        inputDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
    // Only the last view before `free()` keeps a list that was not read. In an older view the list is empty.
    expect(unread.pending).toEqual([]);
  });

  it('keeps its content after another history was loaded', () => {
    const [shown, unread] = views((gate) => gate.load([]));
    expect(shown.pending).toMatchObject([{ approvalId: 'approve-c2' }]);
    expect(() => unread.pending).not.toThrow();
  });

  it.each(['the same chat', 'another state'])('keeps its content after %s was adopted from another tab', (what) => {
    initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));
    const gate = new SourceGate({ chatId: 'chat' });
    for (const chunk of REPLY) gate.receive(chunk);
    const unread = gate.getSnapshot();
    gate.receive({ type: 'text-start', id: 't' });
    const shown = gate.getSnapshot();
    const other = what === 'the same chat' ? gate : new SourceGate({ chatId: 'chat' });
    adopt(gate, other.toJSON());
    gate.getSnapshot();
    adopt(gate, new SourceGate({ chatId: 'chat' }).toJSON());
    expect(shown.pending).toMatchObject([{ approvalId: 'approve-c1', requestedAt: expect.any(Number) as number }]);
    expect(shown.pending[0]?.inputDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(unread.pending).toBe(shown.pending);
    gate.free();
    expect(shown.pending).toHaveLength(1);
  });

  it('keeps its content after a crash', () => {
    initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));
    const gate = new SourceGate();
    for (const chunk of REPLY) gate.receive(chunk);
    const view = gate.getSnapshot();
    const broken = vi.spyOn(Core.prototype, 'cancel').mockImplementation(() => {
      throw new WebAssembly.RuntimeError('unreachable');
    });
    expect(thrownBy(() => gate.cancel()).code).toBe('crashed');
    broken.mockRestore();
    expect(view.pending).toMatchObject([{ approvalId: 'approve-c1' }]);
    expect(view.pending[0]?.inputDigest).toMatch(/^[0-9a-f]{64}$/);
    gate.free();
    gate.free();
  });
});

describe('free within a function of the app', () => {
  /** For each function of the app: the options that contain it, and an action that calls it. */
  const scenes: readonly (readonly [
    string,
    (free: () => void) => ToolGateOptions,
    (gate: ToolGate, free: () => void) => unknown,
  ])[] = [
    [
      'rewriteResult',
      (free) => ({ rewriteResult: ({ text }) => (free(), text) }),
      (gate) => gate.respond('approve-c1', { approved: false }),
    ],
    [
      'rewriteResult, later',
      (free) => ({ rewriteResult: async ({ text }) => (free(), text) }),
      (gate) => gate.respond('approve-c1', { approved: false }),
    ],
    ['where', () => ({}), (gate, free) => gate.respondAll({ approved: true, where: () => (free(), true) })],
    ['now', (free) => ({ now: () => (free(), 1) }), (gate) => gate.respond('approve-c1', { approved: true })],
    [
      'generateId',
      (free) => ({ generateId: () => (free(), 'id') }),
      (gate) => (gate.cancel(), gate.sendUserMessage({ text: 'x' })),
    ],
    [
      'generateId, in a reply',
      (free) => ({ generateId: () => (free(), 'id') }),
      (gate) => (
        gate.cancel(),
        gate.sendUserMessage({ id: 'm2', text: 'x', parts: [] } as never),
        gate.receive({ type: 'start' }, { requestId: send(gate) })
      ),
    ],
    [
      'a listener of changes',
      () => ({}),
      (gate, free) => (gate.subscribe(free), gate.respond('approve-c1', { approved: true })),
    ],
    [
      'a listener of events',
      () => ({}),
      (gate, free) => (gate.onEvent(free), gate.respond('approve-c1', { approved: false })),
    ],
    [
      'a getter of an event',
      () => ({}),
      (gate, free) =>
        gate.receive({
          type: 'text-start',
          get id() {
            free();
            return 't';
          },
        }),
    ],
    [
      'a getter of a message',
      () => ({}),
      (gate, free) => (
        gate.cancel(),
        gate.sendUserMessage({
          get text() {
            free();
            return 't';
          },
        })
      ),
    ],
    [
      'a getter of a saved value',
      () => ({}),
      (gate, free) => (
        gate.cancel(),
        gate.sendUserMessage({
          text: 'x',
          metadata: {
            get a() {
              free();
              return 1;
            },
          },
        }),
        gate.toJSON()
      ),
    ],
  ];

  it.each(scenes)('%s', async (_, options, act) => {
    let isReady = false;
    let gate: ToolGate | undefined = undefined;
    let freed = 0;
    const free = (): void => {
      if (!isReady) return;
      freed++;
      gate?.free();
    };
    gate = new ToolGate({ chatId: 'chat', ...options(free) });
    gate.sendUserMessage({ text: 'go' });
    send(gate);
    reply(gate, REPLY);
    isReady = true;
    try {
      act(gate, free);
    } catch (error) {
      expect(error).toBeInstanceOf(ToolGateError);
    }
    await new Promise((resolve) => setTimeout(resolve));
    expect(freed).toBeGreaterThan(0);
    expect(gate.getSnapshot()).toMatchObject({ status: 'crashed', pending: [] });
    expect(thrownBy(() => gate?.cancel()).code).toBe('crashed');
    gate.free();
  });

  it('needsApproval', async () => {
    const { init } = await import('toolgate');
    await init();
    const gate: ToolGate = new ToolGate({ protocol: gemini, needsApproval: () => (gate.free(), true) });
    const event = { candidates: [{ content: { parts: [{ functionCall: { id: 'c1', name: 'edit', args: {} } }] } }] };
    expect(thrownBy(() => gate.receive(event)).code).toBe('crashed');
    expect(gate.getSnapshot().status).toBe('crashed');
  });
});

it('freeing a gate whose core failed during a call does not throw', () => {
  initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));
  const gate = new SourceGate();
  const freed = vi.spyOn(Core.prototype, 'free').mockImplementation(() => {
    throw new Error('attempted to take ownership of Rust value while it was borrowed');
  });
  gate.free();
  expect(freed).toHaveBeenCalledOnce();
  freed.mockRestore();
  expect(gate.getSnapshot().status).toBe('crashed');
});

it('a gate that is freed during a call releases its memory once, after the call', () => {
  initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));
  const freed = vi.spyOn(Core.prototype, 'free');
  const gate = new SourceGate();
  const calls: number[] = [];
  gate.onEvent(() => {
    gate.free();
    calls.push(freed.mock.calls.length);
  });
  reply(gate as unknown as ToolGate, [{ type: 'start', messageId: 'a1' }]);
  for (const chunk of REPLY) if (gate.getSnapshot().status !== 'crashed') gate.receive(chunk);
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.every((count) => count === 0)).toBe(true);
  expect(freed).toHaveBeenCalledOnce();
  freed.mockRestore();
});
