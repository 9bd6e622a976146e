/** The table of docs/benchmarks.md that shows where the time goes. */
import { editsInput, fileInput, inputChunks } from './data.mjs';
import * as ours from './ours.mjs';
import { profile } from './profile.mjs';

const deltas = (make) => inputChunks(make(64 * 1024), 16);
const [file, edits] = [deltas(fileInput), deltas(editsInput)];

/** The profiled subjects, each at one size, and for how many seconds they run if only a part of a round is measured. */
const PROFILED = [
  ['a tool-input delta, one long text of 64 KB', () => ours.streamInput(file)],
  ['a tool-input delta, many small edits of 64 KB', () => ours.streamInput(edits)],
  ['one of 1,000 approvals answered and shown', () => ours.answerFollowed(1_000)],
  ['one of 1,000 approvals answered, sent over a WebSocket and shown', () => ours.sendEach(1_000)],
  ['the next request in a running chat of 10,000 messages', () => ours.nextInRunningChat(10_000), 15],
  ['a chat of 10,000 messages opened', () => ours.openChat(10_000)],
];

/** Profiles the subjects. Returns a table with a row for each, and a column for each group of code. */
export async function profileTable() {
  const rows = [];
  for (const [name, round, seconds] of PROFILED) {
    process.stderr.write(`profile: ${name} …\n`);
    rows.push([name, new Map(await profile(round, seconds))]);
  }
  const sums = new Map();
  for (const [, shares] of rows) for (const [group, share] of shares) sums.set(group, (sums.get(group) ?? 0) + share);
  const groups = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
  const percent = (share = 0) => (share < 0.005 ? '–' : `${Math.round(100 * share)} %`);
  return [
    `| share of the time | ${groups.join(' | ')} |`,
    `|---|${groups.map(() => '---:|').join('')}`,
    ...rows.map(([name, shares]) => `| ${name} | ${groups.map((group) => percent(shares.get(group))).join(' | ')} |`),
  ].join('\n');
}
