/**
 * Functions that read pages of docs/: a block that contains given texts, and the first cells of a table.
 */
import { readFileSync } from 'node:fs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import { blocksOf } from './blocks.js';

/** The text of a page. */
export const page = (name: string): string => readFileSync(at(`docs/${name}.md`), 'utf8');

/** The only fenced block of a page that contains these texts. Throws unless there is exactly one. */
export function block(name: string, ...having: readonly string[]): string {
  const found = blocksOf(`docs/${name}.md`).filter(({ code }) => having.every((text) => code.includes(text)));
  if (found.length !== 1) throw new Error(`docs/${name}.md has ${found.length} blocks with ${having.join(' and ')}`);
  return found[0]?.code as string;
}

/** The code spans in the first column of the tables under a heading: `| \`code\` | …`. */
export function firstCells(name: string, heading: string): string[] {
  const section = page(name)
    .split(/^(?=#+ )/m)
    .find((text) => text.startsWith(heading));
  if (section === undefined) throw new Error(`docs/${name}.md has no heading "${heading}"`);
  return [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) =>
    [...(cell as string).matchAll(/`([^`]+)`/g)].map(([, code]) => code as string),
  );
}
