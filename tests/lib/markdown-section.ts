/**
 * Generated sections of committed Markdown files. Tests compare them with the expected text, or write them if
 * `BLESS=1`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { expect } from 'vitest';

import { readSection, writeSection } from '../../pkg-scripts/lib/sections.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';

/** Whether this run writes instead of comparing. */
export const blessing = process.env['BLESS'] === '1';

/** Compares a section of a page with the expected content, or writes it. `page` is relative to the repository. */
export function expectSection(page: string, name: string, content: string): void {
  if (blessing) writeSection(page, name, content.trim());
  else expect(readSection(page, name)).toBe(`\n${content.trim()}\n`);
}

/** Compares a whole file with the expected content, or writes it. */
export function expectFile(path: string, content: string): void {
  const file = at(path);
  if (blessing) writeFileSync(file, content);
  else expect(existsSync(file) ? readFileSync(file, 'utf8') : '(no such file)').toBe(content);
}
