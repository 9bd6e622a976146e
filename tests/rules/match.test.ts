/** Which calls a rule decides. What is not known to be within its limits does not match. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeLimits, matchRule, type ApprovalRule, type Limit, type Limits } from 'toolgate/rules';

const rule = (limits: Limits, more: object = {}): ApprovalRule => ({
  ...{ id: 'r', toolName: 'pay', approved: true, limits },
  ...more,
});
const matches = (limits: Limits, input: unknown, more: object = {}): boolean =>
  matchRule(rule(limits, more), { toolName: 'pay', input }, 1_000);

const LIMITS: Limits = {
  to: { kind: 'one-of', values: ['ann', 'bob'] },
  amount: { kind: 'range', min: 0, max: 50 },
  note: { kind: 'any' },
};

test('a call whose fields are all within their limits matches', () => {
  expect(matches(LIMITS, { to: 'ann', amount: 50, note: { deep: [1, null, 'x', true] } })).toBe(true);
  expect(matches(LIMITS, { to: 'bob', amount: 0 }), 'a field for which anything goes may be missing').toBe(true);
  expect(matches({}, {}), 'no field').toBe(true);
});

test.each<[string, unknown]>([
  ['another value', { to: 'eve', amount: 5 }],
  ['above the range', { to: 'ann', amount: 50.01 }],
  ['below the range', { to: 'ann', amount: -1 }],
  ['a field without a limit', { to: 'ann', amount: 5, currency: 'BTC' }],
  ['a missing field', { to: 'ann' }],
  ['a name of another case', { to: 'ann', Amount: 5 }],
  ['an own `constructor`', { to: 'ann', amount: 5, constructor: 1 }],
  ['an own `__proto__`', JSON.parse('{"to":"ann","amount":5,"__proto__":{"x":1}}')],
  ['a symbol', { to: 'ann', amount: 5, [Symbol('x')]: 1 }],
  ['a list', ['ann', 5]],
  ['a string', 'ann'],
  ['null', null],
  ['nothing', undefined],
])('the user is asked: %s', (_, input) => {
  expect(matches(LIMITS, input)).toBe(false);
});

test.each([
  ['5'],
  ['5 '],
  [NaN],
  [Infinity],
  [5n],
  [[5]],
  [null],
  [true],
  [new Number(5)],
  [{ valueOf: () => 5 }],
  [undefined],
])('only a number is in a range: %s', (amount) => {
  expect(matches({ amount: { kind: 'range', min: 0, max: 50 } }, { amount })).toBe(false);
});

test('a value equals only itself, of the same type', () => {
  const values = [0, 1, '0', '1', '', null, true, false, 'true', 'null', -0];
  for (const value of values) {
    // JSON cannot say whether 0 is negative.
    if (Object.is(value, -0)) continue;
    for (const other of [...values, undefined, NaN, [value], { value }])
      expect(matches({ it: { kind: 'equals', value } }, { it: other }), `${value} ${String(other)}`).toBe(
        Object.is(value, other),
      );
  }
});

test('what JSON cannot have written is not read: no getter runs', () => {
  let reads = 0;
  const spy = (): unknown => (reads++, 'ann');
  const getter = Object.defineProperty({ amount: 5 }, 'to', { get: spy, enumerable: true });
  const hidden = Object.defineProperty({ to: 'ann', amount: 5 }, 'more', { value: 1 });
  const alsoHidden = Object.defineProperty({ to: 'ann', amount: 5 }, 'note', { value: 1 });
  class Payment {
    to = 'ann';
    amount = 5;
  }
  const inherited = Object.create({ to: 'ann', amount: 5 }) as object;
  const trap = new Proxy({}, { ownKeys: () => ['to', 'amount'], get: spy });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const deep = { to: 'ann', amount: 5, note: { x: Object.defineProperty({}, 'y', { get: spy, enumerable: true }) } };
  const others = [new Date(), new Map(), () => 1, Symbol('x'), [, 1], Object.assign([1], { x: 1 }), { toJSON: spy }];
  const notes = others.map((note) => ({ to: 'ann', amount: 5, note }));
  for (const input of [getter, hidden, alsoHidden, new Payment(), inherited, trap, revoked.proxy, deep, ...notes])
    expect(matches(LIMITS, input)).toBe(false);
  expect(reads).toBe(0);
  expect(matches(LIMITS, Object.assign(Object.create(null), { to: 'ann', amount: 5 })), 'no prototype').toBe(true);
  const cycle: Record<string, unknown> = { to: 'ann', amount: 5 };
  cycle['note'] = cycle;
  expect(matches(LIMITS, cycle)).toBe(false);
});

test('lists and objects inside of the input have limits too', () => {
  const limits: Limits = {
    files: { kind: 'each', limit: { kind: 'within', path: 'src' } },
    options: { kind: 'fields', limits: { depth: { kind: 'range', min: 1, max: 3 } } },
  };
  expect(matches(limits, { files: ['src/a', 'src/b/c'], options: { depth: 2 } })).toBe(true);
  expect(matches(limits, { files: [], options: { depth: 2 } })).toBe(true);
  for (const files of [['src/a', 'b'], ['src/a', '../b'], 'src/a', { 0: 'src/a', length: 1 }, [['src/a']], [, 'src/a']])
    expect(matches(limits, { files, options: { depth: 2 } })).toBe(false);
  for (const options of [{ depth: 4 }, { depth: 2, force: true }, {}, [2], null])
    expect(matches(limits, { files: ['src/a'], options })).toBe(false);
});

test('a rule is for one tool, and ends in time', () => {
  const call = { toolName: 'pay', input: {} };
  expect(matchRule(rule({}, { toolName: 'Pay' }), call, 1_000)).toBe(false);
  expect(matchRule(rule({}, { expiresAt: 1_001 }), call, 1_000)).toBe(true);
  expect(matchRule(rule({}, { expiresAt: 1_000 }), call, 1_000)).toBe(false);
  expect(matchRule(rule({}, { expiresAt: 1_001 }), call, NaN), 'a broken clock').toBe(false);
});

test('a rule that denies matches as strictly as one that approves', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('to', 'amount', 'note', 'x'), fc.jsonValue()), (input) => {
      expect(matches(LIMITS, input, { approved: false, reason: 'no' })).toBe(matches(LIMITS, input));
    }),
    { seed: 7 },
  );
});

test.each<[string, unknown]>([
  ['no rule', undefined],
  ['no limits', { ...rule({}), limits: undefined }],
  ['limits as a list', { ...rule({}), limits: [] }],
  ['`approved` as a text', rule({}, { approved: 'yes' })],
  ['an expiry as a text', rule({}, { expiresAt: '2999-01-01' })],
  ['no expiry, as NaN', rule({}, { expiresAt: NaN })],
  ['a field of a newer release', rule({}, { onlyIn: 'this-chat' })],
  ['a kind of a newer release', rule({ note: { kind: 'regex', value: '.*' } as never })],
  ['a kind that every object inherits', rule({ note: { kind: 'constructor' } as never })],
  ['a field of a limit of a newer release', rule({ note: { kind: 'any', except: 'x' } as never })],
  ['a newer kind inside of a list', rule({ note: { kind: 'each', limit: { kind: 'glob' } } as never })],
  ['a limit as a text', rule({ note: 'any' as never })],
  ['a range without an end', rule({ note: { kind: 'range', min: 0 } as never })],
  ['a range to infinity', rule({ note: { kind: 'range', min: 0, max: Infinity } })],
  ['a directory that is not plain', rule({ note: { kind: 'within', path: '/srv/../etc' } })],
  ['a host with a path', rule({ note: { kind: 'host', host: 'example.com/a' } })],
  ['a reason of an approval', rule({}, { reason: 'allow-always' })],
])('a rule that cannot be read decides nothing: %s', (_, broken) => {
  expect(matchRule(broken as ApprovalRule, { toolName: 'pay', input: {} }, 1_000)).toBe(false);
});

test('inputs of any depth and size are answered', () => {
  let deep: unknown = 'x';
  for (let at = 0; at < 100_000; at++) deep = [deep];
  expect(matches({ note: { kind: 'any' } }, { note: deep })).toBe(false);
  expect(matches({ note: { kind: 'any' } }, { note: Array.from({ length: 100_000 }, () => 'x') })).toBe(true);
});

test('no input that differs from the values of a rule matches', () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const limitsOf = (input: Record<string, unknown>): Limits =>
    Object.fromEntries(Object.entries(input).map(([name, value]): [string, Limit] => [name, limitOf(value)]));
  const limitOf = (value: unknown): Limit => {
    if (Array.isArray(value)) return { kind: 'each', limit: value.length > 0 ? limitOf(value[0]) : { kind: 'any' } };
    if (typeof value === 'object' && value !== null)
      return { kind: 'fields', limits: limitsOf(value as Record<string, unknown>) };
    return { kind: 'equals', value: (Object.is(value, -0) ? 0 : value) as string };
  };
  const hasList = (value: unknown): boolean => /[[\]]|-0/.test(JSON.stringify(value));
  const names = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x y');
  fc.assert(
    fc.property(fc.dictionary(names, json), fc.dictionary(names, json), (one, other) => {
      const [first, second] = [one, other].map((input) => JSON.parse(JSON.stringify(input)) as Record<string, unknown>);
      const limits = limitsOf(first!);
      if (hasList(first) || hasList(second)) return;
      expect(matches(limits, first)).toBe(true);
      expect(matches(limits, second)).toBe(sorted(first) === sorted(second));
    }),
    { numRuns: 5_000, seed: 7 },
  );
});

/** The JSON of a value with its keys in order. */
const sorted = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .map(([key, item]) => `${JSON.stringify(key)}:${sorted(item)}`)
        .sort()
        .join()}}`
    : JSON.stringify(value);

test('what a rule allows has a line for each field', () => {
  const limits: Limits = {
    to: { kind: 'equals', value: 'ann' },
    options: { kind: 'fields', limits: { depth: { kind: 'range', min: 1, max: 3 }, 'a.b': { kind: 'any' } } },
    files: { kind: 'each', limit: { kind: 'within', path: 'src' } },
  };
  expect(describeLimits({ limits })).toEqual([
    { field: ['to'], limit: { kind: 'equals', value: 'ann' } },
    { field: ['options', 'depth'], limit: { kind: 'range', min: 1, max: 3 } },
    { field: ['options', 'a.b'], limit: { kind: 'any' } },
    { field: ['files'], limit: { kind: 'each', limit: { kind: 'within', path: 'src' } } },
  ]);
});
