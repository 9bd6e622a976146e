/**
 * The bug museum judges what happened: with a stand-in that has the bug fixed in place of the plain chat, it says that
 * the plain chat is right, and with a chat that has the bug in place of the guarded one, that Toolgate is wrong.
 */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Lesson } from '../../www/src/museum/exhibit';
import { bugs, pairOf, runBoth, VERSIONS, type Bug, type Pair } from '../../www/src/museum/run';
import { SideView } from '../../www/src/museum/side';

/** The sentence and the two verdicts that the page shows. */
async function shown(bug: Bug, pair: Pair): Promise<{ lesson: string; verdicts: (boolean | undefined)[] }> {
  const run = await runBoth(bug, pair);
  const verdicts = [run.plain, run.guarded].map((side) => {
    const all = { kind: '', title: '', detail: '', run: side, shown: side.steps.length, isDone: true };
    const page = renderToStaticMarkup(<SideView {...all} />);
    return page.includes('<strong>Right</strong>') ? true : page.includes('<strong>Wrong</strong>') ? false : undefined;
  });
  return { lesson: renderToStaticMarkup(<Lesson bug={bug} run={run} />), verdicts };
}

describe.each(VERSIONS)('ai %i', (version) => {
  const { plain, guarded } = pairOf(version);

  test.each(bugs)('$id: a plain chat with the bug fixed is right', async (bug) => {
    const fixed = await shown(bug, { plain: guarded, guarded });
    expect(fixed.verdicts).toEqual([true, true]);
    expect(fixed.lesson).toContain('Both chats are right here.');
  });

  test.each(bugs)('$id: a guarded chat with the bug is wrong', async (bug) => {
    const isRight = bug.isRight(bug.expected[version === 6 ? 'ai6' : 'ai7']);
    const broken = await shown(bug, { plain, guarded: plain });
    expect(broken.verdicts).toEqual([isRight, isRight]);
    expect(broken.lesson).toContain(isRight ? 'Both chats are right here.' : 'Both chats are wrong.');
    if (isRight) return;
    const swapped = await shown(bug, { plain: guarded, guarded: plain });
    expect(swapped.lesson).toContain('The plain chat is right, and Toolgate is wrong.');
  });
});

test('the plain side is wrong in every row of the table, but for one version of one', () => {
  const right = bugs.filter(({ isRight, expected }) => isRight(expected.ai6) || isRight(expected.ai7));
  expect(right.map(({ id }) => id)).toEqual(['double-click', 'lost-reply']);
});
