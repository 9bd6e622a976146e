/** A small line diff, for the few lines of a file that have changed. Pure functions, no markup. */

/** One line of a diff. */
export interface DiffLine {
  kind: 'same' | 'out' | 'in';
  text: string;
}

/** Longer texts are shown as one removal and one addition: the table below has a cell for each pair of lines. */
const MOST_LINES = 400;

/** The lines of `before` and `after`. A line that both have in common appears once. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  if (a.length > MOST_LINES || b.length > MOST_LINES) {
    return [...a.map((text) => ({ kind: 'out', text }) as const), ...b.map((text) => ({ kind: 'in', text }) as const)];
  }
  return walk(a, b, commonLengths(a, b));
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

/** `table[i][j]`: length of the longest common subsequence of `a` from line i and `b` from line j. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}

function walk(a: readonly string[], b: readonly string[], table: number[][]): DiffLine[] {
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || table[i + 1]![j]! >= table[i]![j + 1]!)) {
      lines.push({ kind: 'out', text: a[i++]! });
    } else {
      lines.push({ kind: 'in', text: b[j++]! });
    }
  }
  return lines;
}
