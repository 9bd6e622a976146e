/**
 * The configuration of vitest for `mutate persist` (mutate-persist.mjs). The tests import src/ts instead of the built
 * package. The environment variables `MUTATED` and `MUTANT` are paths: the second file is loaded instead of the first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { quickTests } from './mutant-vitest.mjs';
import { entryPoints } from './package.mjs';

const root = join(import.meta.dirname, '../..');
const { MUTANT: mutant, MUTATED: mutated } = process.env;

const mutation = {
  name: 'mutation',
  enforce: 'pre',
  load: (id) => (mutated !== undefined && id === mutated ? readFileSync(mutant, 'utf8') : undefined),
};

export default defineConfig({
  root,
  plugins: [mutation, svelte({ configFile: false })],
  resolve: {
    conditions: ['browser', 'module', 'import', 'default'],
    alias: entryPoints().map(({ name, file }) => ({
      find: new RegExp(`^${name}$`),
      replacement: join(root, 'src/ts', `${file}.ts`),
    })),
  },
  test: {
    environment: 'node',
    setupFiles: ['tests/lib/seed.ts'],
    include: ['tests/**/*.test.ts'],
    ...quickTests({
      first: 'tests/persist/state-writer.test.ts',
      last: ['persist/guarded-chats', 'persist/explore', 'evidence/tabs', 'evidence/tampering', 'evidence/limits'].map(
        (name) => `tests/${name}.test.ts`,
      ),
    }),
    server: { deps: { inline: [/@ai-sdk\/svelte/, /ai-sdk-svelte6/, /^svelte/] } },
  },
});
