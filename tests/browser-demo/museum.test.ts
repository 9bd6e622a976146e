/**
 * The bug museum: every bug of the table runs in the page, on both sides, with the results that the
 * same scenario has in Node, and with the words of docs/bugs.md.
 */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bugs, pairOf, runBoth, VERSIONS, type SideRun } from '../../www/src/museum/run';
import { shoot, tooWide, violations } from '../element-browser/checks';
import { ALL_SCREENS } from '../lib/screens';
import { startSite, type Site, type SitePage } from './docs/site';

const table = readFileSync(new URL('../../docs/bugs.md', import.meta.url), 'utf8');

let site: Site;
let tab: SitePage;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
afterEach(async () => {
  expect(tab.problems).toEqual([]);
  await tab.close();
});

/** What the page shows of a side after a run. */
interface Shown {
  readonly ran: string;
  readonly isRight: boolean;
  readonly said: string;
}

/** Waits until everything is shown: an exhibit runs by itself. */
const run = (): Promise<void> => tab.page.locator('.exhibit[data-phase=done]').waitFor();

async function shown(kind: string): Promise<Shown> {
  const side = tab.page.locator(`[data-side=${kind}]`);
  return {
    ran: await side.locator('[data-ran]').innerText(),
    isRight: (await side.locator('.verdict').getAttribute('data-right')) === 'true',
    said: (await side.locator('[data-said]').getAttribute('data-said'))!,
  };
}

function expected({ steps, isRight, said }: SideRun): Shown {
  const last = steps.at(-1)!;
  return { ran: last.ran.join(', ') || 'none', isRight, said };
}

/** The cells of a bug's row in docs/bugs.md; `undefined` if the table leaves the row out. */
function cells(title: string): string[] | undefined {
  const line = table.split('\n').find((row) => row.startsWith(`| ${title} |`));
  return line
    ?.split(' | ')
    .slice(1)
    .map((cell) => cell.replace(/ \|$/, ''));
}

describe.each(VERSIONS)('ai %i', (version) => {
  test('every bug runs the tools of the same run in Node, and has the words of the table', async () => {
    tab = await site.open();
    await tab.goBeside(`museum.html?ai=${version}`);
    for (const bug of bugs) {
      await tab.page.getByRole('navigation', { name: 'Bugs' }).getByText(bug.title.replaceAll('`', '')).click();
      await tab.page.locator(`.exhibit[data-bug=${bug.id}][data-phase=done]`).waitFor();
      const inNode = await runBoth(bug, pairOf(version));
      const found = { plain: await shown('plain'), guarded: await shown('guarded') };
      expect(found, bug.id).toEqual({ plain: expected(inNode.plain), guarded: expected(inNode.guarded) });
      const row = cells(bug.title);
      if (row) expect([found.plain.said, found.guarded.said], bug.id).toEqual([row[version === 6 ? 0 : 1], row[2]]);
      expect(found.guarded.isRight, bug.id).toBe(true);
      expect(found.plain.isRight, bug.id).toBe(row === undefined || found.plain.said === row[2]);
    }
    expect(bugs.filter(({ title }) => cells(title)).length).toBe(table.match(/^\| [^-w]/gm)!.length);
  }, 240_000);
});

test('the steps appear one by one; the button shows all of them', async () => {
  tab = await site.open({ reducedMotion: 'no-preference' });
  await tab.goBeside('museum.html?bug=empty-reply');
  const steps = tab.page.locator('[data-side=plain] .log li');
  const seen = new Set<number>();
  for (const until = Date.now() + 20_000; Date.now() < until && seen.size < 4; await tab.page.waitForTimeout(20))
    seen.add(await steps.count());
  expect(seen.size).toBe(4);
  await tab.page.getByRole('button', { name: 'Show all' }).click();
  expect(await tab.page.locator('.lesson').innerText()).toContain('The AI SDK alone is wrong.');
  expect(await steps.count()).toBeGreaterThan(40);
  expect(await tab.page.title()).toContain('The reply to an approval is empty');
});

test('the code of a scenario is shown, and copied', async () => {
  tab = await site.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await tab.goBeside('museum.html?bug=lost-reply');
  await run();
  await tab.page.getByText('The scenario as code').click();
  const code = readFileSync(new URL('../bugs/cases/lost-reply.ts', import.meta.url), 'utf8');
  await expect.poll(() => tab.page.locator('.reproduction pre').innerText()).toBe(code);
  await tab.page.getByRole('button', { name: 'Copy' }).click();
  await tab.page.getByText('Copied').waitFor();
  expect(await tab.page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test('where the plain chat is right, the page says so', async () => {
  tab = await site.open();
  await tab.goBeside('museum.html?bug=lost-reply&ai=7');
  await run();
  const lesson = tab.page.locator('.lesson');
  expect(await lesson.innerText()).toContain('Both chats are right here.');
  await tab.page.getByRole('radio', { name: /ai 6/ }).check();
  await lesson.getByText('The AI SDK alone is wrong.').waitFor();
  expect(await tab.page.locator('[data-side=plain] [data-ran]').innerText()).toMatch(/^(\w+#c1), \1$/);
  expect(new URL(tab.page.url()).search).toBe('?bug=lost-reply&ai=6');
});

test('by keyboard: a bug is chosen, run, and read', async () => {
  tab = await site.open();
  await tab.goBeside('museum.html');
  const { page } = tab;
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 60 && (await focused()) !== name; presses++) await page.keyboard.press('Tab');
    expect(await focused()).toBe(name);
  };
  await tabTo('Approve, Stop, then Deny');
  await page.keyboard.press('Enter');
  await page.locator('.exhibit[data-bug=approve-stop-deny][data-phase=done]').waitFor();
  await tabTo('Run again');
  await page.keyboard.press('Enter');
  await page.locator('.exhibit[data-phase=done]').waitFor();
  expect(await focused()).toBe('Run again');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('screen');
});

test('the first page links to the museum, and the museum to the table', async () => {
  tab = await site.open();
  await tab.goBeside('index.html');
  await tab.page.getByRole('navigation').getByRole('link', { name: 'What goes wrong' }).click();
  await tab.page
    .getByRole('heading', { level: 2, name: 'The approval request arrives again after a denial' })
    .waitFor();
  await tab.page.getByRole('link', { name: 'The whole table' }).click();
  await tab.page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(tab.page.url()).pathname).toBe('/docs/bugs.html');
});

test.each(ALL_SCREENS)('axe finds nothing, and nothing is too wide: %s, %i pixels', async (colorScheme, width) => {
  tab = await site.open({ colorScheme, viewport: { width, height: 900 } });
  await tab.goBeside('museum.html?bug=replayed-request');
  const look = async (name: string): Promise<void> => {
    expect(await violations(tab.page)).toEqual([]);
    expect(await tooWide(tab.page, '.page *')).toEqual([]);
    await shoot(tab.page, `museum-${width}-${colorScheme}-${name}`);
  };
  await look('1-before');
  const before = await tab.page.locator('.exhibit').boundingBox();
  await run();
  await look('2-after');
  // The results have their place before the run.
  expect((await tab.page.locator('.exhibit').boundingBox())!.height - before!.height).toBeLessThan(40);
  await tab.page.locator('[data-side=guarded] .verdict').scrollIntoViewIfNeeded();
  await look('3-verdicts');
});
