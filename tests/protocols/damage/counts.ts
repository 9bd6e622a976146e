/** Writes the counts of a finished run to tests/fuzz/README.md, as tests/fuzz/counts.rs does for the native targets. */
import { readFileSync, writeFileSync } from 'node:fs';

/** The line before the first row. */
const HEAD = '|---|---:|---:|---:|---:|---:|---:|\n';

/** Writes the row of this run, and replaces a row with the same seed. */
export function writeCounts(
  file: string,
  seed: number,
  { events, whole, cases }: { readonly events: number; readonly whole: number; readonly cases: number },
  minutes: number,
): void {
  const [before, rows] = readFileSync(file, 'utf8').split(HEAD);
  if (before === undefined || rows === undefined) throw new Error(`${file} has no table of counts`);
  const cells = (row: string): string[] => row.split('|').map((cell) => cell.trim());
  const others = rows
    .split('\n')
    .filter((row) => row && !(cells(row)[1] === '`protocols`' && cells(row)[5] === String(seed)));
  const row = `| \`protocols\` | ${events} events | ${whole} | ${cases} | ${seed} | 1 | ${minutes.toFixed(1)} |`;
  const sorted = [...others, row].sort((a, b) => (cells(a)[1] as string).localeCompare(cells(b)[1] as string));
  writeFileSync(file, `${before}${HEAD}${sorted.join('\n')}\n`);
}
