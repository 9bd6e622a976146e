/** Checks blocks, each by the rules of its language. */
import type { Block } from './blocks.js';
import { svelteErrors, vueErrors } from './components.js';
import { cssErrors, htmlErrors, jsonErrors, scriptsOf, shErrors } from './markup.js';
import { TYPED, typeErrors } from './types.js';

const CHECKS: Record<string, (block: Block, files: readonly string[]) => string[]> = {
  svelte: svelteErrors,
  vue: vueErrors,
  html: htmlErrors,
  css: cssErrors,
  json: jsonErrors,
  sh: shErrors,
  ts: () => [],
  tsx: () => [],
  js: () => [],
  // Shown as a diagram on GitHub, and as a table on the site. The docs contain only one, which tests/host generates and
  // compares.
  mermaid: () => [],
};

/** Returns the problems of the blocks, as `page:line: problem`. Their programs are written to target/`folder`. */
export function errorsIn(blocks: readonly Block[], folder?: string): string[] {
  const errors: string[] = [];
  const typed: Block[] = [];
  for (const block of blocks) {
    const { page, line, lang, file } = block;
    const check = CHECKS[lang];
    if (!check) {
      errors.push(
        `${page}:${line}: ${lang ? `blocks in ${lang} are not checked` : 'a block without a language'}. Expected: ${Object.keys(CHECKS).join(', ')}`,
      );
      continue;
    }
    if (file && !file.endsWith(`.${lang}`)) errors.push(`${page}:${line}: ${file} is not ${lang}`);
    const found = check(
      block,
      blocks.flatMap((other) => (other.page === page && other.file ? [other.file] : [])),
    );
    errors.push(...found);
    // The types of a component that cannot be parsed are not checked.
    if (TYPED.includes(lang) && found.length === 0) typed.push(block);
    if (lang === 'html') typed.push(...scriptsOf(block));
  }
  return [...errors, ...typeErrors(typed, folder)];
}
