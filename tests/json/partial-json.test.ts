/**
 * Compares the incremental parser with the AI SDK's `parsePartialJson` at every prefix, for any split of the text;
 * tests the intentional differences; and counts its operations.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { parsePartialJson } from 'ai';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PartialJson } from '../../src/ts/json/partial-json.js';

// Thousands of cases can take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function parse(...deltas: string[]): unknown {
  const parser = new PartialJson();
  for (const delta of deltas) parser.push(delta);
  return parser.value;
}

/** Splits a text at the given positions (fractions of its length). */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => Math.floor(place * text.length)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
}

/** Pushes the deltas and compares with the AI SDK after each. Values that were read earlier must not change. */
async function compare(deltas: readonly string[], readEvery = 1): Promise<void> {
  const parser = new PartialJson();
  const seen: { value: unknown; copy: unknown }[] = [];
  let text = '';
  for (const [i, delta] of deltas.entries()) {
    parser.push(delta);
    text += delta;
    expect(parser.text).toBe(text);
    if (i % readEvery && i < deltas.length - 1) continue;
    const value = parser.value;
    expect({ text, value }).toStrictEqual({ text, value: (await parsePartialJson(text)).value });
    seen.push({ value, copy: structuredClone(value) });
  }
  for (const { value, copy } of seen) expect(value).toStrictEqual(copy);
}

const space = fc.stringMatching(/^[ \n\r\t]{0,2}$/);

/**
 * A string in JSON, in which each character may be escaped or not, as by different serializers. Keys never contain an
 * escaped quote.
 */
function stringText(key: boolean): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.constantFrom('a', 'b', 'é', '日', '\ud83d\ude00', '\u2028', ':', ',', '{', '}', '[', ']', ' ', "'"),
    fc.constantFrom(
      '\\n',
      '\\t',
      '\\\\',
      '\\/',
      '\\b',
      '\\f',
      '\\r',
      '\\u0041',
      '\\uD83D\\uDE00',
      '\\ud83d',
      '\\u00e9',
    ),
    key ? fc.constant('k') : fc.constantFrom('\\"', '\\u0022'),
  );
  return fc.array(unit, { maxLength: 6 }).map((units) => `"${units.join('')}"`);
}

