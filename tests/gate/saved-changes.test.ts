/**
 * Saved changes: a snapshot plus the later changes gives the state of the gate, for any sequence of commands. A
 * follower that applies each change shows the same view. The size of a change does not depend on the history.
 */
import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import type { ToolGateOptions } from 'toolgate';
import { expect, it, vi } from 'vitest';

import { internalsOf, type GateInternals } from '../../src/ts/gate/internals.js';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import { ChangeLog, type SavedChanges } from '../../src/ts/persist/storage/change-log.js';
import { aiSdkWs } from '../../src/ts/protocols/ai-sdk-ws.js';
import { defineProtocol } from '../../src/ts/protocols/shared/define-protocol.js';
import type { Protocol, SavedGate } from '../../src/ts/types/index.js';
import { initSync } from '../../src/ts/wasm/init.js';
import { lineDefinition } from '../lib/policies-of-messages.js';
import { acts, Scene, setups, type Setup } from '../inspector/acts.js';
import { ask } from './support.js';

initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

const plans = fc.array(fc.tuple(acts, fc.boolean()), { maxLength: 25, size: 'max' });

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Gates made from src/ts instead of the package, so that the test can access their internals. */
const GateOfSource = ToolGate as unknown as ConstructorParameters<typeof Scene>[2];

/** The protocols of src/ts. */
const PROTOCOLS: Partial<Record<string, Protocol | 'ai-sdk'>> = {
  'ai-sdk': 'ai-sdk',
  'ai-sdk-ws': aiSdkWs,
  line: defineProtocol(lineDefinition),
};

/** A scene with a gate of src/ts. */
function sceneOf(setup: Setup, chatId?: string): Scene {
  return new Scene(
    setup,
    { protocol: PROTOCOLS[setup.backend.protocol], ...(chatId && { chatId }) } as ToolGateOptions,
    GateOfSource,
  );
}

const insideOf = (gate: object): GateInternals => internalsOf(gate)!;

const logs = new WeakMap<object, ChangeLog>();

/** The change log of a gate, as its persister has one. */
function logOf(gate: object): ChangeLog {
  const log = logs.get(gate) ?? new ChangeLog(insideOf(gate).saving);
  logs.set(gate, log);
  return log;
}

/** Lets a gate adopt a saved state with its changes, as its persister does. */
function adopt(gate: object, saved: SavedGate, changes: readonly SavedChanges[], follows: boolean): void {
  const continued = logOf(gate).continued(changes, follows);
  insideOf(gate).commands.dispatch({ name: 'adopt', args: [saved, follows, undefined, continued] });
}

/** A gate with the options of a scene, after it has adopted a saved state and its changes. */
function adopted(setup: Setup, saved: SavedGate, changes: readonly SavedChanges[], follows: boolean): ToolGate {
  const { gate } = sceneOf(setup);
  adopt(gate, saved, changes, follows);
  return gate as unknown as ToolGate;
}

/** A chat of this many messages that waits for an approval. */
function longChat(messages: number, options: ToolGateOptions = {}): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', generateId: () => 'id', ...(options as object) });
  gate.load(
    Array.from({ length: messages }, (_, n) => ({
      id: `m${n}`,
      role: n % 2 ? 'assistant' : 'user',
      parts: [
        { type: 'text', text: `message ${n}` },
        ...(n % 2
          ? [{ type: 'tool-read', toolCallId: `t${n}`, state: 'output-available', input: { n }, output: { n } }]
          : []),
      ],
    })),
  );
  gate.sendUserMessage({ text: 'tidy up' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const chunk of [{ type: 'start', messageId: 'a' }, { type: 'start-step' }, ...ask('c1')]) gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

it('a snapshot plus the later changes gives the state of the gate, for any sequence of commands', async () => {
  await fc.assert(
    fc.asyncProperty(setups, plans, fc.nat(10), async (setup, plan, start) => {
      const scene = sceneOf(setup, 'chat');
      const log = logOf(scene.gate);
      await scene.play(plan.slice(0, start).map(([act]) => act));
      const base = plain(log.whole());
      const changes: SavedChanges[] = [];
      const follower = adopted(setup, base, [], true);
      for (const [act, isSaved] of plan.slice(start)) {
        await scene.play([act]);
        if (!isSaved) continue;
        changes.push(plain(log.changes()!));
        logOf(follower).follow(changes.at(-1)!);
        const now = plain(scene.gate.toJSON()) as unknown as SavedGate;
        expect(plain(follower.toJSON())).toEqual(now);
        const { revision: _, ...shown } = follower.getSnapshot();
        const { revision: __, ...wanted } = adopted(setup, now, [], true).getSnapshot();
        expect(shown).toEqual(wanted);
      }
      const now = plain(scene.gate.toJSON());
      if (plan.at(-1)?.[1]) expect(plain(adopted(setup, base, changes, true).toJSON())).toEqual(now);
      // A gate restored from the changes has the same state as one restored from a whole snapshot.
      const whole = adopted(setup, changes.length > 0 ? plain(follower.toJSON()) : base, [], false);
      expect(plain(adopted(setup, base, changes, false).toJSON())).toEqual(plain(whole.toJSON()));
    }),
    { numRuns: 300 },
  );
}, 120_000);

it('a gate that adopted a saved state saves changes which continue that state', async () => {
  await fc.assert(
    fc.asyncProperty(setups, plans, plans, async (setup, before, plan) => {
      const scene = sceneOf(setup, 'chat');
      const log = logOf(scene.gate);
      const base = plain(log.whole());
      await scene.play(before.map(([act]) => act));
      const changes = [plain(log.changes()!)];
      const next = sceneOf(setup, 'chat');
      adopt(next.gate, base, changes, false);
      changes.push(plain(logOf(next.gate).changes()!));
      await next.play(plan.map(([act]) => act));
      changes.push(plain(logOf(next.gate).changes()!));
      const restored = adopted(setup, base, changes, true);
      expect(plain(restored.toJSON())).toEqual(plain(next.gate.toJSON()));
    }),
    { numRuns: 150 },
  );
}, 120_000);

it('the changes of a decision and a claim are small for a history of any length', () => {
  const sizes = [10, 1_000].map((messages) => {
    const gate = longChat(messages);
    const log = logOf(gate);
    const base = log.whole();
    gate.respond('approve-c1', { approved: true });
    const item = gate.outgoing()[0]!;
    gate.claim(item.id);
    const changes = log.changes()!;
    const restored = new ToolGate({ chatId: 'chat' });
    adopt(restored, plain(base), [plain(changes)], false);
    // A retry sends an equal body.
    const [lost] = restored.undelivered();
    expect(lost).toMatchObject({ key: item.key, delivery: 'unconfirmed' });
    restored.retry(lost!.id);
    expect(plain(restored.outgoing()[0]!.body)).toEqual(plain(item.body));
    return JSON.stringify(changes).length;
  });
  expect(sizes[0]).toBeLessThan(2_000);
  expect(Math.abs(sizes[1]! - sizes[0]!)).toBeLessThan(100);
});

it('the body of a claimed item is saved with its messages if the restored gate would assemble different ones', () => {
  const gate = longChat(10);
  const log = logOf(gate);
  const base = log.whole();
  gate.respond('approve-c1', { approved: true });
  const item = gate.outgoing()[0]!;
  gate.claim(item.id);
  gate.receive({ type: 'start', messageId: 'a' });
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'done' });
  const changes = [log.changes()!, log.changes()!];
  const restored = new ToolGate({ chatId: 'chat' });
  adopt(restored, plain(base), plain(changes), true);
  expect(plain(restored.toJSON())).toEqual(plain(gate.toJSON()));
});

