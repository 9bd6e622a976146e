/** Records the results of complete runs of `./pkg-scripts/mutate` in tests/mutations/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readSection, writeSection } from './sections.mjs';
import { at, Failure } from './shell.mjs';

const PAGE = 'tests/mutations/README.md';

/**
 * Rewrites the row of the table that has this command.
 *
 * @param {string} command such as `./pkg-scripts/mutate server`
 * @param {{ mutations: number, found: number, began: number }} run `began`: the start time from `Date.now()`
 */
export function record(command, { mutations, found, began }) {
  const text = readFileSync(at(PAGE), 'utf8');
  const row = new RegExp(`^(\\| \`${command}\` \\|[^|]*\\|).*$`, 'm');
  if (!row.test(text)) throw new Failure(`${PAGE} has no row for \`${command}\`: add one to its table.`);
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  writeFileSync(
    at(PAGE),
    text.replace(row, (_, head) => `${head} ${mutations} | ${found} | ${minutes} |`),
  );
}

/**
 * Writes which mutation of each invariant the exploration found.
 *
 * @param {Map<number, { says: string, inputs: number }>} explored by invariant; `inputs`: the length of its
 * counterexample
 */
export function recordExplored(explored) {
  const rows = [...explored]
    .sort(([a], [b]) => a - b)
    .map(([number, { says, inputs }]) => `| ${number} | ${says} | ${inputs} |`);
  const table = ['| invariant | mutation | inputs |', '|---:|---|---:|', ...rows].join('\n');
  writeSection(PAGE, 'explored', table);
}

/** The names of the mutations that the exploration found in the last complete run. Trying them first saves hours. */
export function exploredBefore() {
  return new Set([...readSection(PAGE, 'explored').matchAll(/^\| \d+ \| (.*) \| \d+ \|$/gm)].map(([, says]) => says));
}
