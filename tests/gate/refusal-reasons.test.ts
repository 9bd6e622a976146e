/**
 * The enums in refusal-reasons.ts have the variants of the crate's enums in the same order, because the core passes
 * their numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** The variants of an enum in Rust or TypeScript source, in order. */
function variants(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(source(path)) ?? [];
  return [...body.matchAll(/^ *(\w+),$/gm)].map(([, variant]) => variant as string);
}

const OURS = 'src/ts/gate/refusal-reasons.ts';

test('RefusalReason', () => {
  const reasons = variants('src/machine/error.rs', 'RefusalReason');
  expect(reasons.length).toBeGreaterThan(20);
  expect(variants(OURS, 'RefusalReason')).toEqual(reasons);
});

test('BackendInput has the inputs of the backend, which are the first ones', () => {
  const path = 'src/machine/call/input.rs';
  const inputs = variants(path, 'Input');
  const fromBackend = [...source(path).matchAll(/\/\/\/ The backend [^\n]*\n *(\w+),/g)].map(([, variant]) => variant);
  expect(fromBackend.length).toBeGreaterThan(10);
  expect(variants(OURS, 'BackendInput')).toEqual(fromBackend);
  expect(inputs.slice(0, fromBackend.length)).toEqual(fromBackend);
});
