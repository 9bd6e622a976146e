/** Writes the results of a run into docs/. */
import { writeFileSync } from 'node:fs';
import { writeSection } from '../../../pkg-scripts/lib/sections.mjs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import { SUBJECTS } from './subjects.mjs';

const PAGE = 'docs/benchmarks.md';

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
  writeSection(PAGE, 'bench', `${INTRODUCTION}\n${table}`);
  writeSection(PAGE, 'profile', profiles);
  writeFileSync(at('docs/benchmarks.svg'), plot(SUBJECTS, 'light'));
  writeFileSync(at('docs/benchmarks-dark.svg'), plot(SUBJECTS, 'dark'));
}
