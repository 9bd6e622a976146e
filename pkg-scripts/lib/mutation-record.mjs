/** Records the results of complete runs of `./pkg-scripts/mutate` in tests/mutations.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

const PAGE = 'tests/mutations.md';
const BEGIN = '<!-- explored: written by ./pkg-scripts/mutate -->\n';
const END = '<!-- explored: until here -->';

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
  const { before, after } = explorations();
  const rows = [...explored]
    .sort(([a], [b]) => a - b)
    .map(([number, { says, inputs }]) => `| ${number} | ${says} | ${inputs} |`);
  const table = ['| invariant | mutation | inputs |', '|---:|---|---:|', ...rows].join('\n');
  writeFileSync(at(PAGE), `${before}${BEGIN}${table}\n${after}`);
}

/** The names of the mutations that the exploration found in the last complete run. Trying them first saves hours. */
export function exploredBefore() {
  return new Set([...explorations().table.matchAll(/^\| \d+ \| (.*) \| \d+ \|$/gm)].map(([, says]) => says));
}

function explorations() {
  const [before, rest] = readFileSync(at(PAGE), 'utf8').split(BEGIN);
  const end = rest?.indexOf(END) ?? -1;
  if (end < 0)
    throw new Failure(
      `${PAGE} has no place for what the exploration found: the comments around the table are missing.`,
    );
  return { before, table: rest.slice(0, end), after: rest.slice(end) };
}
