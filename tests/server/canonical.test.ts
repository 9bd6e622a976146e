/** The one canonical form: what is hashed or signed, in a page and on a server, is RFC 8785 as others write it. */
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalText } from '../../src/ts/json/canonical-text.js';
import { canonical as canonicalOfPage, encode } from '../../src/ts/json/encode.js';
import { hexDigest } from '../../src/ts/json/sha256.js';
import { sha256Hex } from '../../src/ts/json/web-digest.js';
import { canonical } from '../../src/ts/server/resolve/canonical-json.js';

/** JSON values as `JSON.parse` returns them, often with the keys and numbers that need a form of their own. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -0, 1e21, 1e-7, 0.1, 5e-324, 2 ** 53, '', '\ud800', 'é', '\u007f', '$'),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom('$', '__proto__', 'v', '10', '9', 'Z', '\u20ac', '\ufb33', '\u{1f600}'),
            fc.string(),
          ),
          tie('value'),
        ),
        { maxLength: 5 },
      )
      .map((entries) =>
        JSON.parse(`{${entries.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`)}}`),
      ),
  ),
})).value;
/** RFC 8785 has no lone surrogates, and the library refuses them. */
const wellFormed = json.filter((value) => !/\\ud[89a-f]/i.test(JSON.stringify(value)));

test('the canonical text is that of another implementation of RFC 8785', () => {
  fc.assert(
    fc.property(wellFormed, (value) => void expect(canonicalText(value)).toBe(canonicalize(value))),
    { numRuns: 3000 },
  );
});

test('the digests of the page and of a server are about the same text: RFC 8785 of what a snapshot has', () => {
  fc.assert(
    fc.property(json, (value) => void expect(canonical(value)).toBe(canonicalOfPage(value))),
    { numRuns: 3000 },
  );
  expect(canonical(undefined)).toBe(canonicalOfPage(undefined));
  const isFlat = (value: unknown): boolean => !/"\$"|"__proto__"/.test(canonical(value));
  fc.assert(
    fc.property(
      wellFormed.filter((value) => isFlat(value)),
      (value) => void expect(canonicalOfPage(value)).toBe(canonicalize(encode(value))),
    ),
    { numRuns: 1000 },
  );
});

test('both SHA-256 are the same', async () => {
  for (const text of ['', 'é\ud800', 'x'.repeat(100_000)]) expect(await sha256Hex(text)).toBe(hexDigest(text));
});