it('unchanged messages and parts of a follower stay the same objects', () => {
  const gate = longChat(10);
  const log = logOf(gate);
  const follower = new ToolGate({ chatId: 'chat' });
  adopt(follower, plain(log.whole()), [], true);
  const before = follower.getSnapshot().messages;
  gate.sendUserMessage({ id: 'next', text: 'and then' });
  gate.receive({ type: 'text-start', id: 't' });
  logOf(follower).follow(plain(log.changes()!));
  const now = follower.getSnapshot().messages;
  expect(now.slice(0, 11).map((message, i) => message === before[i])).toEqual(Array(11).fill(true));
});

it('saving fails while the state has a value that cannot be saved, and succeeds after it was replaced', () => {
  const gate = longChat(2);
  const log = logOf(gate);
  const base = log.whole();
  const data = { call: (() => 1) as unknown };
  gate.receive({ type: 'start', messageId: 'b' });
  gate.receive({ type: 'data-y', id: 'y', data: { saved: 'with the next changes' } });
  gate.receive({ type: 'data-x', id: 'x', data });
  expect(() => log.changes()).toThrow('function');
  gate.receive({ type: 'data-x', id: 'x', data: { call: 1 } });
  const changes = [plain(log.changes()!)];
  const restored = new ToolGate({ chatId: 'chat' });
  adopt(restored, plain(base), changes, true);
  expect(plain(restored.toJSON())).toEqual(plain(gate.toJSON()));
});

it('the end of a request does not concern a state that was adopted while it was in flight', async () => {
  const gate = longChat(2);
  gate.respond(gate.pending()[0]!, { approved: true });
  const saved = plain(gate.toJSON());
  const ends: (() => void)[] = [];
  const delivered = gate.deliver(() => new Promise((resolve) => ends.push(resolve)));
  // In the adopted state the request is ready, so it is sent too.
  adopt(gate, saved, [], false);
  ends[0]!();
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  ends[1]!();
  await delivered;
});

it('damaged changes are refused as a whole: the gate keeps its state', () => {
  const gate = longChat(4);
  const log = logOf(gate);
  const base = plain(log.whole());
  gate.respond('approve-c1', { approved: false });
  const { numbers, texts, values } = plain(log.changes()!);
  const damagedOnes: SavedChanges[] = [
    { numbers: numbers.slice(0, -1), texts, values },
    { numbers: [...numbers, 0], texts, values },
    { numbers, texts: texts.slice(1), values },
    { numbers, texts, values: [...values.slice(0, -1), 1e6] },
    { numbers: [99, ...numbers.slice(1)], texts, values },
    { numbers: [0, ...numbers.slice(1)], texts, values },
    null as unknown as SavedChanges,
    { numbers: ['1'], texts, values } as unknown as SavedChanges,
  ];
  for (const changes of damagedOnes) {
    const other = longChat(2);
    const before = plain(other.toJSON());
    expect(() => adopt(other, base, [changes], true)).toThrow(
      expect.objectContaining({ code: 'bad-snapshot' }) as Error,
    );
    expect(plain(other.toJSON())).toEqual(before);
  }
});

it('a gate that was never saved has no changes to save', () => {
  expect(logOf(longChat(2)).changes()).toBeUndefined();
});
