/**
 * The gate sends what the user saw: an input is frozen when its call is shown. An input that cannot be frozen (a class
 * instance, a Map, a getter) is compared with the shown one when the user decides.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reactive } from 'vue';
import { ToolGate, type PendingApproval, type ToolPart } from 'toolgate';

import { copyData, freeze, isFixed } from '../../src/ts/json/freeze.js';
import { ask, asking, reply, thrownBy } from './support.js';
import { langgraph } from 'toolgate/protocols/langgraph';

/** A gate with one pending approval of a call with this input. */
function askingWith(input: unknown): ToolGate {
  const gate = new ToolGate();
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1', input), { type: 'finish' }]);
  return gate;
}

const shownIn = (gate: ToolGate): PendingApproval => gate.pending()[0] as PendingApproval;
const partOf = (gate: ToolGate): ToolPart => gate.getSnapshot().messages[0]?.parts.at(-1) as ToolPart;

/** Every object in a value. */
function* objectsIn(value: unknown, seen = new Set<unknown>()): Generator<object> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  yield value;
  for (const key of Reflect.ownKeys(value)) yield* objectsIn((value as Record<PropertyKey, unknown>)[key], seen);
}

describe('plain data', () => {
  const inputs: readonly (readonly [string, () => unknown])[] = [
    ['an object', () => ({ path: 'a.txt', edits: [{ from: 1, to: 2, text: 'x' }], none: null, no: undefined })],
    ['a list', () => [[1], [{ a: [] }]]],
    ['an object without a prototype', () => Object.assign(Object.create(null) as object, { deep: { path: 'a' } })],
    ['an object with the key `__proto__`', () => JSON.parse('{"__proto__":{"path":"a"}}') as object],
    ['an object that is already frozen, with properties that are not', () => Object.freeze({ deep: { path: 'a' } })],
    [
      'an object that contains itself',
      () => Object.assign(((loop: Record<string, unknown>) => (loop['self'] = loop))({}), { deep: { path: 'a' } }),
    ],
    ['a very deep object', () => Array.from({ length: 5000 }).reduce<object>((deep) => ({ deep }), { path: 'a' })],
  ];

  it.each(inputs)('%s is deeply frozen when it is shown, and stays the same object', (_, make) => {
    const input = make();
    const gate = askingWith(input);
    expect(partOf(gate).input).toBe(input);
    expect(shownIn(gate).input).toBe(input);
    let count = 0;
    for (let at: unknown = input; count < 6000 && typeof at === 'object' && at !== null; count++) {
      expect(Object.isFrozen(at)).toBe(true);
      at = Object.values(at).find((value) => typeof value === 'object' && value !== null && value !== at);
    }
    expect(gate.respond(shownIn(gate), { approved: true })).toBe('accepted');
  });

  it.each<[string, (gate: ToolGate) => unknown]>([
    ['in the view', (gate) => partOf(gate).input],
    ['in `pending`', (gate) => shownIn(gate).input],
  ])('cannot be changed: %s', (_, find) => {
    const gate = askingWith({ path: 'a.txt', edits: [{ text: 'x' }] });
    const before = shownIn(gate).inputDigest;
    const input = find(gate) as { path: string; edits: { text: string }[] };
    for (const change of [
      () => (input.path = '/etc/passwd'),
      () => input.edits.push({ text: 'y' }),
      () => ((input.edits[0] as { text: string }).text = 'y'),
      () => Reflect.deleteProperty(input, 'path') || thrownBy(() => JSON.parse('x')),
    ]) {
      try {
        change();
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }
    expect(gate.respond('approve-c1', { approved: true, inputDigest: before })).toBe('accepted');
    expect(JSON.stringify(gate.outgoing())).toContain('"input":{"path":"a.txt","edits":[{"text":"x"}]}');
  });

  it('an input that is still streaming is not frozen, and later text is shown', () => {
    const gate = new ToolGate();
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' });
    for (const inputTextDelta of ['{"a":[1', ',2]', '}']) {
      gate.receive({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta });
      partOf(gate);
    }
    expect(partOf(gate).input).toEqual({ a: [1, 2] });
  });

  it('freezes only the input of an event, and only when the view is read', () => {
    const events = ask('c1') as { input?: object }[];
    const gate = new ToolGate();
    gate.receive({ type: 'start', messageId: 'a1' });
    for (const event of events) gate.receive(event);
    expect(Object.isFrozen(events[0]?.input)).toBe(false);
    gate.getSnapshot();
    expect([Object.isFrozen(events[0]), Object.isFrozen(events[0]?.input)]).toEqual([false, true]);
  });

  it('an edited input is copied: the approved value is shown and sent', async () => {
    const { init } = await import('toolgate');
    await init();
    const gate = new ToolGate({ protocol: langgraph });
    gate.load([
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
      {
        id: 'a1',
        role: 'assistant',
        parts: [
          {
            type: 'tool-edit',
            toolCallId: 'c1',
            state: 'approval-requested',
            input: { path: 'a' },
            approval: { id: 'approve-c1' },
          },
        ],
      },
    ]);
    const input = { path: 'b', deep: ['c'] };
    gate.respond(shownInLast(gate), { approved: true, input });
    input.path = '/etc/passwd';
    input.deep.push('d');
    expect(JSON.stringify(gate.getSnapshot().messages)).toContain('"path":"b","deep":["c"]');
    expect(JSON.stringify([gate.getSnapshot().messages, gate.outgoing()])).not.toMatch(/passwd|"d"/);
  });

  const shownInLast = (gate: ToolGate): PendingApproval => gate.pending()[0] as PendingApproval;
});

class Money {
  #cents: number;
  label = 'price';
  constructor(cents: number) {
    this.#cents = cents;
  }
  get cents(): number {
    return this.#cents;
  }
}

describe('inputs that cannot be frozen', () => {
  it.each<[string, () => { [key: string]: unknown }]>([
    ['a class instance', () => ({ amount: new Money(5), path: 'a' })],
    ['a Map', () => ({ map: new Map([['a', 1]]), path: 'a' })],
    ['binary data', () => ({ bytes: new Uint8Array([1, 2]), path: 'a' })],
    ['a Date', () => ({ at: new Date(5), path: 'a' })],
    [
      'a getter',
      () =>
        Object.defineProperty({ path: 'a' } as { [key: string]: unknown }, 'now', { enumerable: true, get: () => 1 }),
    ],
    ['a function', () => ({ call: () => 1, path: 'a' })],
  ])('%s is not modified, and can be approved and sent', (_, make) => {
    const input = make();
    const gate = askingWith(input);
    expect(shownIn(gate).input).toBe(input);
    for (const inner of Object.values(input))
      if (inner instanceof Money || inner instanceof Map || inner instanceof Uint8Array || inner instanceof Date)
        expect(Object.isFrozen(inner)).toBe(false);
    expect(gate.respond('approve-c1', { approved: true, inputDigest: shownIn(gate).inputDigest })).toBe('accepted');
  });

  it.each<[string, (gate: ToolGate, shown: PendingApproval) => unknown]>([
    [
      'by the digest',
      (gate, shown) => gate.respond(shown.approvalId, { approved: true, inputDigest: shown.inputDigest }),
    ],
    ['by the entry', (gate, shown) => gate.respond(shown, { approved: true })],
  ])('a decision is refused as stale if the input changed after it was shown: %s', (_, respond) => {
    const at = new Date(5);
    const gate = askingWith({ at });
    const shown = shownIn(gate);
    at.setTime(6);
    expect(thrownBy(() => respond(gate, shown)).code).toBe('stale-input');
    expect(gate.pending()).toHaveLength(1);
    at.setTime(5);
    expect(respond(gate, shown)).toBe('accepted');
  });

  it('accepts inputs with a revoked proxy or a proxy that throws', () => {
    const { proxy, revoke } = Proxy.revocable({ path: 'a' }, {});
    revoke();
    const refusing = new Proxy(
      { path: 'a' },
      {
        preventExtensions: () => {
          throw new Error('no');
        },
        defineProperty: () => false,
      },
    );
    for (const input of [proxy, refusing, { deep: proxy }, { deep: refusing }]) {
      const gate = askingWith(input);
      expect(gate.pending()).toHaveLength(1);
      expect(gate.getSnapshot().status).not.toBe('crashed');
    }
  });

  it('does not freeze the state of a Vue app through its proxy', () => {
    const state = reactive({ input: { path: 'a', deep: { x: 1 } } });
    const gate = askingWith(state.input);
    const shown = shownIn(gate);
    state.input.deep.x = 2;
    state.input.path = 'b';
    expect(state.input).toEqual({ path: 'b', deep: { x: 2 } });
    expect(thrownBy(() => gate.respond('approve-c1', { approved: true, inputDigest: shown.inputDigest })).code).toBe(
      'stale-input',
    );
  });
});

describe('the target of respond', () => {
  let gate: ToolGate;
  beforeEach(() => void (gate = asking(['c1', 'c2']).gate));

  it('can be an entry of pending, a part or an id', () => {
    expect(gate.respond(shownIn(gate), { approved: true })).toBe('accepted');
    const part = gate.getSnapshot().messages[1]?.parts.at(-1) as ToolPart;
    expect(gate.respond(part, { approved: false })).toBe('accepted');
    expect(gate.respond('approve-c2', { approved: false })).toBe('duplicate');
  });

  it('can be a proxy or a copy of one', () => {
    expect(gate.respond(reactive(shownIn(gate)) as PendingApproval, { approved: true })).toBe('accepted');
    expect(gate.respond(JSON.parse(JSON.stringify(shownIn(gate))) as PendingApproval, { approved: true })).toBe(
      'accepted',
    );
  });

  it('is stale if its input differs from the call’s', () => {
    const entry = { ...shownIn(gate), input: { path: 'other' } };
    const { inputDigest: _, ...bare } = entry;
    expect(thrownBy(() => gate.respond(bare as PendingApproval, { approved: true })).code).toBe('stale-input');
    const part = {
      ...(gate.getSnapshot().messages[1]?.parts.at(-1) as ToolPart),
      input: { path: 'other' },
    } as ToolPart;
    expect(thrownBy(() => gate.respond(part, { approved: true })).code).toBe('stale-input');
    expect(thrownBy(() => gate.respond(shownIn(gate), { approved: true, inputDigest: '00' })).code).toBe('stale-input');
  });

  it('needs no second digest if its input is the shown object', () => {
    const made = vi.spyOn(TextEncoder.prototype, 'encode');
    gate.respond(shownIn(gate), { approved: true });
    gate.respond(gate.getSnapshot().messages[1]?.parts.at(-1) as ToolPart, { approved: false });
    // The request’s key needs one digest of each input.
    expect(
      made.mock.calls
        .flat()
        .join()
        .match(/"path"/g),
    ).toHaveLength(2);
    made.mockRestore();
  });

  it.each([undefined, null, 5, {}, { approvalId: 5 }, { approval: {} }, { approval: null }])(
    'cannot be %j',
    (target) => {
      expect(() => gate.respond(target as never, { approved: true })).toThrow(TypeError);
      expect(gate.pending()).toHaveLength(2);
    },
  );
});

describe('freeze and copy', () => {
  it('`freeze` and `isFixed` return whether the whole value is frozen', () => {
    expect([
      freeze(1),
      freeze('a'),
      freeze(null),
      freeze({ a: [{}] }),
      freeze(new Map()),
      freeze({ a: new Date() }),
      freeze(() => 1),
    ]).toEqual([true, true, true, true, false, false, false]);
    const shared = { a: 1 };
    const both = { x: shared, y: shared };
    expect([isFixed(both), freeze(both), isFixed(both), isFixed(new Map())]).toEqual([false, true, true, false]);
  });

  it('a copy is equal, shares no plain object, and keeps other objects', () => {
    const date = new Date(5);
    const value = {
      a: [1, { b: 2 }],
      date,
      [Symbol.for('x') as unknown as string]: 1,
      proto: JSON.parse('{"__proto__":1}') as object,
    };
    const copy = copyData(value) as typeof value;
    expect(copy).toEqual({ a: [1, { b: 2 }], date, proto: value.proto });
    expect(copy.date).toBe(date);
    const copied = new Set(objectsIn(copy));
    for (const object of objectsIn(value)) expect(copied.has(object)).toBe(object === date);
    expect(Object.hasOwn(copy.proto, '__proto__')).toBe(true);
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const again = copyData(loop) as typeof loop;
    expect(again.self).toBe(again);
    expect(copyData([1, , 2])).toHaveLength(3);
  });
});
