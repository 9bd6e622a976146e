/** What evidence says about the decisions of rules: which rule decided, and who made it. */
import { beforeAll, expect, test } from 'vitest';
import { recordEvidence } from 'toolgate/evidence';
import { applyRules } from 'toolgate/rules';
import { checkEvidence, type EvidenceError } from 'toolgate/server';
import { newKeys, seal } from '../evidence/support';
import { asks, begun, finish, init, inSrc, receive } from './support.js';

beforeAll(() => init());

test('the chain has the rule and who made it; the user’s own decisions have neither', async () => {
  const keys = await newKeys();
  const gate = begun();
  // Before and after the rules: the order does not matter.
  const recorder = recordEvidence(gate, { chatId: 'chat', user: () => 'ada' });
  const byRule = { limits: { path: { kind: 'equals', value: 'own' } } } as const;
  let isFirst = true;
  gate.onEvent(({ type }) => {
    if (type !== 'decision' || !isFirst) return;
    isFirst = false;
    gate.respond('ask-c3', { approved: false });
  });
  receive(gate, ...asks('c3', { path: 'docs/a' }));
  applyRules(gate, [inSrc({ by: 'bob' }), inSrc({ id: 'own', ...byRule })]);
  receive(gate, ...asks('c1', { path: 'src/a' }), ...asks('c2', { path: 'own' }));
  finish(gate);
  const evidence = recorder.toJSON();
  const checked = await checkEvidence(await seal(evidence, keys), keys);
  expect(
    checked.map(({ toolCallId, decision, problems }) => [toolCallId, decision?.user, decision?.rule, problems]),
  ).toEqual([
    ['c3', 'ada', undefined, []],
    ['c1', 'bob', 'src', []],
    ['c2', 'ada', 'own', []],
  ]);
  const refused = async (change: object): Promise<string> => {
    const links = evidence.links.map((link) =>
      'rule' in link.entry ? { ...link, entry: { ...link.entry, user: undefined, ...change } } : link,
    );
    const changed = JSON.parse(JSON.stringify({ ...evidence, links })) as typeof evidence;
    return seal(changed, keys).then(
      () => '',
      ({ code }: EvidenceError) => code,
    );
  };
  expect(await refused({ rule: 1 })).toBe('malformed-evidence');
  expect(await refused({ by: 'policy' }), 'a policy has no rule').toBe('malformed-evidence');
  expect(await refused({ rule: 'other' })).toBe('broken-chain');
});
