/**
 * The bug table (docs/bugs.md) runs some scenarios of the kit too, with a real `streamText`. Both must agree on which
 * client follows the rule. A difference has a reason.
 */
import { describe, expect, test } from 'vitest';
import { bugs } from '../bugs/cases';
import { families } from './adapters/index';
import { baselineOf } from './support/baselines';

/** The scenarios by the bug's id. */
const SAME: Readonly<Record<string, string>> = {
  'double-send': 'double-send',
  'empty-reply': 'empty-reply',
  'denial-into-output': 'denial-before-app-output',
  'replayed-request': 'denial-before-repeated-request',
  'late-output': 'denial-before-late-output',
  'message-after-approve': 'message-right-after-approval',
  'message-past-approval': 'message-after-half-a-step',
  'stop-while-streaming': 'approval-then-stop-then-message',
  'lost-reply': 'lost-reply',
  'earlier-approval': 'earlier-approval',
  'approve-stop-deny': 'stop-then-deny',
  'new-reply-id': 'reply-with-a-new-id',
  'overwritten-output': 'output-after-result',
  'stray-chunk': 'unknown-call',
};

/** By the bug's id: why the bug table demands more than the kit. */
const STRICTER: Readonly<Record<string, string>> = {
  'approve-stop-deny': 'The later Deny must fail with an error. In the kit it must only send nothing.',
};

/** Scenarios that fail or are disputed, by the side of the bug table. */
const BROKEN = Object.fromEntries(
  Object.entries({ ai6: 'ai-6-react', ai7: 'ai-7-react', toolgate: 'ai-7-react-toolgate' }).map(([side, key]) => {
    const adapter = families.flatMap((family) => Object.entries(family.adapters)).find(([name]) => name === key)![1];
    return [side, [...Object.keys(baselineOf(key).failures), ...Object.keys(adapter.disputes ?? {})]];
  }),
);

describe.each(Object.entries(SAME))('%s, in the kit %s', (id, scenario) => {
  const bug = bugs.find((one) => one.id === id)!;
  test.each(['ai6', 'ai7', 'toolgate'] as const)('%s', (side) => {
    const isRight = bug.isRight(bug.expected[side]);
    if (id in STRICTER) expect(isRight && BROKEN[side]!.includes(scenario)).toBe(false);
    else expect(isRight).toBe(!BROKEN[side]!.includes(scenario));
  });
});
