/** `parseRules`: what was stored is read whole, or refused with the place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchRule, parseRules, RulesError, type ApprovalRule } from 'toolgate/rules';
import { inSrc } from './support.js';

/** The code, the index and the message of the error for rules. */
function refusal(stored: unknown): [string, number | undefined, string] {
  try {
    parseRules(stored);
  } catch (error) {
    expect(error).toBeInstanceOf(RulesError);
    const { code, rule, message } = error as RulesError;
    return [code, rule, message];
  }
  throw new Error('not refused');
}

const whole: ApprovalRule = {
  ...{ id: 'all', toolName: 'fetch', approved: false, reason: 'closed', expiresAt: 5, by: 'ann' },
  limits: {
    any: { kind: 'any' },
    equals: { kind: 'equals', value: null },
    'one-of': { kind: 'one-of', values: ['a', 1, true] },
    range: { kind: 'range', min: -1.5, max: 2 },
    within: { kind: 'within', path: '/srv/app' },
    host: { kind: 'host', host: 'example.com:8080' },
    each: { kind: 'each', limit: { kind: 'host', host: '[::1]' } },
    fields: { kind: 'fields', limits: { x: { kind: 'any' } } },
    ...(JSON.parse('{"__proto__":{"kind":"any"}}') as object),
  },
};

test('reads its own JSON, as a text or as a value, and returns a frozen copy', () => {
  const rules = [whole, inSrc()];
  for (const stored of [rules, JSON.stringify(rules), JSON.parse(JSON.stringify(rules))]) {
    const read = parseRules(stored);
    expect(JSON.stringify(read)).toBe(JSON.stringify(rules));
    expect(Object.keys(read[0]!.limits)).toHaveLength(9);
    expect(Object.isFrozen(read) && Object.isFrozen(read[0]) && Object.isFrozen(read[0]!.limits['range'])).toBe(true);
  }
  expect(parseRules('[]')).toEqual([]);
  expect(parseRules([{ ...inSrc(), by: undefined }]), 'what is undefined is absent').toEqual([inSrc()]);
});

test('keeps the rules of a newer release, which decide nothing, and expired ones', () => {
  const stored = [
    inSrc({ id: 'expired', expiresAt: 1 }),
    inSrc({ id: 'kind', limits: { path: { kind: 'glob', pattern: '*' } as never } }),
    { ...inSrc({ id: 'field' }), onlyIn: ['this chat'] },
  ];
  const read = parseRules(JSON.stringify(stored));
  expect(read).toEqual(stored);
  const call = { toolName: 'edit', input: { path: 'src/a' } };
  expect(read.map((rule) => matchRule(rule, call, 0))).toEqual([true, false, false]);
});

