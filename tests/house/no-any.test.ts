/**
 * `any` is not a type here: outside data is `unknown`, or has a type whose fields may be missing (`Wire`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src/ts');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

/** The lines of a source on which `any` is a type. */
function linesWithAny(path: string, text: string): string[] {
  const found: string[] = [];
  JSON.stringify(parseSync(path, text).program, (key, value: unknown) => {
    const node = value as { readonly type?: unknown; readonly start?: number } | null;
    if (node?.type === 'TSAnyKeyword') found.push(`${path}:${text.slice(0, node.start).split('\n').length}`);
    return key === 'value' && typeof value === 'bigint' ? String(value) : value;
  });
  return found;
}

test('an `any` is found, in types and assertions', () => {
  expect(
    linesWithAny('a.ts', `type A = { b: any[] };\nconst c = (d as any) as string; // any\nconst any = 1;`),
  ).toEqual(['a.ts:1', 'a.ts:2']);
});

test('no source uses `any`', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((path) => linesWithAny(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
