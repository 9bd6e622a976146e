/** The canonical texts of a server are those of the page and of the AI SDK. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonical as canonicalOfPage } from '../../src/ts/json/encode.js';
import { canonical, canonicalJson } from '../../src/ts/server/resolve/canonical-json.js';

/** JSON values as `JSON.parse` returns them, often with the keys and numbers that need a form of their own. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -0, 1e21, 0.1, '', '\ud800', 'é', '$'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom('$', '__proto__', 'v', 'a', 'b', 'Z', '\u20ac'), tie('value')), { maxLength: 4 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`)}}`),
      ),
  ),
})).value;

test('evidence on a server has the digests of the page', () => {
  fc.assert(
    fc.property(json, (value) => void expect(canonical(value)).toBe(canonicalOfPage(value))),
    { numRuns: 2000 },
  );
  expect(canonical(undefined)).toBe(canonicalOfPage(undefined));
});

test('a signed input without these keys and numbers has the same text in both', () => {
  const plain = json.filter((value) => !/"\$"|"__proto__"/.test(canonical(value)));
  fc.assert(fc.property(plain, (value) => void expect(canonicalJson(value)).toBe(canonical(value))));
});
