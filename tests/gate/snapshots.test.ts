/**
 * Snapshots: a stored state is restored, in any order of keys. A snapshot that is damaged or has another version is
 * refused with a message that says how to continue.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolGate, ToolGateError, type SavedGate } from 'toolgate';

import { checksum } from '../../src/ts/json/checksum.js';
import { seal } from '../../src/ts/gate/saved/snapshot.js';
import { expectAccepted } from './backends.js';
import { ask, asking, reply, send, thrownBy } from './support.js';

/** The version that this release writes and reads. */
const PRESENT = 14;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Saved = { [key: string]: Json } & { numbers: number[]; texts: string[]; values: Json[] };

const stored = (gate: ToolGate): Saved => JSON.parse(JSON.stringify(gate)) as Saved;
const restored = (saved: unknown): ToolGate => ToolGate.restore(saved as SavedGate);
const refused = (saved: unknown): ToolGateError => thrownBy(() => restored(saved));

/** Chats in many different states. */
const moments: Readonly<Record<string, () => ToolGate>> = {
  empty: () => new ToolGate({ chatId: 'chat' }),
  pending: () => asking(['c1', 'c2'], { approvalTimeoutMs: 60_000 }).gate,
  decided: () => {
    const { gate } = asking(['c1', 'c2']);
    gate.respond('approve-c1', { approved: true, remember: { for: 'always', scope: 'tool' } });
    return gate;
  },
  'in flight': () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: false, reason: 'no' });
    send(gate);
    return gate;
  },
  'with odd values': () => {
    const { gate } = asking([]);
    const input = {
      at: new Date(0),
      big: 10n,
      none: undefined,
      nan: NaN,
      zero: -0,
      deep: [[{ a: 1.5 }]],
      $: 'tag',
      text: 'é😀\ud800',
      list: [1, '1', true, null],
    };
    reply(gate, [{ type: 'start', messageId: 'a2' }, ...ask('c3', input), { type: 'finish' }]);
    return gate;
  },
};

const names = Object.keys(moments);
const moment = (name: string): ToolGate => (moments[name] as () => ToolGate)();

/** Every path in a snapshot, except the checksum. */
function* placesIn(value: Json, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (path.length > 0 || key !== 'checksum')
      yield* placesIn((value as { [key: string]: Json })[key] as Json, [
        ...path,
        Array.isArray(value) ? Number(key) : key,
      ]);
  }
}

const at = (value: Json, path: readonly (string | number)[]): Json =>
  path.reduce<Json>((inner, key) => (inner as { [key: string]: Json })[key] as Json, value);

/** A copy of the snapshot with another value at a path, or without the path for `undefined`. */
function changed(saved: Saved, path: readonly (string | number)[], to: Json | undefined): Saved {
  const copy = structuredClone(saved);
  const holder = at(copy, path.slice(0, -1)) as Json[] & { [key: string]: Json };
  const key = path.at(-1) as number;
  if (to !== undefined) holder[key] = to;
  else if (Array.isArray(holder)) holder.splice(key, 1);
  else delete (holder as { [key: string]: Json })[key];
  return copy;
}

/** The value with its keys in another order, at every depth: as in the type `jsonb` of Postgres, or reversed. */
function reordered(value: Json, order: (a: string, b: string) => number): Json {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(order)
      .map((key) => [key, reordered(value[key] as Json, order)]),
  );
}

