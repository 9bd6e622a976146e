/**
 * The bug museum: every bug of the table runs in the page, on both sides, with the results and the counters that the
 * same scenario has in Node, and with the words of docs/bugs.md.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bugs, pairOf, runBoth, VERSIONS, type SideRun } from '../../www/src/museum/run';
import { ALL_SCREENS } from '../lib/screens';
import { startSite, type Site, type SitePage } from './docs/site';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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
  readonly requests: number;
  readonly ran: number;
  readonly prompt: number;
  readonly isRight: boolean;
  readonly said: string;
}

/** Presses “Run”, and waits until everything is shown. */
async function run(): Promise<void> {
  await tab.page.getByRole('button', { name: /^Run/ }).click();
  await tab.page.locator('.exhibit[data-phase=done]').waitFor();
}

async function shown(kind: string): Promise<Shown> {
  const side = tab.page.locator(`[data-side=${kind}]`);
  const count = async (name: string): Promise<number> =>
    Number(await side.locator(`[data-counter=${name}]`).innerText());
  return {
    requests: await count('requests'),
    ran: await count('ran'),
    prompt: await count('prompt'),
    isRight: (await side.locator('.verdict').getAttribute('data-right')) === 'true',
    said: (await side.locator('[data-said]').getAttribute('data-said'))!,
  };
}

function expected({ steps, isRight, said }: SideRun): Shown {
  const last = steps.at(-1)!;
  return { requests: last.requests, ran: last.ran.length, prompt: last.prompt?.length ?? 0, isRight, said };
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
  test('every bug has the counters of the same run in Node, and the words of the table', async () => {
    tab = await site.open();
    await tab.goBeside(`museum.html?ai=${version}`);
    for (const bug of bugs) {
      await tab.page.getByRole('navigation', { name: 'Bugs' }).getByText(bug.title.replaceAll('`', '')).click();
      await tab.page.locator(`.exhibit[data-bug=${bug.id}]`).waitFor();
      await run();
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

test('the steps appear one by one, with counters that grow; the button shows all of them', async () => {
  tab = await site.open({ reducedMotion: 'no-preference' });
  await tab.goBeside('museum.html?bug=empty-reply');
  await tab.page.getByRole('button', { name: 'Run' }).click();
  const requests = tab.page.locator('[data-side=plain] [data-counter=requests]');
  const seen = new Set<string>();
  for (const until = Date.now() + 20_000; Date.now() < until && seen.size < 4; await tab.page.waitForTimeout(20))
    seen.add(await requests.innerText());
  expect(seen.size).toBe(4);
  await tab.page.getByRole('button', { name: 'Show all' }).click();
  expect(await requests.innerText()).toBe('41');
  expect(await tab.page.getByRole('status').innerText()).toContain('The plain chat is wrong.');
  expect(await tab.page.locator('[data-side=guarded] [data-counter=requests]').innerText()).toBe('2');
});

test('where the plain chat is right, the page says so', async () => {
  tab = await site.open();
  await tab.goBeside('museum.html?bug=lost-reply&ai=7');
  await run();
  expect(await tab.page.getByRole('status').innerText()).toContain('Both chats are right here.');
  await tab.page.getByRole('radio', { name: /ai 6/ }).check();
  await run();
  expect(await tab.page.getByRole('status').innerText()).toContain('The plain chat is wrong.');
  expect(await tab.page.locator('[data-side=plain] [data-counter=ran]').innerText()).toBe('2');
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
  await tabTo('Run');
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
  await tab.page.getByRole('heading', { level: 2, name: 'The reply to an approval is empty' }).waitFor();
  await tab.page.getByRole('link', { name: 'The whole table' }).click();
  await tab.page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(tab.page.url()).pathname).toBe('/docs/bugs.html');
});

test.each(ALL_SCREENS)('axe finds nothing, and nothing is too wide: %s, %i pixels', async (colorScheme, width) => {
  tab = await site.open({ colorScheme, viewport: { width, height: 900 } });
  await tab.goBeside('museum.html?bug=replayed-request');
  const look = async (name: string): Promise<void> => {
    const { violations } = (await tab.page.evaluate(
      `${axe}; axe.run(document, { resultTypes: ['violations'] })`,
    )) as AxeResults;
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${String(target)}`))).toEqual([]);
    const tooWide = await tab.page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.page *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.hidden'))
        .map((element) => `${element.tagName} ${element.className}`),
    );
    expect(tooWide).toEqual([]);
    const folder = process.env['TOOLGATE_SHOTS'];
    if (folder) await tab.page.screenshot({ path: `${folder}/museum-${width}-${colorScheme}-${name}.png` });
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
