/**
 * Listeners of single calls are called when their call changes, and only then. `part` and `approval` return the objects
 * of the view. A view makes its list of messages when it is first read; the list shows the messages as they were when
 * the view was made.
 */
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { ToolGate, type GateMessage, type GateView, type ToolPart } from 'toolgate';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';

import { ask, asking } from './support.js';

const ids = Array.from({ length: 100 }, (_, i) => `c${i}`);

it('calls a listener of one call only when that call changes', () => {
  const { gate } = asking(['c1', 'c2', 'c3']);
  // No part and no view of this gate has been read yet.
  const [one, two, any] = [vi.fn(), vi.fn(), vi.fn()];
  const stop = gate.subscribe(one, 'c1');
  gate.subscribe(two, 'c2');
  gate.subscribe(any);
  gate.respond('approve-c2', { approved: true });
  expect([one, two, any].map((fn) => fn.mock.calls.length)).toEqual([0, 1, 1]);
  gate.respond('approve-c1', { approved: false });
  expect([one, two, any].map((fn) => fn.mock.calls.length)).toEqual([1, 1, 2]);
  stop();
  stop();
  gate.cancel();
  expect(one).toHaveBeenCalledTimes(1);
});

it('calls the listener of a call when the call is removed or replaced, and when the gate is freed', () => {
  const { gate } = asking(['c1']);
  const seen: (string | undefined)[] = [];
  gate.subscribe(() => seen.push(gate.part('c1')?.state), 'c1');
  gate.load([]);
  expect(seen).toEqual([undefined]);
  gate.receive({ type: 'start', messageId: 'a2' });
  ask('c1').forEach((chunk) => gate.receive(chunk));
  expect(seen.at(-1)).toBe('approval-requested');
  const count = seen.length;
  gate.free();
  expect(seen.length).toBe(count + 1);
});

it('calls the listener of a call once for a frame that contains the call and the start of its message', () => {
  const gate = new ToolGate({ protocol: aiSdkWs });
  const seen: (string | undefined)[] = [];
  gate.subscribe(() => seen.push(gate.part('c1')?.state), 'c1');
  gate.receive([{ type: 'start', messageId: 'a1' }, ...ask('c1')].map((chunk) => JSON.stringify(chunk)).join('\n'));
  expect(seen).toEqual(['approval-requested']);
});

it('listeners that each decide the next call are all called', () => {
  const { gate } = asking(ids);
  for (const [i, id] of ids.entries()) {
    const next = ids[i + 1];
    if (next) gate.subscribe(() => gate.respond(`approve-${next}`, { approved: true }), id);
  }
  gate.respond('approve-c0', { approved: true });
  expect(gate.pending()).toEqual([]);
});

it('`part` and `approval` return the objects of the view', () => {
  const { gate } = asking(['c1', 'c2']);
  const inView = (): readonly unknown[] => {
    const part = gate.part('c1');
    const { messages, pending } = gate.getSnapshot();
    expect(messages.at(-1)?.parts).toContain(part);
    const approval = gate.approval('c1');
    expect(approval).toBe(pending.find(({ toolCallId }) => toolCallId === 'c1'));
    expect(part && gate.approval(part)).toBe(approval);
    return [part?.state, approval?.approvalId];
  };
  expect(inView()).toEqual(['approval-requested', 'approve-c1']);
  gate.respond('approve-c1', { approved: true });
  expect(inView()).toEqual(['approval-responded', undefined]);
  expect(gate.part('unknown')).toBeUndefined();
  expect(gate.approval('unknown')).toBeUndefined();
  const shown = gate.part('c2');
  gate.free();
  expect(gate.part('c2')).toBe(shown);
  expect(gate.approval('c2')).toBeUndefined();
});

