/**
 * The benchmark: compares Toolgate with the AI SDK's own client in one run, in this process and in a page. Prints a
 * Markdown table; `BLESS=1` or `--write` also writes it into docs/benchmarks.md. Run with `node --expose-gc`
 * (./pkg-scripts/bench does) after a build.
 *
 * It only measures: no test depends on these times. ./pkg-scripts/size checks the sizes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

import { init } from 'toolgate';

import { editsInput, fileInput, inputChunks } from './lib/data.mjs';
import { figure, medians } from './lib/measure.mjs';
import * as ours from './lib/ours.mjs';
import { pageRows } from './lib/page.mjs';
import * as peers from './lib/peers.mjs';
import { storeDecisions, storeMessages } from './lib/persisting.mjs';
import { ourSize, peerSize } from './lib/size.mjs';

/** The compression of downloads, as in ./pkg-scripts/size. */
const KB = 1000;
const ratio = (theirs, own) => `${figure(theirs / own)}×`;
const growth = ({ first, last }) => `${figure(first)} → ${figure(last)}`;

const rows = [];
const isBusy = loadavg()[0] > cpus().length;
const say = (text) => process.stderr.write(`${text}\n`);

if (typeof globalThis.gc !== 'function')
  say('the times vary more without garbage collection between rounds: run with node --expose-gc');
await init();

say('sizes …');
const [theirSize, ourSizes] = [await peerSize(), await ourSize()];
rows.push([
  'what a page loads, gzip',
  `${figure(theirSize / KB)} KB`,
  `${figure(ourSizes.total / KB)} KB (wasm ${figure(ourSizes.wasm / KB)}, script ${figure(ourSizes.script / KB)})`,
  ratio(theirSize, ourSizes.total),
]);

for (const [name, make] of [
  ['a file of 64 KB', fileInput],
  ['64 KB of small edits', editsInput],
]) {
  say(`tool input, ${name} …`);
  const chunks = inputChunks(make(64 * 1024), 16);
  const own = await medians(() => ours.streamInput(chunks), 9);
  const theirs = await medians(() => peers.streamInput(chunks), 3);
  rows.push([
    `a tool-input delta and a look at the partial input; ${name} in 16-character deltas`,
    `${figure(theirs.each)} µs (${growth(theirs)})`,
    `${figure(own.each)} µs (${growth(own)})`,
    ratio(theirs.each, own.each),
  ]);
}

say('approvals …');
for (const count of [10, 100, 1000, 5000]) {
  const theirs = await medians(() => peers.answerAll(count), 5);
  for (const [what, act] of [
    ['shown by what follows its call', ours.answerFollowed],
    ['all messages read', ours.answerAll],
  ]) {
    const own = await medians(() => act(count), 15);
    rows.push([
      `one of ${count.toLocaleString('en')} parallel approvals, answered, ${what}`,
      `${figure(theirs.each)} µs (${growth(theirs)})`,
      `${figure(own.each)} µs (${growth(own)})`,
      ratio(theirs.each, own.each),
    ]);
  }
}

say('answers …');
for (const [what, act] of [
  ['one of 100 / 1,000 / 5,000 approvals over a WebSocket, answered, sent and shown', ours.sendEach],
  ['the same, all answered at once and sent by `deliver`', ours.deliverAll],
]) {
  const each = [];
  for (const count of [100, 1000, 5000]) each.push(figure((await medians(() => act(count), 5)).each));
  rows.push([what, 'sends none', `${each.join(' / ')} µs`, '']);
}

say('opening a chat …');
{
  const own = await medians(() => ours.openChat(10_000), 9);
  rows.push(['opening a chat of 10,000 messages: load, view, first request', '', `${figure(own.ms)} ms`, '']);
}

say('next request …');
{
  const own = await medians(() => ours.nextRequest(10_000), 9);
  const theirs = await medians(() => peers.nextRequest(10_000), 9);
  for (const [name, ms] of [
    ['in a running chat', own.warm],
    ['right after loading', own.cold],
  ]) {
    rows.push([
      `the next request after one decision, 10,000 messages, ${name}`,
      `${figure(theirs.ms)} ms`,
      `${figure(ms)} ms`,
      ratio(theirs.ms, ms),
    ]);
  }
}

say('stored decisions …');
for (const messages of [100, 1_000, 10_000]) {
  const own = await medians(() => storeDecisions(messages), 3);
  const theirs = await medians(() => storeMessages(messages), 9);
  for (const [name, ms] of [
    ['one decision stored', own.decision],
    ['its claim stored before the request is sent', own.claim],
  ]) {
    rows.push([
      `${name}, ${messages.toLocaleString('en')} messages`,
      `${figure(theirs.ms)} ms for all messages`,
      `${figure(ms)} ms`,
      ratio(theirs.ms, ms),
    ]);
  }
}

say('1,000 approvals in a page …');
const inPage = await pageRows();
if (inPage) rows.push(...inPage);
else say('Chrome was not found: the rows that need a page are omitted');

const manifest = JSON.parse(readFileSync(new URL('../../node_modules/ai/package.json', import.meta.url), 'utf8'));
const table = [
  `| what | \`ai\` ${manifest.version} | Toolgate | ratio |`,
  '|---|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
  `Medians of several rounds on Node ${process.versions.node}, ${cpus().length} cores; in brackets, the first and the last quarter of the run.` +
    (inPage
      ? ' With a framework: in headless Chromium until it is in the DOM, without layout; in brackets, the parts rendered.'
      : '') +
    (isBusy ? ' The machine had other work to do: compare the ratios, not the times.' : ''),
].join('\n');
console.log(table);

if (process.argv.includes('--write') || process.env.BLESS === '1') {
  const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
  const [start, end] = ['<!-- bench:start -->', '<!-- bench:end -->'];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no ${start} … ${end} in docs/benchmarks.md`);
  writeFileSync(page, `${text.slice(0, from + start.length)}\n${table}\n${text.slice(to)}`);
}
