/**
 * The configuration for tests of another build of the package, which is in the folder `TOOLGATE_DIST`. See
 * mutate-server.mjs.
 */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { quickTests } from './mutant-vitest.mjs';
import { entryPoints } from './package.mjs';

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
    setupFiles: ['tests/lib/seed.ts'],
    include: ['tests/**/*.test.ts'],
    ...quickTests(),
  },
});
