/**
 * The bug table as Markdown: all rows for docs/bugs.md, the worst four for the README.
 */
import { bugs } from './cases';
import type { Facts } from './bug';
import { sides } from './harness';

/** The facts of one row, by side, in the order of `sides`. */
export interface Row {
  readonly id: string;
  readonly facts: readonly Facts[];
}

/** Runs every scenario on every side. */
export async function runAll(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const bug of bugs) {
    const facts: Facts[] = [];
    for (const side of sides) facts.push(await bug.run(side));
    rows.push({ id: bug.id, facts });
  }
  return rows;
}

/** The rows that the README shows. */
const WORST: readonly string[] = ['replayed-request', 'message-past-approval', 'lost-reply', 'empty-reply'];

const HEAD: readonly string[] = [
  '| what the user does | `ai` 6.0.326 | `ai` 7.0.173 | with Toolgate |',
  '|---|---|---|---|',
];

/**
 * A row for each scenario in which the three columns differ. Both sides with Toolgate share one column, because a test
 * checks that they have the same facts.
 */
function lines(rows: readonly Row[]): string[] {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return rows.flatMap(({ id, facts }) => {
    const bug = bugs.find((row) => row.id === id)!;
    const found = facts.slice(0, 3).map((side) => bug.say(side));
    return new Set(found).size === 1 ? [] : [`| ${[bug.title, ...found].map(cell).join(' | ')} |`];
  });
}

/** The worst rows, in the order of `WORST`. Throws if one of them is missing. */
export function worst(rows: readonly Row[]): string {
  const chosen = WORST.map((wanted) => {
    const row = rows.find(({ id }) => id === wanted);
    if (!row) throw new Error(`no scenario has the id ${wanted}`);
    return row;
  });
  return [...HEAD, ...lines(chosen)].join('\n');
}

/** The whole table, and a note on the option of version 7 that changes some rows. */
export function markdown(rows: readonly Row[]): string {
  const queued = bugs.filter(({ expected }) => expected.ai7Queue !== undefined).map(({ title }) => `“${title}”`);
  const note = `Default options. With \`experimental_queue: true\`, \`ai\` 7.0.173 holds messages back in ${queued.length} of these rows (${queued.join(', ')}); the others stay as they are.`;
  return [...HEAD, ...lines(rows), '', note].join('\n');
}
