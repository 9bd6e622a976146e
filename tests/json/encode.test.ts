/**
 * Snapshot values: decoding an encoded value gives exactly that value; unsupported values are refused with their path;
 * values can have any depth.
 */
import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decode, encode } from '../../src/ts/json/encode.js';
import { ToolGateError } from '../../src/ts/types/errors.js';
import { same } from './same.js';

// Thousands of cases can take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function expectSame(a: unknown, b: unknown): void {
  if (!same(a, b)) expect(a).toStrictEqual(b);
  expect(same(a, b)).toBe(true);
}

/** A round trip through JSON text, as in a storage. */
function trip(value: unknown): unknown {
  return decode(JSON.parse(JSON.stringify(encode(value))));
}

function refusal(run: () => unknown): ToolGateError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolGateError);
    return error as ToolGateError;
  }
  throw new Error('expected encode to throw');
}

const values = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: false,
  key: fc.oneof(fc.string(), fc.constantFrom('$', 'v', '__proto__', 'constructor', 'toString', '1', '0', '')),
  values: [
    fc.boolean(),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(undefined, null, NaN, Infinity, -Infinity, -0, 0, '\ud800', '\udc00x', new Date(NaN)),
    fc.bigInt(),
    fc.date(),
    fc.webUrl().map((url) => new URL(url)),
  ],
  maxDepth: 5,
});

