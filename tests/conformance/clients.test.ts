/**
 * The conformance kit with every client. Results must be those of the committed baselines, and docs/conformance.md must
 * contain the table. `BLESS=1` writes the table, and the baselines too.
 */
import { describe, test } from 'vitest';
import { families } from './adapters/index';
import { runScenarios, scenarios, type Result } from './kit/src/index';
import { expectBaseline } from './support/baselines';

/** The results by family and adapter. */
const all = new Map<string, { name: string; results: readonly Result[] }[]>(families.map(({ name }) => [name, []]));

describe.each(families)('$name', ({ name, adapters }) => {
  test.each(Object.entries(adapters))('%s', async (baseline, adapter) => {
    const results = await runScenarios(adapter, scenarios);
    all.get(name)!.push({ name: adapter.name, results });
    expectBaseline(baseline, results);
  });
});
