/**
 * The registry of www/registry: the real commands `shadcn add`, `shadcn-svelte add` and `shadcn-vue add` install its
 * items into small apps from a server on this machine, which also serves the packed tarball in place of npm's registry.
 * The apps are type-checked and built with Tailwind, and used in a browser by keyboard and pointer.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { registryFiles } from '../../pkg-scripts/lib/registry.mjs';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { serve } from '../../pkg-scripts/lib/serve.mjs';
import { at, run } from '../../pkg-scripts/lib/shell.mjs';
import type { ToolGate } from 'toolgate';
import { SCREENS } from '../lib/screens';
import { inBrowser } from './support/browser.js';
import { withoutTimings, type Project } from './support/project.js';
import { openRig } from './support/rig.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const files = registryFiles();

let project: Project;
beforeAll(async () => {
  const opened = await openRig('shadcn');
  project = opened;
  return opened.remove;
});

/** The app's own components that the items name. The apps have them already: the tools skip them or ask. */
const OWN = { name: 'button', type: 'registry:ui', title: 'Button', dependencies: [], registryDependencies: [] };

/** The colours of an app whose style sheet has its own. */
const NONE = { light: {}, dark: {} };
const NO_COLORS = { inlineColors: NONE, cssVars: NONE, inlineColorsTemplate: '', cssVarsTemplate: '' };

/** A server for the registry, for the answers of shadcn's own registries that the tools want, and for npm. */
async function startRegistry(folder: string): Promise<string> {
  const tarball = readFileSync(inject('tarball'));
  const { version } = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')) as { version: string };
  const own = (name: string, path: string): object => ({
    ...OWN,
    name,
    files: [{ path: `ui/${name}.tsx`, type: 'registry:ui', content: readFileSync(join(folder, path), 'utf8') }],
  });
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [, name = ''] = /([^/]+?)(?:\.json)?$/.exec(path) ?? [];
    const text = path.startsWith('/r/') ? files.get(path.slice('/r/'.length)) : undefined;
    const json = (value: unknown): unknown => response.end(JSON.stringify(value));
    response.setHeader('content-type', 'application/json');
    if (text !== undefined) response.end(text);
    else if (path.endsWith('.tgz')) response.end(tarball);
    else if (path === '/npm/toolgate')
      json({
        name: 'toolgate',
        'dist-tags': { latest: version },
        versions: {
          [version]: {
            ...(JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')) as object),
            dist: {
              tarball: `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/toolgate.tgz`,
              shasum: createHash('sha1').update(tarball).digest('hex'),
            },
          },
        },
      });
    else if (path.includes('/colors/')) json(NO_COLORS);
    else if (path.includes('/icons/')) json({});
    else if (path.endsWith('/index.json')) json([{ ...OWN, relativeUrl: 'button.json' }]);
    else if (existsSync(join(folder, `src/components/ui/${name}.tsx`)))
      json(own(name, `src/components/ui/${name}.tsx`));
    else if (name === 'button') json({ ...OWN, files: [] });
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  const address = await startRegistry(folder);
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
  );
}

declare global {
  interface Window {
    gate: ToolGate;
  }
}

/** The decisions of the step: the approval, and an edited input. */
const decided = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    (window.gate.getSnapshot().messages.at(-1)?.parts ?? []).flatMap((part) =>
      'toolCallId' in part ? [[part.toolCallId, part.approval?.approved, part.outcome?.reason]] : [],
    ),
  );

async function violations(page: Page): Promise<string[]> {
  const results = (await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`),
  );
}

/** Writes a picture to the folder that the environment variable `SHOTS` names, if it is set. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
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
  await page.keyboard.type('not before June');
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

test.each(APPS)('the items for $name are installed, compiled, and used in a page', async (app) => {
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
  const server = await serve(join(folder, 'dist'));
  onTestFinished(server.close);
  await inBrowser(async (page) => {
    for (const show of app.shows) {
      for (const [colorScheme, width] of SCREENS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto(`${server.url}?show=${show}`);
        await page
          .getByRole('button', { name: /^Approve: / })
          .first()
          .waitFor();
        await shoot(page, `${app.name}-${show || 'cards'}-${colorScheme}-${width}`);
        expect(await violations(page), `${show} ${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), show).toBeLessThanOrEqual(
          0,
        );
        const text = await page.locator('main').innerText();
        expect(text).not.toContain('FOR THE MODEL');
        expect(text).toContain('[U+202E]fdp.exe');
      }
      await decide(page);
      await shoot(page, `${app.name}-${show || 'cards'}-decided`);
    }
  });
});