describe.each(names)('%s', (name) => {
  it('is restored from JSON, from a structured clone, and from a database that reorders keys', () => {
    const gate = moment(name);
    const saved = stored(gate);
    expect(saved['version']).toBe(PRESENT);
    const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
    for (const copy of [
      gate.toJSON(),
      saved,
      structuredClone(saved),
      reordered(saved, byLength),
      reordered(saved, (a, b) => (a < b ? 1 : -1)),
    ]) {
      const again = restored(copy);
      expect(again.pending().map(({ approvalId }) => approvalId)).toEqual(
        gate.pending().map(({ approvalId }) => approvalId),
      );
      expect(stored(restored(stored(again)))).toEqual(stored(again));
    }
  });

  it('is valid `jsonb` for Postgres: Toolgate adds no U+0000 and no lone surrogate', () => {
    const own = JSON.stringify({ ...stored(moment(name)), values: [] });
    expect(own).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  });

  it('detects a value that is changed, removed, duplicated or moved', () => {
    const saved = stored(moment(name));
    let tried = 0;
    for (const path of placesIn(saved)) {
      const value = at(saved, path);
      const others: (Json | undefined)[] = [undefined, null, 0, '', [], {}, true];
      if (typeof value === 'number') others.push(value + 1, -value, value + 0.5, String(value));
      if (typeof value === 'string')
        others.push(`${value} `, value.slice(1), value.toUpperCase(), [...value].reverse().join(''));
      if (Array.isArray(value))
        others.push(value.slice(1), value.slice(0, -1), [...value, null], [...value, ...value], [...value].reverse());
      for (const other of others) {
        if (JSON.stringify(other) === JSON.stringify(value)) continue;
        tried++;
        expect(refused(changed(saved, path, other)).code, `${path.join('.')}: ${JSON.stringify(other)}`).toBe(
          'bad-snapshot',
        );
      }
    }
    expect(tried).toBeGreaterThan(100);
  });

  it('detects two values that are swapped', () => {
    const saved = stored(moment(name));
    const places = [...placesIn(saved)];
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        const [one, two] = [
          places[a % places.length] as (string | number)[],
          places[b % places.length] as (string | number)[],
        ];
        const [first, second] = [at(saved, one), at(saved, two)];
        const isInside = one.every((key, i) => two[i] === key) || two.every((key, i) => one[i] === key);
        if (isInside || JSON.stringify(first) === JSON.stringify(second)) return;
        expect(refused(changed(changed(saved, one, second), two, first)).code).toBe('bad-snapshot');
      }),
      { numRuns: 300 },
    );
  });
});

describe('restored', () => {
  it('a restored chat continues to the end of the turn', async () => {
    for (const name of ['pending', 'decided', 'in flight']) {
      const gate = restored(stored(moment(name)));
      gate.respondAll({ approved: false, reason: 'no' });
      for (const { id } of gate.undelivered()) gate.retry(id);
      await expectAccepted(gate.outgoing()[0]);
      send(gate);
      const running = gate
        .getSnapshot()
        .messages.flatMap(
          ({ parts }) => parts as { toolCallId?: string; state?: string; approval?: { approved?: boolean } }[],
        );
      const outputs = running.filter(({ state, approval }) => state === 'approval-responded' && approval?.approved);
      reply(gate, [
        ...outputs.map(({ toolCallId }) => ({ type: 'tool-output-available', toolCallId, output: 'done' })),
        { type: 'text-start', id: 't' },
        { type: 'text-end', id: 't' },
        { type: 'finish' },
      ]);
      expect(gate.undelivered()).toEqual([]);
      expect(gate.sendUserMessage({ text: 'go on' })).toBe('sent');
      await expectAccepted(gate.outgoing()[0]);
    }
  });

  it('values are restored exactly', () => {
    const gate = restored(stored(moment('with odd values')));
    expect(gate.pending()[0]?.input).toStrictEqual({
      at: new Date(0),
      big: 10n,
      none: undefined,
      nan: NaN,
      zero: -0,
      deep: [[{ a: 1.5 }]],
      $: 'tag',
      text: 'é😀\ud800',
      list: [1, '1', true, null],
    });
  });
});