test.each<[string, unknown, number | undefined, string]>([
  ['no list', { rules: [] }, undefined, 'list of rules'],
  ['not JSON', '[{', undefined, 'list of rules'],
  ['nothing', undefined, undefined, 'list of rules'],
  ['a rule as a text', [inSrc(), 'x'], 1, '`rule`'],
  ['no id', [{ ...inSrc(), id: undefined }], 0, '`rule.id`'],
  ['an empty name of a tool', [inSrc({ toolName: '' })], 0, '`rule.toolName`'],
  ['no decision', [{ ...inSrc(), approved: undefined }], 0, '`rule.approved`'],
  ['a decision as a text', [inSrc({ approved: 'true' as never })], 0, '`rule.approved`'],
  ['an expiry that is no number', [inSrc({ expiresAt: NaN })], 0, '`rule.expiresAt`'],
  ['a reason to approve', [inSrc({ reason: 'ok' })], 0, '`rule.reason`'],
  ['no limits', [inSrc({ limits: null as never })], 0, '`rule.limits`'],
  ['a limit without a kind', [inSrc({ limits: { a: {} as never } })], 0, '`rule.limits.a`'],
  ['an endless range', [inSrc({ limits: { a: { kind: 'range', min: 0, max: Infinity } } })], 0, '`rule.limits.a.max`'],
  ['a value that JSON lacks', [inSrc({ limits: { a: { kind: 'equals', value: NaN } } })], 0, '`rule.limits.a.value`'],
  ['a value that is a list', [inSrc({ limits: { a: { kind: 'equals', value: [] as never } } })], 0, '.value`'],
  ['a directory with ..', [inSrc({ limits: { a: { kind: 'within', path: 'a/../b' } } })], 0, '`rule.limits.a.path`'],
  ['a host with wildcards', [inSrc({ limits: { a: { kind: 'host', host: '*.example.com' } } })], 0, '.host`'],
  ['a URL as a host', [inSrc({ limits: { a: { kind: 'host', host: 'https://a.example' } } })], 0, '.host`'],
  ['a host in a list', [inSrc({ limits: { a: { kind: 'host', host: ['a.example'] as never } } })], 0, '.host`'],
  ['a host in capitals', [inSrc({ limits: { a: { kind: 'host', host: 'A.example' } } })], 0, '.host`'],
  ['something wrong inside of a list', [inSrc({ limits: { a: { kind: 'each', limit: 1 as never } } })], 0, '.a.limit`'],
  ['a function in a field that it does not know', [{ ...inSrc(), onlyIn: () => true }], 0, '`rule.onlyIn`'],
  ['`toJSON`', [{ ...inSrc(), toJSON: () => inSrc({ limits: {} }) }], 0, '`rule.toJSON`'],
  ['a getter', [Object.defineProperty(inSrc(), 'by', { get: () => 'x', enumerable: true })], 0, '`rule`'],
])('refuses %s, and says where', (_, stored, rule, message) => {
  const [code, at, said] = refusal(stored);
  expect([code, at]).toEqual(['malformed-rules', rule]);
  expect(said).toContain(message);
});

test('refuses two rules with one id, and limits without end', () => {
  expect(refusal([inSrc(), inSrc({ approved: false })]).slice(0, 2)).toEqual(['repeated-rule', 1]);
  let limit: unknown = { kind: 'any' };
  for (let at = 0; at < 5_000; at++) limit = { kind: 'each', limit };
  expect(refusal([inSrc({ limits: { a: limit as never } })])[0]).toBe('malformed-rules');
  let unknown: unknown = 1;
  for (let at = 0; at < 50_000; at++) unknown = [unknown];
  expect(refusal([{ ...inSrc(), unknown }])[0]).toBe('malformed-rules');
});

test('whatever was stored is read, or refused with the typed error; damage makes no rule wider', () => {
  const call = { toolName: 'edit', input: { path: 'docs/a' } };
  const text = JSON.stringify([inSrc()]);
  const damaged = fc
    .tuple(fc.nat(text.length), fc.nat(6), fc.constantFrom('', '"', '{', '}', 'any', '.', '/', ',"x":1', 'null', '../'))
    .map(([at, count, put]) => text.slice(0, at) + put + text.slice(at + count));
  const anything = fc.oneof(
    damaged,
    damaged,
    fc.json(),
    fc.jsonValue(),
    fc.anything({ withMap: true, withDate: true }),
  );
  let read = 0;
  fc.assert(
    fc.property(anything, (stored) => {
      let rules: readonly ApprovalRule[] = [];
      try {
        rules = parseRules(stored);
      } catch (error) {
        expect(error).toBeInstanceOf(RulesError);
        return;
      }
      read++;
      expect(parseRules(JSON.stringify(rules))).toEqual(rules);
      const isWide = /"path":"\.?\/*"|"kind":"any"/.test(JSON.stringify(rules));
      expect(rules.some((rule) => matchRule(rule, call, 0)) && !isWide).toBe(false);
    }),
    { numRuns: 20_000, seed: 7 },
  );
  expect(read).toBeGreaterThan(500);
});
