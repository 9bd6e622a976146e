/**
 * The conformance kit with every client. Results must be those of the committed baselines, and docs/conformance.md must
 * contain them. `BLESS=1` writes both.
 */
import { describe, expect, test, vi } from 'vitest';
import { families } from './adapters/index';
import { runScenarios, scenarios } from './kit/src/index';
import { expectBaseline, knownOf } from './support/baselines';
import { entriesOf, expectClients, type ClientResults } from './support/page';

const all: ClientResults[] = [];

// assistant-ui prints what the chat refuses.
vi.spyOn(console, 'error').mockImplementation(() => {});

describe.each(families)('$name', (family) => {
  test.each(entriesOf(family))('%s', async (baseline, adapter) => {
    const results = await runScenarios(adapter, scenarios, { known: knownOf(baseline) });
    all.push({ family: family.name, adapter, results });
    expectBaseline(baseline, results);
  });
});

test('docs/conformance.md contains the results', () => {
  expect(all).toHaveLength(families.flatMap(entriesOf).length);
  expectClients(all);
});
