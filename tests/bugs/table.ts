/**
 * The bug table as Markdown, and where it stands in the README.
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

/** The table. Both sides under Toolgate must have yielded the same facts (the test sees to it): one column. */
export function markdown(rows: readonly Row[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const lines = rows.map(({ id, facts }) => {
    const bug = bugs.find((row) => row.id === id)!;
    return `| ${[bug.title, ...facts.slice(0, 3).map((found) => bug.say(found))].map(cell).join(' | ')} |`;
  });
  const head = ['| what the user does | `ai` 6.0.326 | `ai` 7.0.173 | with Toolgate |', '|---|---|---|---|'];
  const queued = bugs.filter(({ expected }) => expected.ai7Queue !== undefined).map(({ title }) => `“${title}”`);
  const note = `Default options. With \`experimental_queue: true\`, \`ai\` 7.0.173 holds messages back in ${queued.length} of these rows (${queued.join(', ')}); the others stay as they are.`;
  return [...head, ...lines, '', note].join('\n');
}
