/**
 * A small number of runs of the soak in a browser: see ../README.md. `./pkg-scripts/soak browser` runs more of them,
 * and sets `SOAK` to the file for its counts.
 */
import { appendFileSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { addCounts, noCounts } from '../run.js';
import { SoakBackend } from './backend.js';
import { runInBrowser } from './run.js';

const { SOAK: file, SOAK_RUNS: runs = '4', SOAK_SEED: first = '1' } = process.env;

let browser: Browser;
let address: string;
const backend = new SoakBackend();

beforeAll(async () => {
  address = await backend.listen();
  browser = await chromium.launch({
    executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});

afterAll(async () => {
  await browser.close();
  await backend.close();
});

it(
  `${runs} runs from seed ${first}`,
  async () => {
    const failed: string[] = [];
    for (let seed = Number(first); seed < Number(first) + Number(runs); seed++) {
      const began = Date.now();
      const counts = noCounts();
      const { wrong, trace, counts: more } = await runInBrowser(browser, backend, address, seed);
      addCounts(counts, more);
      const seconds = (Date.now() - began) / 1_000;
      const verdict = wrong.length > 0 ? [`seed ${seed}: ${wrong.join('; ')}`] : [];
      if (verdict.length > 0) console.log([...verdict, ...trace].join('\n'));
      if (file !== undefined)
        appendFileSync(file, `${JSON.stringify({ first: seed, ...counts, seconds, failed: verdict })}\n`);
      failed.push(...verdict);
    }
    expect(failed).toEqual([]);
  },
  24 * 3_600_000,
);

it('notices a server that runs each call twice', async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= 10 && !found.some((wrong) => wrong.includes('ran 2 times')); seed++) {
    found.push(...(await runInBrowser(browser, backend, address, seed, 'runs-twice')).wrong);
  }
  expect(found.join('\n')).toContain('ran 2 times');
}, 600_000);
