/** Writes what whole runs of `./pkg-scripts/mutate` found into tests/mutations.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

const PAGE = 'tests/mutations.md';

/**
 * Rewrites the row of the table that has this command.
 *
 * @param {string} command such as `./pkg-scripts/mutate server`
 * @param {{ mutations: number, found: number, began: number }} run `began`: when, by `Date.now()`
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
