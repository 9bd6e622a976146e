/**
 * A small number of runs of the soak: see README.md. `./pkg-scripts/soak` runs more of them, and sets `SOAK` to the
 * file for its counts.
 */
import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { addCounts, noCounts, run } from './run.js';

const { SOAK: file, SOAK_RUNS: runs = '200', SOAK_SEED: first = '1', SOAK_REPLAY: isReplay } = process.env;

it(
  `${runs} runs from seed ${first}`,
  async () => {
    const began = Date.now();
    const counts = noCounts();
    const failed: string[] = [];
    for (let seed = Number(first); seed < Number(first) + Number(runs); seed++) {
      const { wrong, trace, plan, counts: more } = await run(seed);
      addCounts(counts, more);
      if (isReplay !== undefined) console.log([JSON.stringify(plan), ...trace].join('\n'));
      if (wrong.length === 0) continue;
      failed.push(
        `seed ${seed} (${plan.kind}${plan.isPersisted ? ', persisted' : ''}, ${plan.checks}): ${wrong.join('; ')}`,
      );
      console.log(`seed ${seed}: ${wrong.join('; ')}\n${trace.slice(-60).join('\n')}`);
    }
    const seconds = (Date.now() - began) / 1_000;
    if (file !== undefined)
      appendFileSync(file, `${JSON.stringify({ first: Number(first), ...counts, seconds, failed })}\n`);
    expect(failed).toEqual([]);
  },
  24 * 3_600_000,
);
