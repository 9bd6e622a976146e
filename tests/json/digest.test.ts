/**
 * The digest of an input, which a decision contains so that it applies only to the shown input: canonical JSON, hashed
 * with SHA-256.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { canonical, digest } from '../../src/ts/json/digest.js';
import { decode, encode } from '../../src/ts/json/encode.js';
import { freeze } from '../../src/ts/json/freeze.js';
import { sha256 } from '../../src/ts/json/sha256.js';
import { same } from './same.js';

// Thousands of cases can take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const node = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const values = fc.anything({
  withBigInt: true,
  withDate: true,
  key: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('$', '__proto__', '10', '9', 'a', '\ud800')),
});

/** The same value with the keys of every object reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const result = {};
  for (const key of Object.keys(value).reverse()) {
    Object.defineProperty(result, key, {
      value: reversed((value as Record<string, unknown>)[key]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

describe('canonical', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ 10: 1, 9: 2, a: 3 }, '{"10":1,"9":2,"a":3}'],
    [
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    ], // RFC 8785, 3.2.3
    [[333333333.33333329, 1e30, 4.5, 2e-3, 1e-27], '[333333333.3333333,1e+30,4.5,0.002,1e-27]'], // RFC 8785, 3.2.2
    ['\u20ac$\u000f\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [undefined, '{"$":"undefined"}'],
    [{ a: undefined }, '{"a":{"$":"undefined"}}'],
    [-0, '{"$":"-0"}'],
    [5n, '{"$":"bigint","v":"5"}'],
    [{ z: 1, $: 2, a: 3 }, '{"$":"object","v":[["$",2],["a",3],["z",1]]}'],
  ])('%o', (value, text) => expect(canonical(value)).toBe(text));

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonical(reversed(value))).toBe(canonical(value));
      }),
      { numRuns: 1000 },
    );
  });

  it('is equal for equal values, and differs for different ones', () => {
    const small = fc.anything({
      maxDepth: 2,
      key: fc.constantFrom('$', 'v', 'a'),
      values: [
        fc.constantFrom(
          0,
          -0,
          '',
          '0',
          null,
          undefined,
          'undefined',
          '\ud800',
          '\ufffd',
          '\\ud800',
          1n,
          1,
          new Date(1),
          NaN,
        ),
      ],
    });
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(canonical(a) === canonical(b)).toBe(same(a, b, false));
      }),
      { numRuns: 5000 },
    );
  });

  it('supports any depth', () => {
    let value: unknown = 1;
    for (let i = 0; i < 50_000; i++) value = i % 2 ? [value] : { a: value };
    expect(canonical(value)).toHaveLength(25_000 * '{"a":}'.length + 25_000 * '[]'.length + 1);
    expect(digest(value)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('sha256', () => {
  it('equals the SHA-256 of Node for all lengths around the block size', () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
      expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000, size: 'max' }), (bytes) => {
        expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('hashes a megabyte', () => {
    const bytes = new Uint8Array(1_000_000).fill(0x61);
    expect(sha256(bytes)).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'); // FIPS 180-2, B.3
  });
});

describe('digest', () => {
  it('is the SHA-256 of the canonical text, in hex', () => {
    expect(digest('')).toBe(node('""'));
    expect(digest({ path: 'a.ts' })).toBe(node('{"path":"a.ts"}'));
    fc.assert(
      fc.property(values, (value) => {
        expect(digest(value)).toBe(node(canonical(value)));
      }),
      { numRuns: 1000 },
    );
  });

  it('distinguishes lone surrogates, which UTF-8 alone does not', () => {
    const inputs = ['\ud800', '\ud801', '\udc00', '\ufffd', '\\ud800', '\ud83d\ude00', '\ude00\ud83d'];
    const digests = inputs.flatMap((text) => [digest(text), digest({ [text]: 1 })]);
    expect(new Set(digests).size).toBe(2 * inputs.length);
  });

  it('is the same after a value was encoded for a snapshot and decoded', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(digest(decode(JSON.parse(JSON.stringify(encode(value)))))).toBe(digest(value));
      }),
      { numRuns: 500 },
    );
  });

  it('is cached for frozen values only', () => {
    const made = vi.spyOn(TextEncoder.prototype, 'encode');
    const input = { a: [1] };
    const first = digest(input);
    expect(digest(input)).toBe(first);
    expect(made).toHaveBeenCalledTimes(2);
    input.a.push(2);
    expect(digest(input)).not.toBe(first);
    freeze(input);
    const last = digest(input);
    made.mockClear();
    expect(digest(input)).toBe(last);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it('throws for values without a canonical form', () => {
    expect(() => digest({ f: () => 1 })).toThrow(expect.objectContaining({ code: 'unserializable' }));
  });
});