it('a repeated id: `approval(id)` is that of the newest call, `approval(part)` that of the part’s own call', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  const parts: ToolPart[] = [];
  for (const messageId of ['a1', 'a2']) {
    gate.receive({ type: 'start', messageId });
    ask('c1').forEach((chunk) => gate.receive({ ...chunk, approvalId: `approve-${messageId}` }));
    parts.push(gate.part('c1') as ToolPart);
    gate.receive({ type: 'finish' });
  }
  expect(gate.approval('c1')?.approvalId).toBe('approve-a2');
  expect(gate.approval(parts[1] as ToolPart)).toBe(gate.approval('c1'));
  expect(gate.approval(parts[0] as ToolPart)).toBeUndefined();
});

it('`approval(part)` is the entry of the present call, in whichever order parts are read and however they changed', () => {
  const { gate } = asking(ids);
  const shown = gate
    .getSnapshot()
    .messages.at(-1)!
    .parts.filter((part) => 'toolCallId' in part) as ToolPart[];
  expect(shown).toHaveLength(ids.length);
  const decided = new Set<ToolPart>();
  const check = (order: readonly ToolPart[]): void => {
    for (const part of order) {
      const entry = gate.pending().find(({ approvalId }) => approvalId === part.approval!.id);
      expect(entry === undefined).toBe(decided.has(part));
      expect(gate.approval(part)).toBe(entry);
    }
  };
  const decide = (at: number): void => {
    const part = shown[at] as ToolPart;
    gate.respond(part, { approved: true });
    decided.add(part);
  };
  const some = shown.slice(0, 10);
  check(shown);
  check([...shown].reverse());
  check(some.flatMap((part) => [part, part, shown.at(-1) as ToolPart]));
  // Between two reads, the part that is read next is decided: what the caller shows is out of date.
  expect(gate.approval(shown[3] as ToolPart)).toBeDefined();
  decide(4);
  expect(gate.approval(shown[4] as ToolPart)).toBeUndefined();
  decide(0);
  check(shown);
  // A loaded history does not wait for a decision of this gate.
  gate.load([]);
  for (const part of some) expect(gate.approval(part)).toBeUndefined();
});

const approvals = ({ pending }: GateView): string => pending.map(({ approvalId }) => approvalId).join();

/** Lists of random actions on a gate. Each reply to the gate requests a hundred approvals. */
const acts = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('approve', 'deny'), at: fc.nat(99) }),
    fc.record({
      kind: fc.constantFrom('delta', 'start', 'message', 'cancel', 'result', 'title', 'load', 'reset'),
      at: fc.nat(99),
    }),
    fc.record({ kind: fc.constantFrom('look', 'look', 'read', 'read old'), at: fc.nat(9) }),
  ),
  { minLength: 5, maxLength: 60 },
);

