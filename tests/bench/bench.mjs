/**
 * The benchmark: compares Toolgate with the AI SDK's own client and with plain JavaScript in one run, in this process
 * and in a page. Prints Markdown tables; `BLESS=1` or `--write` also puts them and the plots into docs/. Other
 * arguments choose the subjects whose names contain one of them. Run with `node --expose-gc` (./pkg-scripts/bench does)
 * after a build.
 *
 * It only measures: no test depends on a time. ./pkg-scripts/size checks the sizes.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

import { init } from 'toolgate';

import { writeResults } from './lib/document.mjs';
import { figure } from './lib/measure.mjs';
import { memoryUse, watchCore } from './lib/memory.mjs';
import { pageRows, startRow } from './lib/page.mjs';
import { plot } from './lib/plot.mjs';
import { profileTable } from './lib/profile-table.mjs';
import { ourSize, peerSize } from './lib/size.mjs';
import { SUBJECTS } from './lib/subjects.mjs';
import { HEADER, row, rows } from './lib/table.mjs';

/** The unit of downloads, as in ./pkg-scripts/size. */
const KB = 1000;
const say = (text) => process.stderr.write(`${text}\n`);
const [load] = loadavg();
const isBusy = load > cpus().length;
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isWanted = (name) => words.length === 0 || words.some((word) => name.includes(word));
const exactly = (value) => ({ median: value, low: value, high: value });

if (typeof globalThis.gc !== 'function') throw new Error('run node with --expose-gc');
watchCore();
await init();

const table = [
  ...HEADER(JSON.parse(readFileSync(new URL('../../node_modules/ai/package.json', import.meta.url), 'utf8')).version),
];

const subjects = SUBJECTS.filter(({ name }) => isWanted(name));
for (const subject of subjects) {
  for (const point of subject.points) {
    say(`${subject.name}, ${point.label} …`);
    point.measured = await point.measure();
  }
  table.push(...rows(subject));
}

if (isWanted('page')) {
  say('pages …');
  const inPage = await pageRows();
  if (!inPage) say('Chrome was not found: the rows of the page are omitted');
  for (const [what, label, measured] of inPage ?? []) table.push(row(what, label, 'ms', measured));
  const start = await startRow();
  if (start) table.push(row('from the script’s start to the first chat, on a CPU slowed four times', '', 'ms', start));
}

if (isWanted('memory')) {
  say('memory …');
  const { message, chat } = memoryUse();
  const bytes = (sides) =>
    Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, exactly(Math.max(value, 1))]));
  table.push(row('memory beside the messages themselves', 'for each of 10,000', 'B', bytes(message)));
  table.push(row('', 'for each chat', 'B', bytes(chat)));
}

if (isWanted('download')) {
  say('sizes …');
  const [theirs, ours] = [await peerSize(), await ourSize()];
  table.push(row('download, gzip', '', 'KB', { ours: exactly(ours.total / KB), peer: exactly(theirs / KB) }));
}

const text = [
  ...table,
  '',
  `Medians of several rounds, with the middle half of the rounds in brackets, on Node ${process.versions.node}, ${cpus().length} cores` +
    ` (rows of a page: in headless Chromium, until the change is in the DOM, without layout).` +
    (isBusy ? ' The machine had other work to do: compare the ratios, not the times.' : ''),
].join('\n');
console.log(text);

const profiles = isWanted('profile') ? await profileTable() : '';
console.log(`\n${profiles}`);

if (process.argv.includes('--write') || process.env.BLESS === '1') {
  if (words.length > 0) throw new Error('a run of some subjects does not replace the whole table');
  writeResults(text, profiles, plot);
}
say(`load at the start: ${figure(load)}`);
