/**
 * The registry of www/registry: the real commands `shadcn add`, `shadcn-svelte add` and `shadcn-vue add` install its
 * items into small apps from a server on this machine, which also serves the packed tarball in place of npm's registry.
 * The apps are type-checked and built with Tailwind, and used in a browser by keyboard and pointer.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { serve } from '../../pkg-scripts/lib/serve.mjs';
import { at, run } from '../../pkg-scripts/lib/shell.mjs';
import { SCREENS } from '../lib/screens';
import { inBrowser } from './support/browser.js';
import { withoutTimings, type Project } from './support/project.js';
import { shoot, violations } from '../element-browser/checks.js';
import { decided } from './support/registry-checks.js';
import { useEveryKey, useReason, useReasonOnScreens } from './support/registry-reason.js';
import { useChoice, useDeep, useLost, usePointer, useTouch, useUnseen, useWords } from './support/registry-rules.js';
import { startRegistry } from './support/registry-server.js';
import {
  useDangerous,
  useDeadline,
  useFocus,
  useHostile,
  useList,
  useOthers,
  type Open,
} from './support/registry-use.js';
import { openRig } from './support/rig.js';

let project: Project;
beforeAll(async () => {
  const opened = await openRig('shadcn');
  project = opened;
  return opened.remove;
});

interface App {
  readonly name: string;
  /** The tool, as a file of its package. */
  readonly tool: string;
  readonly items: readonly string[];
  /** The parameters of the addresses to open. */
  readonly shows: readonly string[];
}

const APPS: readonly App[] = [
  {
    name: 'react',
    tool: 'shadcn/dist/index.js',
    items: ['approval-card', 'approvals-list', 'ai-elements-tool', 'ai-elements-confirmation', 'assistant-ui-tool'],
    shows: ['', 'tool', 'confirmation', 'assistant-ui'],
  },
  { name: 'svelte', tool: 'shadcn-svelte/dist/index.mjs', items: ['approvals-list'], shows: [''] },
  { name: 'vue', tool: 'shadcn-vue/dist/index.js', items: ['approvals-list'], shows: [''] },
];

/** Runs the tool in the app's folder. The tools need a newer Node than Toolgate. */
async function install({ name, tool, items }: App): Promise<void> {
  const folder = join(project.folder, name);
  const { url: address, close } = await startRegistry(folder);
  const base = `${address}/r/${name === 'react' ? '' : `${name}/`}`;
  await run(
    runtime('node'),
    [join(project.folder, 'node_modules', tool), 'add', ...items.map((item) => `${base}${item}.json`), '--yes'],
    {
      cwd: folder,
      quiet: true,
      env: {
        REGISTRY_URL: `${address}/r`,
        npm_config_registry: `${address}/npm/`,
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
      },
    },
  ).finally(close);
}

/** Approves with an edit, denies with a reason, and approves: the first two by keyboard alone. */
async function decide(page: Page): Promise<void> {
  // Calls of the earlier turn are before the three.
  const cards = page.locator('[data-status]');
  const before = (await cards.count()) - 3;
  const first = cards.nth(before);
  await first.getByRole('button', { name: /^Edit/ }).focus();
  await page.keyboard.press('Enter');
  const editor = first.getByLabel('Input, as JSON');
  await editor.fill('{ "path": ');
  await first.getByRole('button', { name: /^Approve/ }).press('Enter');
  await first.getByRole('alert').filter({ hasText: 'Not valid JSON' }).waitFor();
  await editor.fill('{ "path": "other.md" }');
  await first.getByRole('button', { name: /^Approve/ }).press('Enter');
  await first.getByText('Approved', { exact: true }).waitFor();
  // The focused button is gone, the focus is not lost.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);

  const second = cards.nth(before + 1);
  await second.getByRole('button', { name: /^Reason/ }).press('Enter');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('keep it');
  await page.keyboard.press('Escape');
  await second.getByRole('button', { name: /^Reason/ }).click();
  expect(await second.locator('input').inputValue()).toBe('keep it');
  await second.locator('input').fill('not before June');
  await page.keyboard.press('Enter');
  await second.getByText('Reason: not before June').waitFor();

  await page
    .getByRole('button', { name: /^Approve: / })
    .last()
    .click();
  expect(await decided(page)).toEqual([
    ['first', true, undefined],
    ['second', false, 'not before June'],
    ['third', true, undefined],
  ]);
  expect(await page.evaluate(() => JSON.stringify(window.gate.outgoing()))).toContain('other.md');
}

