/** Writes the numbers of a run to README.md of this folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const README = join(import.meta.dirname, 'README.md');

/** The line before the first row. */
const HEAD = '|---|---:|---:|---|\n';

/** Writes the row of a protocol that was played, in place of its earlier one. */
export function writeCount(protocol: string, streams: number, seed: number): void {
  const [before, table] = readFileSync(README, 'utf8').split(HEAD);
  if (before === undefined || table === undefined) throw new Error(`${README} has no table`);
  const rows = new Map(
    table
      .split('\n')
      .filter(Boolean)
      .map((row) => [row.split('|')[1]?.trim() ?? '', row]),
  );
  const day = new Date().toISOString().slice(0, 10);
  rows.set(`\`${protocol}\``, `| \`${protocol}\` | ${streams} | ${seed} | ${day} |`);
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  writeFileSync(README, `${before}${HEAD}${sorted.join('\n')}\n`);
}
