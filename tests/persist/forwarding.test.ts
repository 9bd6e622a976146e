/**
 * A forwarded decision contains the digest of the shown input, even if the call has another input now. For an id
 * without an input it contains the digest of the present input. It also contains the shown revision, and says who
 * decided and when.
 */
import { digest } from 'toolgate';
import { expect, test } from 'vitest';
import type { GateInternals } from '../../src/ts/gate/internals.js';
import { encodeForLeader } from '../../src/ts/persist/tabs/action.js';

const env = { now: () => 5 };
const internals = {
  env,
  inputDigest: () => 'that of the present input',
  shownRevision: () => 'the present one',
} as unknown as GateInternals;
const decision = { approved: true };

test('a decision about an older revision keeps it', () => {
  const action = { name: 'respond', args: ['a1', { ...decision, shownRevision: 'old' }] } as unknown as Parameters<
    typeof encodeForLeader
  >[1];
  expect(encodeForLeader(internals, action)).toMatchObject({ args: ['a1', { shownRevision: 'old' }] });
});

test.each([
  ['an input that was shown', [{ input: { path: 'x' } }], digest({ path: 'x' })],
  ['an id without an input', [], 'that of the present input'],
])('a decision about %s', (_, shown, inputDigest) => {
  const decider = { user: 'ada' };
  const action = { name: 'respond', args: ['a1', decision, ...shown], decider } as unknown as Parameters<
    typeof encodeForLeader
  >[1];
  expect(encodeForLeader(internals, action)).toEqual({
    ...{ name: 'respond', args: ['a1', { approved: true, inputDigest, shownRevision: 'the present one' }] },
    decider: { user: 'ada', at: 5 },
  });
});
