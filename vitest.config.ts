/**
 * How the JavaScript tests run. There are seven projects, so that `pkg-scripts/test` can run the quick ones first:
 * `unit` (everything that needs only Node), `oldest` (some of these tests with the oldest peers),
 * `rigs` (coding agents, for `pkg-scripts/rigs` only), `packaging` (the
 * packed tarball), `persist` (tabs of a real browser), `element` (the custom elements in a browser) and `demo` (the built
 * page in a browser). All of them import the package by its name, which resolves to the built `pkg/` through `exports` in package.json: run `./pkg-scripts/build` first.
 */
import { availableParallelism, totalmem } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { oldestPeers } from './tests/peers/oldest.js';

/**
 * How many files run at a time. vitest leaves one core free, which is one file at a time on two cores; but many files
 * wait for a server or a browser. Each of those needs up to 2 GB of memory.
 */
const maxWorkers = totalmem() > 6e9 ? Math.max(2, availableParallelism() - 1) : 1;

export default defineConfig({
  test: {
    maxWorkers,
    // `resolveApprovals` writes each refusal to the log; tests refuse thousands.
    onConsoleLog: (line) => !line.startsWith('toolgate: refused ('),
    projects: [
      {
        // The Svelte plugin compiles the runes in `*.svelte.js`, including the files of peer packages.
        plugins: [svelte({ configFile: false })],
        resolve: { conditions: ['browser', 'module', 'import', 'default'] },
        test: {
          name: 'unit',
          // These timeouts are long, so that no test fails on a busy machine. They measure nothing.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          environment: 'node',
          globalSetup: ['tests/lib/fresh-build.ts'],
          setupFiles: ['tests/lib/seed.ts'],
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [
            'tests/packaging/**',
            'tests/browser-demo/**',
            'tests/persist-browser/**',
            'tests/element-browser/**',
            'tests/soak/browser/**',
            'tests/agents/live/**',
          ],
          server: { deps: { inline: [/@ai-sdk\/svelte/, /ai-sdk-svelte6/, /^svelte/] } },
        },
      },
      {
        // Some tests of `unit` with the oldest peers.
        plugins: [oldestPeers()],
        resolve: { conditions: ['svelte', 'browser', 'module', 'import', 'default'] },
        test: {
          name: 'oldest',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          environment: 'node',
          globalSetup: ['tests/lib/fresh-build.ts'],
          setupFiles: ['tests/lib/seed.ts'],
          include: [
            'tests/bindings/{components,guarded-chat-*,hydrate-react,hydrate-vue,loading,question,react,vue}.test.{ts,tsx}',
            'tests/ai-sdk/{delivery,methods}.test.ts',
          ],
          server: { deps: { inline: [/@ai-sdk\/svelte/, /ai-sdk-svelte6/, /node_modules\/svelte\//] } },
        },
      },
      {
        // Coding agents, for ./pkg-scripts/rigs.
        test: {
          name: 'rigs',
          include: ['tests/agents/live/*.test.ts'],
          globalSetup: ['tests/lib/fresh-build.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'packaging',
          include: ['tests/packaging/*.test.ts'],
          globalSetup: ['tests/packaging/support/tarball.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'persist',
          include: ['tests/persist-browser/*.test.ts', 'tests/soak/browser/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'element',
          include: ['tests/element-browser/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'demo',
          include: ['tests/browser-demo/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