/** Installs the items, checks the app's types, builds it, and serves its page. */
async function buildApp(app: App): ReturnType<typeof serve> {
  await install(app);
  const folder = join(project.folder, app.name);
  if (app.name === 'react')
    await run(at('node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], { cwd: folder, quiet: true });
  const vite = join(project.folder, 'node_modules/vite/bin/vite.js');
  const said = await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    quiet: true,
    env: { NODE_ENV: 'production' },
  });
  expect(withoutTimings(said)).toBe('');
  return serve(join(folder, 'dist'));
}

/** Opens the page of an app with the components that `show` names. */
const opener =
  (page: Page, url: string, show: string): Open =>
  async (parameters) => {
    await page.goto(`${url}?show=${show}&${parameters}`);
    await page.locator('[data-status=waiting]').first().waitFor();
  };

describe.each(APPS)('the items for $name', (app) => {
  let url: string;
  beforeAll(async () => {
    const server = await buildApp(app);
    url = server.url;
    return server.close;
  });

  test('decide calls, on each screen', () =>
    inBrowser(async (page) => {
      for (const show of app.shows) {
        const open = opener(page, url, show);
        for (const [colorScheme, width] of SCREENS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await open('');
          await shoot(page, `${app.name}-${show || 'cards'}-${colorScheme}-${width}`);
          expect(await violations(page), `${show} ${colorScheme} ${width}`).toEqual([]);
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
            show,
          ).toBeLessThanOrEqual(0);
          const text = await page.locator('main').innerText();
          expect(text).not.toContain('FOR THE MODEL');
          expect(text).toContain('[U+202E]fdp.exe');
        }
        await decide(page);
        await shoot(page, `${app.name}-${show || 'cards'}-decided`);
      }
    }));

  test.each(app.shows)('show hostile calls whole, in both directions: %s', (show) =>
    inBrowser((page) => useHostile(page, opener(page, url, show), `${app.name}-${show || 'cards'}-hostile`)),
  );

  test.each(app.shows)('keep the focus, whoever decides: %s', (show) =>
    inBrowser((page) => useFocus(page, opener(page, url, show))),
  );

  test('lead by no keys from a reason for denying to an approval', () =>
    inBrowser((page) => useEveryKey(page, (each) => opener(each, url, ''))));

  test('offer only a denial and the way back while its reason is open', () =>
    inBrowser((page) => useReason(page, opener(page, url, ''))));

  test('move nothing when a reason is opened, on each screen', () =>
    inBrowser((page) => useReasonOnScreens(page, opener(page, url, ''), app.name)));

  test('ask before dangerous calls are approved together', () =>
    inBrowser((page) => useDangerous(page, opener(page, url, ''))));

  test('show the time that is left, and give more', () =>
    inBrowser((page) => useDeadline(page, opener(page, url, ''))));

  test('speak another language, and show the focus in forced colours', () =>
    inBrowser((page) => useOthers(page, opener(page, url, ''), app.name)));

  test('ask for the choice that the backend asks for, and skip it nowhere', () =>
    inBrowser((page) => useChoice(page, opener(page, url, ''), app.name)));

  test('say what is dangerous, and confirm in words what lasts', () =>
    inBrowser((page) => useWords(page, opener(page, url, ''), app.name)));

  test('offer to approve all only what was seen', () => inBrowser((page) => useUnseen(page, opener(page, url, ''))));

  test('refuse a press on what has just appeared, and move nothing', () =>
    inBrowser((page) => usePointer(page, opener(page, url, ''))));

  test('say no more about a lost reply than is known', () => inBrowser((page) => useLost(page, opener(page, url, ''))));

  test('show ten thousand nested lists', () => inBrowser((page) => useDeep(page, opener(page, url, ''))));

  test('have controls for fingers', () => inBrowser((page) => useTouch(page, (each) => opener(each, url, ''))));

  test('lead the focus from card to card', () => inBrowser((page) => useList(page, opener(page, url, ''))));
});
