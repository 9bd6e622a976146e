/**
 * The rows that need a page: a browser shows pending approvals in React, Svelte and Vue, with the AI SDK's chat alone
 * and with Toolgate. The page (tests/bench/page) is built for production and served from this process. Both sides run
 * one after the other.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { compile, compileModule } from 'svelte/compiler';

import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';
import { figure, median } from './measure.mjs';

const COUNT = 1000;
/** The figure of each row in a result, and its name. */
const ROWS = [
  ['delta', 'a text delta while 1,000 approvals wait'],
  ['decision', 'one decision of 1,000'],
  ['shown', '1,000 approvals shown'],
];

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
    entryPoints: [path('page/main.js')],
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

/** The rows of the table: the name, the AI SDK's figure, Toolgate's figure, the ratio. No rows without Chrome. */
export async function pageRows() {
  const rows = [];
  const isThere = await withPage(async (measure) => {
    for (const [framework, name] of Object.entries({ react: 'React', svelte: 'Svelte', vue: 'Vue' })) {
      const theirs = await measure(framework, 'theirs', { count: COUNT, deltas: 30, decisions: 30 }, 5);
      const size = { count: COUNT, deltas: 300, decisions: 300 };
      const sides = [
        [name, 'ours', ROWS],
        ...(framework === 'react' ? [[`${name}, only \`guard\` added`, 'guarded', ROWS.slice(0, 2)]] : []),
      ];
      for (const [where, side, wanted] of sides) {
        const ours = await measure(framework, side, size, 5);
        const told = ({ ms, parts }) => `${figure(ms)} ms (${figure(parts)})`;
        for (const [row, what] of wanted) {
          rows.push([
            `${what}; ${where}`,
            told(theirs[row]),
            told(ours[row]),
            `${figure(theirs[row].ms / ours[row].ms)}×`,
          ]);
        }
      }
    }
    return true;
  });
  return isThere ? rows : undefined;
}

/**
 * Opens the page and calls `use` with a function `measure(framework, side, size, rounds)`, which plays the scenario
 * once as a warm-up and then `rounds` times, and returns the median of each figure. `undefined` without Chrome.
 */
async function withPage(use) {
  const executablePath = findChrome();
  if (!executablePath) return undefined;
  const files = new Map((await bundle()).map(({ path: name, contents }) => [name, ['text/javascript', contents]]));
  files.set('/toolgate.wasm', [
    'application/wasm',
    readFileSync(fileURLToPath(import.meta.resolve('toolgate/toolgate.wasm'))),
  ]);
  files.set('/', [
    'text/html',
    '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
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
    const measure = async (...what) => {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.waitForFunction('window.bench');
      const result = await measured(page, ...what);
      await page.close();
      return result;
    };
    return await use(measure);
  } finally {
    await browser.close();
    server.close();
  }
}

async function measured(page, framework, side, size, rounds) {
  const results = [];
  for (let round = 0; round <= rounds; round++) {
    results.push(await page.evaluate((what) => (window.gc?.(), window.bench(...what)), [framework, side, size]));
  }
  const medianOf = (row, figure) => median(results.slice(1).map((result) => result[row][figure]));
  return Object.fromEntries(
    Object.keys(results[0]).map((row) => [row, { ms: medianOf(row, 'ms'), parts: medianOf(row, 'parts') }]),
  );
}
