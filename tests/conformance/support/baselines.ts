/** The committed baselines. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { blessing, expectFile } from '../../lib/markdown-section';
import { baselineIn, compare, type Baseline, type Broken, type Judged } from '../kit/src/index';

interface Result extends Judged {
  readonly broken: readonly Broken[];
}

/** A committed baseline; empty if there is none. */
export function baselineOf(name: string): Baseline {
  const file = new URL(`../baselines/${name}.json`, import.meta.url);
  return existsSync(file) ? baselineIn(JSON.parse(readFileSync(file, 'utf8'))) : { failures: {} };
}

/** The ids of failures that are known; none if `BLESS=1`, because then every failure must be confirmed. */
export const knownOf = (name: string): string[] => (blessing ? [] : Object.keys(baselineOf(name).failures));

/** Compares results with a baseline, or writes it if `BLESS=1`. With `SHOW=1`, prints what failed. */
export function expectBaseline(name: string, results: readonly Result[]): void {
  if (process.env['SHOW']) console.log(name, failuresIn(results));
  const path = `tests/conformance/baselines/${name}.json`;
  const known = baselineOf(name);
  if (blessing) return expectFile(path, `${JSON.stringify({ failures: failuresIn(results, known) }, null, 2)}\n`);
  const found = failuresIn(results);
  // A failure that is not expected is shown with what broke.
  const { unexpected, fixed, unknown } = compare(results, known);
  expect({ unexpected: unexpected.map((id) => [id, found[id]]), fixed, unknown }).toEqual({
    unexpected: [],
    fixed: [],
    unknown: [],
  });
}

/** The failures, each with what was found; reasons of the baseline stay. */
function failuresIn(results: readonly Result[], known: Baseline = { failures: {} }): Record<string, string> {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  return Object.fromEntries(failed.map(({ id, broken }) => [id, known.failures[id] ?? broken[0]!.found]));
}
