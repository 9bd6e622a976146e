/**
 * Shortens a diff to the changed lines with some context. However long the diff is, its short form shows both removed
 * and added lines. Pure functions: layout.ts creates the elements.
 */
import { inCommon, type DiffLine } from './diff.js';
import { truncated } from '../describe/brief.js';
import { pairStart } from './escape-invisible.js';

/** Omitted lines of one kind. */
export interface Gap {
  readonly kind: 'gap';
  readonly of: DiffLine['kind'];
  readonly count: number;
}

/** One row of a rendered diff. */
export type Row = DiffLine | Gap;

/** Unchanged context lines before and after a change. */
const AROUND = 3;
/** Maximum number of rows in the short form. */
const ROWS = 40;
/** Longer runs of removed or added lines are shortened to this many rows. */
const RUN = 12;
/** Maximum characters of a shortened line, and how many of them may precede its first difference. */
const CHARACTERS = 400;
const COMMON = 60;

/** Returns the rows of the short form, or `lines` itself if nothing is omitted. */
export function shortRows(lines: readonly DiffLine[]): readonly Row[] {
  const rows = bothSides(shortRuns(hunks(lines))).map((row, index, all) =>
    shortLine(row, all[index - 1], all[index + 1]),
  );
  return rows.length === lines.length && rows.every((row, index) => row === lines[index]) ? lines : rows;
}

/** The changed lines with their context. A single omitted line is shown instead of a gap. */
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

/** Shortens long runs of removed or added lines, so that the other side remains visible. */
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

/** The first rows. If they contain only one side, the first rows of the other side follow. */
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

/** Shortens a long line to the part that differs from the adjacent line of the other side. */
function shortLine(row: Row, before: Row | undefined, after: Row | undefined): Row {
  if (row.kind === 'gap' || row.text.length <= CHARACTERS) return row;
  const other = row.kind === 'out' ? after : before;
  const isPair = other !== undefined && other.kind === (row.kind === 'out' ? 'in' : 'out');
  const from = isPair ? Math.max(0, inCommon(row.text, (other as DiffLine).text) - COMMON) : 0;
  const rest = from === 0 ? row.text : `…${row.text.slice(pairStart(row.text, from))}`;
  return { kind: row.kind, text: truncated(rest, CHARACTERS) };
}