/** JSON text with odd spacing, every form of number (except `e+`), duplicate keys and nesting. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc
    .tuple(
      space,
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('0', '-0', '12', '-3.25', '1e5', '2E-7', '0.5e3', '1e400', '123456789012345678901'),
        fc.constantFrom('true', 'false', 'null'),
        stringText(false),
        fc.tuple(space, fc.array(tie('json'), { maxLength: 4 })).map(([s, items]) => `[${s}${items.join(',')}]`),
        fc
          .tuple(space, fc.array(fc.tuple(space, stringText(true), space, tie('json')), { maxLength: 4 }))
          .map(([s, members]) => `{${s}${members.map(([a, key, b, value]) => `${a}${key}${b}:${value}`).join(',')}}`),
      ),
      space,
    )
    .map((texts) => texts.join('')),
}));

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 12 });

describe('equal to parsePartialJson', () => {
  it('for valid JSON, one character at a time', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (text) => compare(text.split(''))),
      { numRuns: 400 },
    );
  });

  it('for valid JSON in random pieces, read after some of them', async () => {
    await fc.assert(
      fc.asyncProperty(json, places, fc.integer({ min: 1, max: 4 }), async (text, at, every) =>
        compare(cut(text, at), every),
      ),
      { numRuns: 600 },
    );
  });

  it('for JSON with a character changed, removed or added', async () => {
    const damage = fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom('', ...'x"{}[],:0-.e tn\n1\\'));
    await fc.assert(
      fc.asyncProperty(json, damage, async (text, [at, remove, add]) => {
        const i = at % (text.length + 1);
        const damaged = text.slice(0, i) + add + text.slice(i + remove);
        fc.pre(!/\\"/.test(damaged) && !/e\+/i.test(damaged));
        await compare(damaged.split(''));
      }),
      { numRuns: 800 },
    );
  });

  it('for the characters of JSON in any order', async () => {
    const soup = fc.string({ unit: fc.constantFrom(...'{}[]",:-.e10 tfnrueals\nx'), maxLength: 14 });
    const start = fc.constantFrom(
      '',
      '{"a":',
      '[',
      '[1,',
      '{"a":[',
      '"',
      '{"a":1,"b":',
      '[[',
      '{"',
      '"\\u',
      '[-',
      'tru',
    );
    await fc.assert(
      fc.asyncProperty(start, soup, async (a, b) => compare((a + b).split(''))),
      { numRuns: 3000 },
    );
  });

  it.each([
    '',
    ' ',
    '\n{',
    '\ufeff{}',
    '{}x',
    '1 2',
    '"a" b',
    '[1]]',
    '{"a":1,}',
    '[1,]',
    '01',
    '-',
    '1.',
    '1.5.5',
    '[-,5]',
    'nul x',
    '{"a":1,"a":{"b":',
    '{"a":{"b":1},"a":',
    '"\\u12g',
    '"\\u12g45',
    '"\\q',
    '"a\nb',
    '{"\\q":1',
    '{"\n":1',
    '{"\\u1":1',
    'NaN',
    "{'a':1}",
    '[1}',
    '{"a":1]',
    '[1 x 2',
    '[truex]',
    '{"a":nullx,"b":2}',
    '{"a" "b":1}',
    '[1e5,-]',
    '{"1":1,"0":2',
    '[1+',
    '[1e',
    '{"a":1-2',
  ])('for %j', async (text) => compare(text.split('')));
});

describe('intentionally different', () => {
  it('reads e+ as part of a number', async () => {
    expect((await parsePartialJson('{"a":1e+5,')).value).toEqual({ a: 1 });
    expect(parse('{"a":1e+')).toEqual({ a: 1 });
    expect(parse('{"a":1e+5,')).toEqual({ a: 1e5 });
    expect(parse('[1e+', '5')).toEqual([1e5]);
  });

  it('reads a key with an escaped quote', async () => {
    const text = '{"say \\"x:y\\"":"hello';
    expect((await parsePartialJson(text)).value).toBeUndefined();
    expect(parse(text)).toEqual({ 'say "x:y"': 'hello' });
  });

  it('keeps __proto__ and constructor as own properties, and pollutes nothing', async () => {
    const text = '{"__proto__":{"polluted":1,"list":[1]},"constructor":{"prototype":{"polluted":1}},"toString":"s"}';
    expect((await parsePartialJson(text)).value).toBeUndefined();
    const parser = new PartialJson();
    for (const char of text) {
      parser.push(char);
      expect(Object.getPrototypeOf(parser.value)).toBe(Object.prototype);
    }
    deepStrictEqual(parser.value, JSON.parse(text));
    expect(Object.keys(parser.value as object)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('split text', () => {
  it('joins split surrogates, escapes, literals and numbers', () => {
    expect(parse('"\ud83d', '\ude00"')).toBe('😀');
    expect(parse('"\\ud8', '3d\\', 'ude', '00"')).toBe('😀');
    expect(parse('"\\', 'n\\', '"', 'x')).toBe('\n"x');
    expect(parse('[t', 'r', 'ue, -', '1', '.', '5', 'e', '-', '1]')).toEqual([true, -0.15]);
  });

  it('has no value before the text contains one', () => {
    expect(new PartialJson().value).toBeUndefined();
    expect(parse('')).toBeUndefined();
    expect(parse('  ')).toBeUndefined();
    expect(parse('"')).toBe('');
  });

  it('has no value after invalid text, but keeps the text', () => {
    const parser = new PartialJson();
    parser.push('{"a":[1,2');
    const before = parser.value;
    parser.push('x!"b":{');
    expect(parser.value).toBeUndefined();
    parser.push('}]}');
    expect(parser.value).toBeUndefined();
    expect(parser.text).toBe('{"a":[1,2x!"b":{}]}');
    expect(before).toEqual({ a: [1, 2] });
  });

  it('returns the text itself with inputEncoding text', () => {
    const parser = new PartialJson({ inputEncoding: 'text' });
    expect(parser.value).toBeUndefined();
    parser.push('{"a":');
    expect(parser.value).toBe('{"a":');
    parser.push(' not JSON');
    expect(parser.value).toBe('{"a": not JSON');
    expect(parser.text).toBe('{"a": not JSON');
  });
});

describe('structural sharing', () => {
  it('keeps closed subtrees, and the whole value if nothing visible changes', () => {
    const parser = new PartialJson();
    parser.push('{"done":{"x":[1,2]},"open":{"list":[{"y":1}');
    const first = parser.value as { done: object; open: { list: object[] } };
    parser.push(' , ');
    expect(parser.value).toBe(first);
    parser.push('{"z":"a');
    const second = parser.value as typeof first;
    expect(first).toEqual({ done: { x: [1, 2] }, open: { list: [{ y: 1 }] } });
    expect(second).toEqual({ done: { x: [1, 2] }, open: { list: [{ y: 1 }, { z: 'a' }] } });
    expect(second).not.toBe(first);
    expect(second.open).not.toBe(first.open);
    expect(second.done).toBe(first.done);
    expect(second.open.list[0]).toBe(first.open.list[0]);
    parser.push('"} , ');
    expect(parser.value).toBe(second);
    expect(parser.value).toBe(parser.value);
  });

  it('copies an open array only once between two reads', () => {
    const parser = new PartialJson();
    parser.push('{"a":[');
    const first = parser.value as { a: unknown[] };
    parser.push('1');
    const second = parser.value as { a: unknown[] };
    expect(second.a).not.toBe(first.a);
    const slice = Array.prototype.slice;
    let copies = 0;
    Array.prototype.slice = function (this: unknown[], ...bounds: [number?, number?]) {
      copies++;
      return slice.apply(this, bounds);
    };
    try {
      for (let i = 0; i < 100; i++) parser.push(`,${i}`);
    } finally {
      Object.defineProperty(Array.prototype, 'slice', {
        value: slice,
        writable: true,
        configurable: true,
        enumerable: false,
      });
    }
    expect(copies).toBe(1);
    expect((parser.value as { a: unknown[] }).a).toHaveLength(101);
    expect(second.a).toEqual([1]);
  });
});

describe('cost', () => {
  /** Counts the characters that are read, and fails if a string longer than a delta is ever searched or sliced. */
  function count(deltas: readonly string[], read: boolean): number {
    const { charAt, charCodeAt, slice } = String.prototype;
    const longest = Math.max(...deltas.map((delta) => delta.length));
    let looks = 0;
    let tooLong = 0;
    const watch = <A extends unknown[], R>(method: (...args: A) => R) =>
      function (this: string, ...args: A): R {
        looks++;
        if (this.length > longest) tooLong++;
        return method.apply(this, args);
      };
    const parser = new PartialJson();
    String.prototype.charAt = watch(charAt);
    String.prototype.charCodeAt = watch(charCodeAt);
    String.prototype.slice = watch(slice);
    try {
      for (const delta of deltas) {
        parser.push(delta);
        if (read) void parser.value;
      }
    } finally {
      Object.assign(String.prototype, { charAt, charCodeAt, slice });
      for (const name of ['charAt', 'charCodeAt', 'slice']) {
        Object.defineProperty(String.prototype, name, { enumerable: false });
      }
    }
    expect(tooLong).toBe(0);
    return looks;
  }

  const document = (length: number): string =>
    JSON.stringify({ path: 'a.ts', edits: [{ line: 1, keep: true }], content: 'x "quoted"\n'.repeat(length / 10) });

  it.each([false, true])('reads each character a constant number of times (with reads of the value: %s)', (read) => {
    for (const length of [1000, 10_000, 100_000]) {
      const text = document(length);
      const deltas = text.match(/[^]{1,16}/g) as string[];
      expect(count(deltas, read)).toBeLessThan(4 * text.length);
    }
  });

  it('supports 100,000 levels, whole and in pieces', () => {
    const depth = 100_000;
    for (const open of ['[', '{"a":']) {
      const close = open === '[' ? ']' : '}';
      const parser = new PartialJson();
      for (let i = 0; i < depth; i++) parser.push(open);
      parser.push('7');
      parser.push(close.repeat(depth));
      let value = parser.value as Record<string, unknown>;
      for (let i = 0; i < depth; i++) value = (open === '[' ? value[0] : value['a']) as Record<string, unknown>;
      expect(value).toBe(7);
      expect(parse(open.repeat(depth))).toBeTypeOf('object');
    }
  });
});
