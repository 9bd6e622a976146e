/**
 * The built entry runs on any server and in any page, because it loads no gate, no WebAssembly and no module of Node.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { DENIED, MAY_HAVE_RUN } from '../../src/ts/tools/error-results.js';
import { resultText } from '../../src/ts/protocols/shared/result-texts.js';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = join(import.meta.dirname, '../../pkg/dist/server/index.js');

/** The source text of the entry and its imports. */
function loaded(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)].map(([, path]) => path!);
  return [text, ...imports.flatMap((path) => loaded(join(dirname(file), path)))];
}

test('the entry loads no WebAssembly, no Node module, and no gate', () => {
  const [own, ...shared] = loaded(entry);
  expect(own).not.toMatch(/["']node:|wasm|process\./i);
  // Shared with `toolgate/tools`: calling a tool, and validating inputs and options. Shared with `toolgate/evidence`:
  // digests and signatures. A gate has four times as much.
  expect(shared.join('')).not.toMatch(/["']node:|wasm|process\./i);
  expect(shared.join('').length).toBeLessThan(16_000);
  expect([...own!.matchAll(/from\s*["']([^"'.][^"']*)["']/g)]).toEqual([]);
});

test('importing the entry has no side effects and needs only TextEncoder', () => {
  const source = loaded(entry)
    .join('\n')
    .replace(/import\s*\{[^}]*\}\s*from\s*["'][^"']+["'];?/g, '')
    .replace(/export\s*\{[^}]*\};?/g, '');
  expect(() => runInNewContext(source.replace(/^\/\/# sourceMappingURL.*$/gm, ''), { TextEncoder })).not.toThrow();
});

test('an app that imports only resolveApprovals gets no code of the stores', async () => {
  const contents = `export { resolveApprovals } from ${JSON.stringify(entry)}`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', minify: true, write: false });
  expect(outputFiles[0]!.text).toContain('already-started');
  expect(outputFiles[0]!.text).not.toMatch(/toolgate_records|toolgate:\$|idempotency|StoredRecord/);
});

test('the texts of the entry for the model are the same as the gate’s', () => {
  expect(DENIED).toBe(resultText({ kind: 'denied' }));
  expect(MAY_HAVE_RUN).toBe(resultText({ kind: 'interrupted', mayHaveRun: true }));
});
