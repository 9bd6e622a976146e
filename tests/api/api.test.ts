/**
 * The public types, as a user's compiler sees them, against the committed copy in api.d.ts. A difference is a change of the
 * public surface: if it is meant, run `BLESS=1 ./pkg-scripts/test unit` and commit the copy with a line in the changelog.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryPoints, reachable } from '../../pkg-scripts/lib/package.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';

const committed = join(import.meta.dirname, 'api.d.ts');

/** Every declaration file once, under the first entry point that leads to it. */
function publicTypes(): string {
  const seen = new Set<string>();
  const sections: string[] = [];
  for (const { name, file } of entryPoints()) {
    sections.push(`// ======== ${name} ========`);
    for (const [path, text] of reachable(at('pkg/dist'), `${file}.d.ts`)) {
      if (seen.has(path)) continue;
      seen.add(path);
      sections.push(`// ---- ${path} ----\n${text.trim()}`);
    }
  }
  return `${sections.join('\n\n')}\n`;
}

test('the public types are those of the committed copy', () => {
  const types = publicTypes();
  if (process.env.BLESS) writeFileSync(committed, types);
  expect(types).toBe(readFileSync(committed, 'utf8'));
});
