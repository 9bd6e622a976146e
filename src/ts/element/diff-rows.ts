/**
 * What of a diff is shown: all of it, or before that the changed lines with a few others around them. However long it
 * is, both what is removed and what is added can be seen at once. Pure functions: layout.ts makes elements of the rows.
 */
import type { DiffLine } from './diff.js';
import { ended, whole } from './visible.js';

/** This many lines that are left out, and of which kind. */
export interface Gap {
  readonly kind: 'gap';
  readonly of: DiffLine['kind'];
  readonly count: number;
}

/** One line of a diff as it is shown. */
export type Row = DiffLine | Gap;

/** Unchanged lines around a change. */
const AROUND = 3;
/** How many rows are shown at first. */
const ROWS = 40;
/** Of so many lines in a row that are all removed, or all added, the first are shown. */
const RUN = 12;
/** What is shown of a line at first, and how much of what it has in common with the other side. */
const CHARACTERS = 400;
const COMMON = 60;

/** The rows that are shown at first; the lines themselves if that is all. */
export function shortRows(lines: readonly DiffLine[]): readonly Row[] {
  const rows = bothSides(shortRuns(hunks(lines))).map((row, index, all) =>
    shortLine(row, all[index - 1], all[index + 1]),
  );
  return rows.length === lines.length && rows.every((row, index) => row === lines[index]) ? lines : rows;
}

/** The changed lines with a few others around them. A gap of one line is no gap. */
function hunks(lines: readonly DiffLine[]): Row[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  });
  const rows: Row[] = [];
  let gap = 0;
  const close = (last: number): void => {
    if (gap > 0) rows.push(gap === 1 ? (lines[last] as DiffLine) : { kind: 'gap', of: 'same', count: gap });
    gap = 0;
  };
  lines.forEach((line, index) => {
    if (!near[index]) return void gap++;
    close(index - 1);
    rows.push(line);
  });
  close(lines.length - 1);
  return rows;
}

/** Long runs of removed or added lines, cut: the other side must not be pushed out of sight. */
function shortRuns(rows: readonly Row[]): Row[] {
  const short: Row[] = [];
  for (let at = 0; at < rows.length;) {
    const { kind } = rows[at] as Row;
    let end = at + 1;
    if (kind === 'out' || kind === 'in') while (rows[end]?.kind === kind) end++;
    if (end - at <= RUN) short.push(...rows.slice(at, end));
    else if (kind === 'out' || kind === 'in')
      short.push(...rows.slice(at, at + RUN - 1), { kind: 'gap', of: kind, count: end - at - RUN + 1 });
    at = end;
  }
  return short;
}

/** The first rows, and where these have one side only, the first of the other. */
function bothSides(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= ROWS) return rows;
  const first = rows.slice(0, ROWS);
  const missing = (['out', 'in'] as const).find(
    (kind) => rows.some((row) => row.kind === kind) && !first.some((row) => row.kind === kind),
  );
  if (!missing) return first;
  const at = rows.findIndex(({ kind }) => kind === missing);
  const head = rows.slice(0, ROWS - RUN - 1);
  const between = rows.slice(head.length, at).reduce((count, row) => count + (row.kind === 'gap' ? row.count : 1), 0);
  return [...head, { kind: 'gap', of: 'same', count: between }, ...rows.slice(at, at + RUN)];
}

/** A long line, cut to where it differs from the one line that it takes the place of. */
function shortLine(row: Row, before: Row | undefined, after: Row | undefined): Row {
  if (row.kind === 'gap' || row.text.length <= CHARACTERS) return row;
  const other = row.kind === 'out' ? after : before;
  const isPair = other !== undefined && other.kind === (row.kind === 'out' ? 'in' : 'out');
  const from = isPair ? Math.max(0, inCommon(row.text, (other as DiffLine).text) - COMMON) : 0;
  const rest = from === 0 ? row.text : `…${row.text.slice(whole(row.text, from))}`;
  return { kind: row.kind, text: ended(rest, CHARACTERS) };
}

function inCommon(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
