/**
 * The bug museum judges what happened: with a stand-in that has the bug fixed in place of the plain chat, it says that
 * the plain chat is right, and with a chat that has the bug in place of the guarded one, that Toolgate is wrong.
 */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { Side } from './harness';
import { Lesson } from '../../www/src/museum/exhibit';
import { bugs, pairOf, runBoth, VERSIONS, type Bug, type Run } from '../../www/src/museum/run';
import { SideView } from '../../www/src/museum/side';

/** The sentence and the two verdicts that the page shows. */
function shown(bug: Bug, run: Run): { lesson: string; verdicts: (boolean | undefined)[] } {
  const verdicts = [run.plain, run.guarded].map((side) => {
    const all = { kind: '', title: '', detail: '', run: side, shown: side.steps.length, isDone: true };
    const page = renderToStaticMarkup(<SideView {...all} />);
    return page.includes('<strong>Right</strong>') ? true : page.includes('<strong>Wrong</strong>') ? false : undefined;
  });
  return { lesson: renderToStaticMarkup(<Lesson bug={bug} run={run} />), verdicts };
}

/** The bug with a stand-in: both sides of its exhibit run with the chat of `side`. */
const standIn = (bug: Bug, side: Side): Bug => ({
  ...bug,
  run: ({ watch }) => bug.run({ ...side, ...(watch && { watch }) }),
});

describe.each(VERSIONS)('ai %i', (version) => {
  test.each(bugs)('$id', async (bug) => {
    const pair = pairOf(version);
    const { plain: fixed } = await runBoth(standIn(bug, pair.guarded), pair);
    const { guarded: broken } = await runBoth(standIn(bug, pair.plain), pair);
    const isRight = bug.isRight(bug.expected[version === 6 ? 'ai6' : 'ai7']);

    const bothFixed = shown(bug, { plain: fixed, guarded: fixed });
    expect(bothFixed.verdicts).toEqual([true, true]);
    expect(bothFixed.lesson).toContain('Both chats are right here.');

    const bothBroken = shown(bug, { plain: broken, guarded: broken });
    expect(bothBroken.verdicts).toEqual([isRight, isRight]);
    expect(bothBroken.lesson).toContain(isRight ? 'Both chats are right here.' : 'Both chats are wrong.');

    const swapped = shown(bug, { plain: fixed, guarded: broken });
    expect(swapped.verdicts).toEqual([true, isRight]);
    if (!isRight) expect(swapped.lesson).toContain('The AI SDK alone is right, and Toolgate is wrong.');

    const asIs = shown(bug, { plain: broken, guarded: fixed });
    if (!isRight) expect(asIs.lesson).toContain('The AI SDK alone is wrong.');
  });
});

test('the plain side is wrong in every row of the table, but for one version of one', () => {
  const right = bugs.filter(({ isRight, expected }) => isRight(expected.ai6) || isRight(expected.ai7));
  expect(right.map(({ id }) => id)).toEqual(['lost-reply', 'double-click']);
});
