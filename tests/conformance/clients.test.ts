/**
 * The conformance kit with every client. Results must be those of the committed baselines, and docs/conformance.md must
 * contain the table. `BLESS=1` writes the table, and the baselines too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { blessing, expectFile } from '../lib/markdown-section';
import { families } from './adapters/index';
import { baselineIn, compare, runScenarios, scenarios, type Baseline, type Result } from './kit/src/index';

const root = new URL('../../', import.meta.url);

/** The results by family and adapter. */
const all = new Map<string, { name: string; results: readonly Result[] }[]>(families.map(({ name }) => [name, []]));

describe.each(families)('$name', ({ name, adapters }) => {
  test.each(Object.entries(adapters))('%s', async (baseline, adapter) => {
    const results = await runScenarios(adapter, scenarios);
    all.get(name)!.push({ name: adapter.name, results });
    if (process.env['SHOW']) show(results);
    const path = `tests/conformance/baselines/${baseline}.json`;
    const file = new URL(path, root);
    const known: Baseline = existsSync(file) ? baselineIn(JSON.parse(readFileSync(file, 'utf8'))) : { failures: {} };
    if (blessing) expectFile(path, `${JSON.stringify({ failures: failuresIn(results, known) }, null, 2)}\n`);
    else expect(compare(results, known)).toEqual({ unexpected: [], fixed: [], unknown: [] });
  });
});

function failuresIn(results: readonly Result[], known: Baseline): Record<string, string> {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  return Object.fromEntries(failed.map(({ id, broken }) => [id, known.failures[id] ?? broken[0]!.found]));
}

function show(results: readonly Result[]): void {
  for (const { id, verdict, broken, thrown } of results) {
    if (verdict !== 'pass') console.log(verdict, id, broken.map(({ found }) => found).join(' | '), thrown.join());
  }
}
