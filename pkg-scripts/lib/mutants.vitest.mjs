/**
 * The configuration of vitest for `mutate server` (mutate-server.mjs). The tests import the build of the package in the
 * folder that the environment variable `TOOLGATE_DIST` names.
 */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { quickTests } from './mutant-vitest.mjs';
import { entryPoints } from './package.mjs';
import { SENTENCES } from './sentences.mjs';

const dist = process.env.TOOLGATE_DIST;

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: {
    conditions: ['browser', 'module', 'import', 'default'],
    alias: entryPoints().map(({ name, file }) => ({
      find: new RegExp(`^${name}$`),
      replacement: join(dist, `${file}.js`),
    })),
  },
  test: {
    environment: 'node',
    // Tests read the sentences of errors, which the entry points themselves do not contain.
    setupFiles: ['tests/lib/seed.ts', join(dist, `${SENTENCES}.js`)],
    include: ['tests/**/*.test.ts'],
    ...quickTests({ last: ['accepted.test.ts', 'stores.test.ts', 'storm.test.ts'] }),
  },
});