describe('exact', () => {
  it('decoding gives the value that was encoded', () => {
    fc.assert(
      fc.property(values, (value) => expectSame(trip(value), value)),
      { numRuns: 3000 },
    );
  });

  it('is plain JSON, which can be converted to text and back', () => {
    fc.assert(
      fc.property(values, (value) => {
        const encoded = encode(value);
        expectSame(JSON.parse(JSON.stringify(encoded)), encoded);
        expectSame(structuredClone(encoded), encoded);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['undefined', undefined],
    ['-0', -0],
    ['a big integer', -(2n ** 200n)],
    ['an invalid date', new Date(NaN)],
    ['a date', new Date(1)],
    ['a URL', new URL('https://example.com/a?b#c')],
    ['an object that looks like a tag', { $: 'undefined' }],
    ['an object that looks like an escaped tag', { $: 'object', v: [['$', { $: 'bigint', v: '1' }]] }],
    ['undefined members', { a: undefined, b: [undefined] }],
    ['key order', { b: 1, a: { $: 0, z: 1, y: 2 }, 10: 1, 9: 2 }],
    ['lone surrogates', { '\ud800': '\udfff' }],
  ])('%s', (_, value) => {
    const result = trip(value);
    expectSame(result, value);
    expect(JSON.stringify(encode(result))).toBe(JSON.stringify(encode(value)));
  });

  it('does not change plain JSON, but shares nothing with it', () => {
    const value = { a: [1, 'x', null, true, { b: {} }], constructor: { prototype: 1 } };
    const encoded = encode(value) as typeof value;
    expectSame(encoded, value);
    expect(encoded).not.toBe(value);
    expect(encoded.a).not.toBe(value.a);
    expect(encoded.a[4]).not.toBe(value.a[4]);
  });

  it('keeps __proto__ an own property, and does not use it in the encoded form', () => {
    const value = JSON.parse('{"a":1,"__proto__":{"polluted":true},"z":2}') as object;
    expect(JSON.stringify(encode(value))).not.toContain('"__proto__":');
    const result = trip(value) as object;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).toEqual(['a', '__proto__', 'z']);
    expect(decode(value)).toHaveProperty('z', 2);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('accepts objects of another realm and without a prototype', () => {
    expectSame(trip(vm.runInNewContext('({ a: [1, { b: new Date(5) }] })')), { a: [1, { b: new Date(5) }] });
    expectSame(trip(Object.assign(Object.create(null) as object, { a: 1 })), { a: 1 });
  });

  it('accepts the same object twice', () => {
    const same = { x: 1 };
    expectSame(trip([same, { same }]), [{ x: 1 }, { same: { x: 1 } }]);
  });
});

describe('refused', () => {
  class Money {
    amount = 1;
  }
  class Later extends Date {}
  const cycle: Record<string, unknown> = { list: [1] };
  (cycle['list'] as unknown[]).push({ back: cycle });

  it.each<[string, unknown, string]>([
    ['a function', { a: [1, { onClick: () => 1 }] }, '$.a[1].onClick'],
    ['a symbol', [Symbol('s')], '$[0]'],
    ['a symbol key', { a: { [Symbol('s')]: 1 } }, '$.a'],
    ['a class instance', { price: new Money() }, '$.price: Money'],
    ['an error', { 'a b': new TypeError('x') }, '$["a b"]: TypeError'],
    ['a subclass of Date', { d: new Later() }, '$.d: Later'],
    ['a Map', { m: new Map() }, '$.m: Map'],
    ['a Set', new Set(), '$: Set'],
    ['binary data', { bytes: new Uint8Array(2) }, '$.bytes: Uint8Array'],
    ['an ArrayBuffer', [[new ArrayBuffer(1)]], '$[0][0]: ArrayBuffer'],
    ['a RegExp', /x/, '$: RegExp'],
    ['a promise', { p: Promise.resolve() }, '$.p: Promise'],
    ['a boxed value', { n: Object(1) as unknown }, '$.n: Number'],
    ['a hole', { list: [1, , 3] }, '$.list'],
    ['a long sparse array', new Array(4_000_000_000), '$'],
    ['an array with extra properties', 'ab'.match(/a/), '$'],
    ['a cycle', cycle, '$.list[1].back: contains itself'],
    [
      'a throwing getter',
      {
        a: {
          get b(): never {
            throw new Error('no');
          },
        },
      },
      '$.a.b: could not be read',
    ],
  ])('%s', (_, value, where) => {
    const error = refusal(() => encode(value));
    expect(error.code).toBe('unserializable');
    expect(error.message).toContain(where);
  });

  it('the path starts with the name that the caller passed, and a long path is shortened', () => {
    expect(refusal(() => encode([() => 1], 'messages[3].parts[2].output')).message).toContain(
      'messages[3].parts[2].output[0]: a function',
    );
    let deep: unknown = Symbol('s');
    for (let i = 0; i < 5000; i++) deep = { ['k'.repeat(500)]: deep };
    const { message } = refusal(() => encode(deep));
    expect(message).toContain('…');
    expect(message.length).toBeLessThan(10_000);
  });
});

describe('depth', () => {
  it.each([10_000, 100_000])('%i levels survive, though JSON.stringify alone would overflow', (depth) => {
    for (const wrap of [
      (value: unknown) => [value],
      (value: unknown) => ({ a: value }),
      (value: unknown) => ({ $: value, b: undefined }),
    ]) {
      let value: unknown = { end: 5n };
      for (let i = 0; i < depth; i++) value = wrap(value);
      let result = trip(value) as Record<string, unknown>;
      for (let i = 0; i < depth; i++) result = (result['a'] ?? result['$'] ?? result[0]) as Record<string, unknown>;
      expect(result).toEqual({ end: 5n });
    }
  });

  it('finds unsupported values at any depth', () => {
    const bottom: unknown[] = [];
    let value: unknown = bottom;
    for (let i = 0; i < 10_000; i++) value = [value];
    bottom.push(value);
    expect(refusal(() => encode(value)).message).toContain('contains itself');
    bottom[0] = new Map();
    expect(refusal(() => encode(value)).message).toContain('Map cannot');
  });
});

describe('damaged snapshots', () => {
  it.each<[unknown, string]>([
    [{ a: { $: 'regexp', v: 'x' } }, '$.a: has an unknown tag "regexp"'],
    [{ $: null }, '$: has an unknown tag null'],
    [{ $: 'bigint', v: 'ten' }, '$: is tagged as bigint'],
    [{ $: 'bigint' }, '$: has an unknown tag'],
    [[{ $: 'url', v: 'nowhere' }], '$[0]: is tagged as url'],
    [{ $: 'date', v: 'today' }, 'unknown tag'],
    [{ $: 'object', v: [[1, 2]] }, 'unknown tag'],
    [{ $: 'json', v: '{' }, 'is tagged as json'],
    [{ $: 'json', v: '{"x":[{"$":"?"}]}' }, '$.x[0]: has an unknown tag'],
    [{ $: 'object', v: [['a', { $: 'what' }]] }, '$.a: has an unknown tag'],
    [{ a: undefined }, '$.a: is not JSON, but of type undefined'],
    [{ a: 1n }, '$.a: is not JSON, but of type bigint'],
  ])('%o', (json, message) => {
    const error = refusal(() => decode(json));
    expect(error.code).toBe('bad-snapshot');
    expect(error.message).toContain(message);
  });

  it('the error has a cause', () => {
    expect(refusal(() => decode({ $: 'url', v: 'nowhere' })).cause).toBeInstanceOf(TypeError);
  });

  it('throws only ToolGateErrors', () => {
    const json = fc.jsonValue({ stringUnit: fc.constantFrom('$', 'v', 'json', 'object', 'a', '"', '{', '}', ':') });
    const tagged = fc.dictionary(
      fc.constantFrom('$', 'v', 'a'),
      fc.oneof(json, fc.constantFrom('json', 'object', 'date', 'url', 'bigint')),
    );
    fc.assert(
      fc.property(fc.oneof(json, tagged, fc.array(tagged)), (value) => {
        try {
          decode(value);
        } catch (error) {
          expect((error as ToolGateError).code).toBe('bad-snapshot');
        }
      }),
      { numRuns: 2000 },
    );
  });
});