describe('refuses', () => {
  const whole = (): Saved => stored(moment('pending'));

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, PRESENT + 1, 99, 2 ** 31, 1e300])(
    'another version (%d), and the error names it',
    (version) => {
      const error = refused(seal({ ...whole(), version }));
      expect(error).toMatchObject({
        name: 'ToolGateError',
        code: 'bad-snapshot',
        message: expect.stringContaining(`version ${version}`) as string,
      });
    },
  );

  it.each([0, -1, 1.5, '4', null, undefined, NaN, {}])('the version %j', (version) => {
    expect(refused({ ...whole(), version })).toMatchObject({
      code: 'bad-snapshot',
      message: expect.stringContaining(`Expected version ${PRESENT}`) as string,
    });
  });

  // These snapshots have a valid checksum, so that other checks must refuse them.
  it.each<[string, (snapshot: Saved) => unknown]>([
    ['no numbers', ({ numbers: _, ...rest }) => rest],
    ['texts for numbers', (snapshot) => ({ ...snapshot, numbers: snapshot.numbers.map(String) })],
    ['numbers cut short', (snapshot) => ({ ...snapshot, numbers: snapshot.numbers.slice(0, -3) })],
    ['more numbers', (snapshot) => ({ ...snapshot, numbers: [...snapshot.numbers, 0] })],
    ['no texts', (snapshot) => ({ ...snapshot, texts: [] })],
    ['no values', (snapshot) => ({ ...snapshot, values: [] })],
    ['an unknown tag', (snapshot) => ({ ...snapshot, values: snapshot.values.map(() => ({ $: 'soul', v: 1 })) })],
    ['a broken BigInt', (snapshot) => ({ ...snapshot, values: snapshot.values.map(() => ({ $: 'bigint', v: 'x' })) })],
    ['no chat id', ({ chatId: _, ...rest }) => rest],
  ])('%s', (_, make) => {
    const error = refused(seal(make(whole()) as object));
    expect(error).toMatchObject({ name: 'ToolGateError', code: 'bad-snapshot' });
    expect(error.message.length).toBeGreaterThan(30);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', '{}'],
    ['a list', []],
    ['an empty object', {}],
    ['no checksum', { ...whole(), checksum: undefined }],
    ['a checksum of another kind', { ...whole(), checksum: 5 }],
    [
      'values with endless nesting',
      { ...whole(), values: [Array.from({ length: 100_000 }).reduce<Json>((deep) => [deep], null)] },
    ],
  ])('%s', (_, snapshot) => {
    expect(refused(snapshot).code).toBe('bad-snapshot');
  });

  it('damage with a valid checksum is refused or harmless, and never a crash', () => {
    for (const name of names) {
      const saved = stored(moment(name));
      saved.numbers.forEach((_, place) => {
        for (const number of [-1, 0.5, 4_000_000_000, 1e300]) {
          try {
            const copy = restored(seal({ ...saved, numbers: saved.numbers.with(place, number) }));
            expect(copy.getSnapshot().status).not.toBe('crashed');
            copy.free();
          } catch (error) {
            expect(error).toMatchObject({ code: 'bad-snapshot' });
          }
        }
      });
    }
  });

  it('a refused snapshot has no effect on the next gate', () => {
    refused({ ...whole(), numbers: [] });
    const gate = new ToolGate();
    expect(gate.sendUserMessage({ text: 'hello' })).toBe('sent');
    expect(restored(whole()).pending()).toHaveLength(2);
  });
});

describe('the checksum', () => {
  it('is equal for values with equal JSON, in any order of keys, and differs for others', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        expect(checksum(same(a))).toBe(checksum(a));
        expect(checksum(reordered(a as Json, (x, y) => (x < y ? 1 : -1)))).toBe(checksum(a));
        const canonical = (value: Json): string => JSON.stringify(reordered(value, (x, y) => (x < y ? -1 : 1)));
        if (canonical(a as Json) !== canonical(b as Json)) expect(checksum(a)).not.toBe(checksum(b));
      }),
      { numRuns: 2000 },
    );
  });

  it('differs for similar values', () => {
    const alike: unknown[] = [
      0,
      '0',
      false,
      null,
      '',
      [],
      {},
      [0],
      ['0'],
      [null],
      [[]],
      [{}],
      { 0: 0 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { b: 1 },
      'ab',
      'ba',
      'a\0',
      'a',
      '\0a',
      [1, 2],
      [2, 1],
      [[1], 2],
      [[1, 2]],
      1.5,
      -1.5,
      2 ** 40,
      2 ** 41,
      -1,
      1,
      2 ** 31,
      -(2 ** 31),
      0.1,
      5e-324,
    ];
    const sums = alike.map(checksum);
    expect(new Set(sums).size).toBe(alike.length);
    for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{16}$/);
    expect(checksum(-0)).toBe(checksum(0));
  });

  it('detects a change anywhere in a long text', () => {
    const text = 'Lorem ipsum dolor sit amet. '.repeat(400);
    const sums = new Set([text, `${text}x`].map(checksum));
    for (let place = 0; place < text.length; place += 7)
      sums.add(checksum(`${text.slice(0, place)}X${text.slice(place + 1)}`));
    expect(sums.size).toBe(2 + Math.ceil(text.length / 7));
  });
});
