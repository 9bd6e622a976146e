/** Writes the results of a run into docs/. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SUBJECTS } from './subjects.mjs';

const file = (name) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

/** The text above the table. */
const INTRODUCTION = `*Plain JavaScript* is the least that code without a library does for the same result: it trusts every event, checks and
saves nothing, and has no states but "pending" and "answered". It shows how much of the time is unavoidable. The AI SDK
stores nothing by itself: in those rows an app stores all messages as JSON after each change.

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="benchmarks-dark.svg">
  <img src="benchmarks.svg" width="860" alt="The time of each operation for several sizes of a chat, with the AI SDK, Toolgate and plain JavaScript. The table below has the figures.">
</picture>
`;

/** Replaces the tables of docs/benchmarks.md, and its plots. `plot` draws the subjects in a theme. */
export function writeResults(table, profiles, plot) {
  replace('bench', `${INTRODUCTION}\n${table}`);
  replace('profile', profiles);
  writeFileSync(file('benchmarks.svg'), plot(SUBJECTS, 'light'));
  writeFileSync(file('benchmarks-dark.svg'), plot(SUBJECTS, 'dark'));
}

/** Replaces the text between the two comments with this name in docs/benchmarks.md. */
function replace(name, content) {
  const page = file('benchmarks.md');
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no ${start} … ${end} in docs/benchmarks.md`);
  writeFileSync(page, `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`);
}
