/**
 * The conformance kit with every server. Results must be those of the committed baselines, and docs/conformance.md must
 * contain them. `BLESS=1` writes both.
 */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { cases, runCases, type CaseResult } from './kit/src/index';
import { expectBaseline } from './support/baselines';
import { expectServers } from './support/page';
import { servers } from './servers/index';

// The servers report each request that they refuse.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const all: { name: string; results: readonly CaseResult[] }[] = [];

describe.each(servers)('$name', ({ name, baseline, start }) => {
  test('has the expected results', async () => {
    const { url, close } = await start();
    try {
      const results = await runCases(url, cases);
      all.push({ name, results });
      expectBaseline(baseline, results);
    } finally {
      await close();
    }
  });
});

test('docs/conformance.md contains the results', () => {
  expect(all).toHaveLength(servers.length);
  expectServers(all);
});
