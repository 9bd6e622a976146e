/**
 * Tests that the judge reports broken rules: in each run of `broken`, a server or a client is wrong in one way on
 * purpose. A correct run has no problems.
 */
import { expect, it } from 'vitest';

import { judge, type Evidence } from './judge.js';
import { run } from './run.js';
import type { Breaks, Plan } from './soak.js';

/** The parameters of all runs: no faults except the deliberate ones. */
const calm: Partial<Plan> = { isHostile: false, steps: 60, callsPageTools: false, onDeny: 'continue' };

const broken: readonly (readonly [name: string, breaks: Breaks, plan: Partial<Plan>, verdict: RegExp])[] = [
  ['a server runs a denied call', { server: 'runs-denied' }, { checks: 'keys' }, /ran without an approval/],
  ['a server runs each call twice', { server: 'runs-twice' }, {}, /ran \d+ times/],
  [
    'a server reports a call as executed that did not run',
    { server: 'claims-output' },
    {},
    /shown as executed, but never ran/,
  ],
  ['a server never ends its replies', { server: 'never-ends' }, {}, /waits endlessly/],
  ['a client sends every request twice', { client: 'sends-twice' }, { checks: 'keys' }, /ran 2 times/],
  ['a client omits results', { client: 'incomplete' }, {}, /no result|refused/],
  ['a client approves what the user denied', { client: 'approves-denied' }, {}, /ran without an approval/],
  ['a client never sends', { client: 'never-sends' }, {}, /waits endlessly/],
];

it.each(broken)('%s', async (_, breaks, plan, verdict) => {
  const found: string[] = [];
  for (let seed = 1; seed <= 40 && !found.some((wrong) => verdict.test(wrong)); seed++) {
    found.push(...(await run(seed, breaks, { ...calm, ...plan })).wrong);
  }
  expect(found.join('\n')).toMatch(verdict);
});

it('a call that ran may be shown as not run only if it was approved without storage', () => {
  const call = { n: 1, tool: 'remove', runs: 1 } as const;
  const part = { type: 'tool-remove', toolCallId: 'call-1', state: 'output-error', outcome: { kind: 'interrupted' } };
  const evidence = {
    ...{ checksRepetitions: true, isPersisted: true, calls: [call], problems: [], said: [], hasReplaced: false },
    given: [{ n: 1, approved: true, isTold: true }],
    shownNotRun: new Set<number>(),
    shown: [{ id: 'A2', view: { messages: [{ id: 'a1', role: 'assistant', parts: [part] }], queued: [] } }],
  } as unknown as Evidence;
  const told = { calls: 0, acts: 0 };
  expect(judge(evidence, told)).toEqual(['call-1 is shown as interrupted, but ran']);
  expect(judge({ ...evidence, unstored: new Set([1]) }, told)).toEqual([]);
  expect(judge({ ...evidence, unstored: new Set([1]), shownNotRun: new Set([1]) }, told)).toEqual([
    'call-1 ran, but a page has shown it as not run',
  ]);
});

it('reports no problems for a correct run', async () => {
  for (let seed = 1; seed <= 10; seed++) expect((await run(seed, {}, calm)).wrong, `seed ${seed}`).toEqual([]);
});

it('a seed repeats its run', async () => {
  const [first, second] = [await run(7), await run(7)];
  expect(second.trace).toEqual(first.trace);
  expect(second.counts).toEqual(first.counts);
  expect(first.trace.length).toBeGreaterThan(50);
});
