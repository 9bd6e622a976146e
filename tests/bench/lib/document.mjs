/** Writes the results of a run into docs/. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SUBJECTS } from './subjects.mjs';

const file = (name) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

/** Replaces the table of docs/benchmarks.md, and its plots. `plot`: makes the plot of subjects in a theme. */
export function writeResults(table, plot) {
  const page = file('benchmarks.md');
  const [start, end] = ['<!-- bench:start -->', '<!-- bench:end -->'];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no ${start} … ${end} in docs/benchmarks.md`);
  writeFileSync(page, `${text.slice(0, from + start.length)}\n${table}\n${text.slice(to)}`);
  writeFileSync(file('benchmarks.svg'), plot(SUBJECTS, 'light'));
  writeFileSync(file('benchmarks-dark.svg'), plot(SUBJECTS, 'dark'));
}