it('a view that is read late shows the same as a view of the same moment that was read at once', () => {
  fc.assert(
    fc.property(acts, (list) => {
      // Two gates with the same events: the views of one are read at once, those of the other later or never.
      const [eager, lazy] = [
        new ToolGate({ chatId: 'chat', now: () => 1 }),
        new ToolGate({ chatId: 'chat', now: () => 1 }),
      ];
      const both = (act: (gate: ToolGate) => unknown): void => {
        for (const gate of [eager, lazy]) {
          try {
            act(gate);
          } catch {
            // Neither gate allows this action now.
          }
        }
      };
      const begin = (gate: ToolGate, messageId: string): void => {
        gate.receive({ type: 'start', messageId });
        gate.receive({ type: 'start-step' });
        gate.receive({ type: 'text-start', id: 't' });
        for (const id of ids) ask(`${messageId}-${id}`).forEach((chunk) => gate.receive(chunk));
      };
      both((gate) => begin(gate, 'a0'));
      const views: { readonly lazy: GateView; readonly messages: GateMessage[]; readonly pending: string }[] = [];
      let count = 0;
      for (const { kind, at } of list) {
        const id = `a${count}-c${at}`;
        switch (kind) {
          case 'approve':
          case 'deny':
            both((gate) => gate.respond(`approve-${id}`, { approved: kind === 'approve' }));
            break;
          case 'delta':
            both((gate) => gate.receive({ type: 'text-delta', id: 't', delta: String(at) }));
            break;
          case 'start':
            both((gate) => ask(`${id}-new`).forEach((chunk) => gate.receive(chunk)));
            break;
          case 'result':
            both((gate) => gate.receive({ type: 'tool-output-available', toolCallId: id, output: at }));
            break;
          case 'title':
            both((gate) => gate.receive({ type: 'message-metadata', messageMetadata: { at } }));
            break;
          case 'reset':
            both((gate) => gate.receive({ type: 'reset-step' }));
            break;
          case 'message':
            count++;
            both((gate) => (gate.receive({ type: 'finish' }), begin(gate, `a${count}`)));
            break;
          case 'cancel':
            both((gate) => gate.cancel());
            break;
          case 'load':
            both((gate) => gate.load(JSON.parse(JSON.stringify(eager.getSnapshot().messages)) as unknown[]));
            break;
          case 'look':
            views.push({
              lazy: lazy.getSnapshot(),
              messages: structuredClone(eager.getSnapshot().messages),
              pending: approvals(eager.getSnapshot()),
            });
            break;
          case 'read':
            expect(lazy.getSnapshot().messages).toEqual(eager.getSnapshot().messages);
            break;
          default: {
            const view = views[at % Math.max(1, views.length)];
            if (view) expect(view.lazy.messages).toEqual(view.messages);
          }
        }
      }
      for (const view of views) {
        const { messages } = view.lazy;
        expect(messages).toEqual(view.messages);
        expect(view.lazy.messages).toBe(messages);
        expect(approvals(view.lazy)).toBe(view.pending);
      }
      expect(lazy.getSnapshot().messages).toEqual(eager.getSnapshot().messages);
      eager.free();
      lazy.free();
    }),
    { numRuns: 60 },
  );
});

it('after every action, what the listeners of single calls have read equals what the view shows', () => {
  fc.assert(
    fc.property(acts, (list) => {
      const gate = new ToolGate({ chatId: 'chat' });
      const begin = (messageId: string): void => {
        gate.receive({ type: 'start', messageId });
        gate.receive({ type: 'start-step' });
        for (const id of ids) ask(id).forEach((chunk) => gate.receive({ ...chunk, approvalId: `${messageId}-${id}` }));
      };
      begin('a0');
      const known = new Map<string, readonly unknown[]>();
      const follow = (id: string): void => void known.set(id, [gate.part(id), gate.approval(id)]);
      for (const id of ids) {
        follow(id);
        gate.subscribe(() => follow(id), id);
      }
      let count = 0;
      for (const { kind, at } of list) {
        try {
          if (kind === 'approve' || kind === 'deny') gate.respond(`a${count}-c${at}`, { approved: kind === 'approve' });
          else if (kind === 'result') gate.receive({ type: 'tool-output-available', toolCallId: `c${at}`, output: at });
          else if (kind === 'message') (gate.receive({ type: 'finish' }), begin(`a${++count}`));
          else if (kind === 'reset') gate.receive({ type: 'reset-step' });
          else if (kind === 'load') gate.load(JSON.parse(JSON.stringify(gate.getSnapshot().messages)) as unknown[]);
          else if (kind === 'cancel') gate.cancel();
        } catch {
          // The gate does not allow this action now.
        }
        const { messages, pending } = gate.getSnapshot();
        const calls = new Map<string, unknown>();
        for (const part of messages.flatMap(({ parts }) => parts))
          if ('toolCallId' in part) calls.set(part.toolCallId, part);
        const approvals = new Map(pending.map((entry) => [entry.toolCallId, entry]));
        for (const id of ids) {
          const [part, approval] = known.get(id) as readonly unknown[];
          expect(part === calls.get(id), `${kind} ${id}`).toBe(true);
          expect(approval === approvals.get(id), `${kind} ${id}`).toBe(true);
        }
      }
      gate.free();
    }),
    { numRuns: 40 },
  );
});
