/** The results of several adapters as a Markdown table. */
import type { Judged } from './baseline.js';

/** A column: an adapter and its results. */
export interface Column {
  readonly name: string;
  readonly results: readonly Judged[];
}

/** The rows of one kind, under a heading. */
export interface Section {
  readonly name: string;
  readonly rows: readonly { readonly id: string; readonly rule: string }[];
}

const WORDS = { pass: '✓', fail: '**✗**', disputed: 'disputed', skipped: '–' } as const;

/** A table with a row for each rule, and a last row with the number of rules that passed. */
export function markdownTable(sections: readonly Section[], columns: readonly Column[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const cells = (id: string): string[] =>
    columns.map(({ results }) => {
      const found = results.find((result) => result.id === id);
      return found ? WORDS[found.verdict] : '';
    });
  const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
  return [
    row(['rule', 'scenario', ...columns.map(({ name }) => name)]),
    `|${'---|'.repeat(columns.length + 2)}`,
    ...sections.flatMap(({ name, rows }) => [
      row([`**${name}**`, '', ...columns.map(() => '')]),
      ...rows.map(({ id, rule }) => row([rule, `\`${id}\``, ...cells(id)])),
    ]),
    row(['passed', '', ...columns.map(({ results }) => passedOf(results, ids))]),
  ].join('\n');
}

function passedOf(results: readonly Judged[], ids: readonly string[]): string {
  const counted = results.filter(({ id, verdict }) => ids.includes(id) && verdict !== 'skipped');
  return `${counted.filter(({ verdict }) => verdict === 'pass').length} of ${counted.length}`;
}

/** Merges the columns of a family that have equal verdicts. The column of several adapters has all their names. */
export function mergedColumns(columns: readonly (Column & { readonly family: string })[]): Column[] {
  const key = ({ family, results }: { family: string; results: readonly Judged[] }): string =>
    JSON.stringify([family, results.map(({ id, verdict }) => [id, verdict])]);
  const found = new Map<string, { names: string[]; column: Column & { readonly family: string } }>();
  for (const column of columns) {
    const known = found.get(key(column));
    if (known) known.names.push(column.name);
    else found.set(key(column), { names: [column.name], column });
  }
  return [...found.values()].map(({ names, column }) => ({ ...column, name: `${column.family}: ${names.join(', ')}` }));
}
