/** docs/testing.md: its tests run as printed. They register themselves when their file is imported. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInitialized } from 'toolgate';
import { afterAll, expect, test } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { appOf } from './support/blocks.js';

const folder = at('target/docs-run', `testing-${process.pid}`);
rmSync(folder, { recursive: true, force: true });
for (const [path, text] of Object.entries(appOf('docs/testing.md'))) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the set-up file loads the core', async () => {
  expect(isInitialized()).toBe(false);
  await import(join(folder, 'test-setup.ts'));
  expect(isInitialized()).toBe(true);
});

await import(join(folder, 'src/approval.test.ts'));
