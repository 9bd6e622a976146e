/**
 * The fenced blocks of the pages: the position and language of each, and whether it is a file of the page's app. The
 * other files of this folder check them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';

/** A fenced block. */
export interface Block {
  /** The page, relative to the repository. */
  readonly page: string;
  /** The page's path below docs/, without its ending: `backends/adk`. */
  readonly name: string;
  /** The line of the page on which the code begins, from 1. */
  readonly line: number;
  readonly lang: string;
  readonly code: string;
  /** The file name of the block, if its first line is a comment with one. */
  readonly file?: string;
}

const FENCE = /^( *)```(\S*) *$/;
const FILE_NAME = /^(?:\/\/|\/\*|<!--|#) ([\w./-]+\.\w+)(?: \*\/| -->)?$/;

/** README.md and all pages of docs/. */
export function pages(): string[] {
  const docs = readdirSync(at('docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  return ['README.md', ...docs.sort().map((file) => `docs/${file}`)];
}

/** The blocks of a page, in order. Throws for a fence that is never closed, and for a file that occurs twice. */
export function blocksOf(page: string, text = readFileSync(at(page), 'utf8')): Block[] {
  const blocks: Block[] = [];
  const files = new Set<string>();
  let open: { indent: number; lang: string; line: number; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line);
    if (!open) {
      if (fence) open = { indent: fence[1]?.length ?? 0, lang: fence[2] ?? '', line: index + 2, code: [] };
      continue;
    }
    if (!fence) {
      open.code.push(line.slice(open.indent));
      continue;
    }
    const file = FILE_NAME.exec(open.code[0] ?? '')?.[1];
    if (file && files.has(file)) throw new Error(`${page}:${open.line}: ${file} occurs twice on this page`);
    if (file) files.add(file);
    const name = page.replace(/^docs\//, '').replace(/\.md$/, '');
    blocks.push({
      page,
      name,
      line: open.line,
      lang: open.lang,
      code: `${open.code.join('\n')}\n`,
      ...(file && { file }),
    });
    open = undefined;
  }
  if (open) throw new Error(`${page}:${open.line - 1}: this block is never closed`);
  return blocks;
}

/** The parent page of a page in a folder: `docs/backends.md` for `docs/backends/adk.md`. Few other pages have one. */
export function parentOf(page: string): string | undefined {
  if (page === 'docs/from-usestream.md') return 'docs/backends/langgraph.md';
  const [, parent] = /^docs\/(.+)\/[^/]+\.md$/.exec(page) ?? [];
  return parent && `docs/${parent}.md`;
}

/** The files of a page's app, by path. A page in a folder also has the files of its parent page. */
export function appOf(page: string): Record<string, string> {
  const parent = parentOf(page);
  const own = Object.fromEntries(blocksOf(page).flatMap(({ file, code }) => (file ? [[file, code]] : [])));
  return { ...(parent && appOf(parent)), ...own };
}
