/**
 * The built entry: it runs on any server and in any page, so it loads nothing of the gate, no WebAssembly and nothing of Node.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { DENIED, MAY_HAVE_RUN } from '../../src/ts/tools/error-results.js';
import { resultText } from '../../src/ts/protocols/shared/result-texts.js';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '../../pkg/dist/server/index.js');

/** The entry and what it imports, as text. */
function loaded(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)].map(([, path]) => path!);
  return [text, ...imports.flatMap((path) => loaded(join(dirname(file), path)))];
}

test('loads no WebAssembly, no Node, and next to nothing of the gate', () => {
  const [own, ...shared] = loaded(entry);
  expect(own).not.toMatch(/["']node:|wasm|process\./i);
  // What it has in common with `toolgate/tools`: how a tool is called, and its input and options checked.
  expect(shared.join('')).not.toMatch(/["']node:|wasm|process\./i);
  expect(shared.join('').length).toBeLessThan(3000);
  expect([...own!.matchAll(/from\s*["']([^"'.][^"']*)["']/g)]).toEqual([]);
});

test('does nothing when it is imported, and needs nothing for it but TextEncoder', () => {
  const source = loaded(entry)
    .join('\n')
    .replace(/import\s*\{[^}]*\}\s*from\s*["'][^"']+["'];?/g, '')
    .replace(/export\s*\{[^}]*\};?/g, '');
  expect(() => runInNewContext(source.replace(/^\/\/# sourceMappingURL.*$/gm, ''), { TextEncoder })).not.toThrow();
});

test('its words are the gate’s', () => {
  expect(DENIED).toBe(resultText({ kind: 'denied' }));
  expect(MAY_HAVE_RUN).toBe(resultText({ kind: 'interrupted', mayHaveRun: true }));
});
