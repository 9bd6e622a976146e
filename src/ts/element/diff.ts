/**
 * Recognizes inputs of edit tools by their property names, and computes the line diff of the edit. Pure functions:
 * layout.ts creates the elements.
 */

/** The texts before and after an edit, and their property names in the input. */
export interface Edit {
  readonly before: string;
  readonly after: string;
  readonly keys: readonly [before: string, after: string];
}

/** One line of a diff. */
export interface DiffLine {
  readonly kind: 'same' | 'out' | 'in';
  readonly text: string;
}

/** The property names that common agents use for the two texts. */
const PAIRS: readonly (readonly [string, string])[] = [
  ...['_text', 'Text', '_string', 'String', '_str', 'Str'].map((end) => [`old${end}`, `new${end}`] as const),
  ['before', 'after'],
  ['old', 'new'],
];

/**
 * If either text has more lines than this between the first and the last change, common lines are not looked for
 * there: all old lines count as removed, and all new ones as added. The table for the search has old × new entries.
 */
const MOST_LINES = 600;

/** Returns the edit that an input describes, or undefined. */
export function editOf(input: object): Edit | undefined {
  for (const keys of PAIRS) {
    const [before, after] = keys.map((key) =>
      Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined,
    );
    if (typeof before === 'string' && typeof after === 'string') return { before, after, keys };
  }
  return undefined;
}

/** Returns the lines of `before` and `after`, with common lines once. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const most = Math.min(a.length, b.length);
  const head = inCommon(a, b);
  const tail = Math.min(most - head, inCommon([...a].reverse(), [...b].reverse()));
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))];
}

/** How many lines or characters both begin with. */
export function inCommon(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Splits a text after each line feed. A last line with a line feed differs from the same line without one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function between(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length > MOST_LINES || b.length > MOST_LINES) {
    return [...a.map((text) => ({ kind: 'out', text }) as const), ...b.map((text) => ({ kind: 'in', text }) as const)];
  }
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i++] as string });
      j++;
    } else if (i < a.length && (j === b.length || at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push({ kind: 'out', text: a[i++] as string });
    } else {
      lines.push({ kind: 'in', text: b[j++] as string });
    }
  }
  return lines;
}

/**
 * A table for `at(table, i, j)`: the length of the longest common subsequence of `a` from line i and `b` from line j.
 */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const row = table[i] as Uint16Array;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), row[j + 1] as number);
    }
  }
  return table;
}

const at = (table: readonly Uint16Array[], i: number, j: number): number => table[i]?.[j] ?? 0;
