/**
 * Generated sections of committed Markdown files. Tests compare them with the expected text, or write them if
 * `BLESS=1`.
 *
 * A section is between `<!-- name:start -->` and `<!-- name:end -->`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect } from 'vitest';

/** Whether this run writes instead of comparing. */
export const blessing = process.env['BLESS'] === '1';

const root = new URL('../../', import.meta.url);

/** Puts `content` between the markers of `name`; throws if they are missing. */
export function withSection(text: string, name: string, content: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`no ${start} … ${end} in the text`);
  return `${text.slice(0, from + start.length)}\n${content.trim()}\n${text.slice(to)}`;
}

/** Compares a section of a file with the expected content, or writes it. `path` is relative to the repository. */
export function expectSection(path: string, name: string, content: string): void {
  const file = fileURLToPath(new URL(path, root));
  const text = readFileSync(file, 'utf8');
  const wanted = withSection(text, name, content);
  if (blessing) writeFileSync(file, wanted);
  else expect(text).toBe(wanted);
}

/** Compares a whole file with the expected content, or writes it. */
export function expectFile(path: string, content: string): void {
  const file = fileURLToPath(new URL(path, root));
  if (blessing) writeFileSync(file, content);
  else expect(existsSync(file) ? readFileSync(file, 'utf8') : '(no such file)').toBe(content);
}
