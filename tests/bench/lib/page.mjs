/**
 * The rows of docs/benchmarks.md that need a page: a browser shows pending approvals in React, Svelte and Vue, with the
 * AI SDK's own chat, with ours, and with one in plain JavaScript; and it creates its first chat on a slow CPU. The page
 * (tests/bench/page) is built for production and served from this process; the sides run one after the other.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { compile, compileModule } from 'svelte/compiler';

import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';
import { spread } from './measure.mjs';

const COUNT = 1000;
/** For each row: its figure in a result, and its name. */
const ROWS = [
  ['delta', 'a text delta while 1,000 approvals wait'],
  ['decision', 'one decision of 1,000'],
  ['shown', '1,000 approvals shown, after many renderings'],
];
const SHOWN_FIRST = '1,000 approvals shown, as the first thing on a page';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Compiles Svelte's components, and modules with runes as `@ai-sdk/svelte` ships them. */
const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    const options = (filename) => ({ filename, generate: 'client', dev: false });
    onLoad({ filter: /\.svelte$/ }, ({ path: file }) => ({
      contents: compile(readFileSync(file, 'utf8'), options(file)).js.code,
    }));
    onLoad({ filter: /\.svelte\.js$/ }, ({ path: file }) => ({
      contents: compileModule(readFileSync(file, 'utf8'), options(file)).js.code,
    }));
  },
};

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [path('page/main.js'), path('page/start.js')],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['svelte', 'production'],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [svelte],
    outdir: '/',
    write: false,
    logLevel: 'error',
  });
  return outputFiles;
}

/** The size of the scenario for each side. It is smaller for the AI SDK, which needs milliseconds for each delta. */
const SIZES = {
  theirs: { count: COUNT, deltas: 30, decisions: 30 },
  plain: { count: COUNT, deltas: 300, decisions: 300 },
  ours: { count: COUNT, deltas: 300, decisions: 300 },
  withApprovals: { count: COUNT, deltas: 300, decisions: 300 },
  onlyGuarded: { count: COUNT, deltas: 300, decisions: 300 },
};
/** The rounds whose times count, and those before them, after which all sides' code is compiled. */
const ROUNDS = 7;
const WARM = 12;
/** The number of pages for a time that needs a new page for each round. */
const PAGES = 21;

/** Returns the rows: name, framework, and the spread of each side's ms; `undefined` without Chrome. */
export async function pageRows() {
  const rows = [];
  const isThere = await withPage(async (newPage) => {
    for (const [framework, name] of Object.entries({ react: 'React', svelte: 'Svelte', vue: 'Vue' })) {
      const measure = async (side) => {
        const page = await newPage('/main.js', 'window.bench');
        const results = await played(page, framework, side, SIZES[side]);
        await page.close();
        return results;
      };
      const [peer, plain, ours] = [await measure('theirs'), await measure('plain'), await measure('ours')];
      const add = (rowsOf, label, of) => {
        for (const [row, what] of rowsOf)
          rows.push([what, label, { peer: peer[row], plain: plain[row], ours: of[row] }]);
      };
      add(ROWS, name, ours);
      add(ROWS, `${name}, each card with its approval`, await measure('withApprovals'));
      if (framework === 'react') add(ROWS.slice(0, 2), 'React, only `guard` added', await measure('onlyGuarded'));
      rows.push([SHOWN_FIRST, name, await shownFirst(newPage, framework)]);
    }
    return true;
  });
  return isThere ? rows : undefined;
}

/** The ms in which each side shows the approvals in a new page. The sides take turns. */
async function shownFirst(newPage, framework) {
  const sides = { peer: 'theirs', plain: 'plain', ours: 'ours' };
  const times = { peer: [], plain: [], ours: [] };
  for (let round = 0; round < PAGES; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const page = await newPage('/main.js', 'window.bench');
      const { shown } = await page.evaluate(
        (what) => window.bench(...what),
        [framework, side, { count: COUNT, deltas: 1, decisions: 1 }],
      );
      times[name].push(shown.ms);
      await page.close();
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, spread(list)]));
}

/** How many times slower the CPU is made for the first chat of a page. */
const SLOWED = 4;

/** Returns the ms from the start of a page's script to its first chat or gate; `undefined` without Chrome. */
export function startRow() {
  return withPage(async (newPage) => {
    const result = {};
    for (const side of ['peer', 'ours']) {
      const times = [];
      for (let round = 0; round < 9; round++) {
        const page = await newPage('/start.js', 'window.start');
        const session = await page.context().newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
        times.push(
          await page.evaluate(async (name) => {
            const began = performance.now();
            await window.start(name);
            return performance.now() - began;
          }, side),
        );
        await page.close();
      }
      result[side] = spread(times);
    }
    return result;
  });
}

/**
 * Serves the page and calls `use` with a function `newPage(script, ready)`, which opens a page with this script, in a
 * context without a cache, and waits until the expression `ready` is true. `undefined` without Chrome.
 */
async function withPage(use) {
  const executablePath = findChrome();
  if (!executablePath) return undefined;
  const files = new Map((await bundle()).map(({ path: name, contents }) => [name, ['text/javascript', contents]]));
  files.set('/toolgate.wasm', [
    'application/wasm',
    readFileSync(fileURLToPath(import.meta.resolve('toolgate/toolgate.wasm'))),
  ]);
  for (const script of ['/main.js', '/start.js'])
    files.set(script.replace('.js', '.html'), [
      'text/html',
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`,
    ]);
  const server = createServer((request, response) => {
    const [type, body] = files.get(request.url) ?? ['text/plain', ''];
    // In an isolated page the clock's resolution is 5 µs, otherwise 100 µs.
    const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    response.writeHead(body ? 200 : 404, { 'content-type': type, ...isolated }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: [...chromeFlags(), '--js-flags=--expose-gc'] });
  try {
    return await use(async (script, ready) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.once('close', () => void context.close());
      await page.goto(`http://127.0.0.1:${server.address().port}${script.replace('.js', '.html')}`);
      await page.waitForFunction(ready);
      return page;
    });
  } finally {
    await browser.close();
    server.close();
  }
}

/** Plays the scenario once as a warm-up and then several times. Returns the spread of each figure's ms. */
async function played(page, framework, side, size) {
  const results = [];
  for (let round = 0; round < WARM + ROUNDS; round++) {
    results.push(await page.evaluate((what) => (window.gc?.(), window.bench(...what)), [framework, side, size]));
  }
  return Object.fromEntries(
    Object.keys(results[0]).map((row) => [row, spread(results.slice(WARM).map((result) => result[row].ms))]),
  );
}
