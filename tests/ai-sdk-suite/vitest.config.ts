/**
 * How `./pkg-scripts/ai-sdk-suite` runs the AI SDK's tests. The command sets the environment: the folder of a release,
 * its major version, one of its packages, and the mode (see `chats/mode.ts`).
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { redirect } from './redirect';

const release = process.env['SUITE_RELEASE']!;
const major = Number(process.env['SUITE_MAJOR']) as 6 | 7;
const name = process.env['SUITE_PACKAGE']!;

const folder = join(release, 'packages', name);
const setup = ['src/vitest-setup.ts'].map((file) => join(folder, file)).filter((file) => existsSync(file));
const plugins = { ai: [], react: [react()], svelte: [svelte({ configFile: false })], vue: [vue()] }[name];

export default defineConfig({
  root: at(),
  plugins: [redirect(release, major), ...plugins!],
  resolve: { conditions: ['browser', 'module', 'import', 'default'] },
  server: { fs: { strict: false } },
  test: {
    dir: folder,
    include: ['**/src/ui/chat.test.ts', '**/src/chat.*test.*', '**/src/use-chat.*test.*'],
    exclude: [],
    environment: name === 'ai' && process.env['SUITE_MODE'] !== 'own' ? 'node' : 'happy-dom',
    setupFiles: [...setup, at('tests/ai-sdk-suite/chats/setup.ts')],
    testTimeout: 5_000,
    // Some of the tests depend on how fast a reply arrives.
    retry: 1,
    server: { deps: { inline: [/@ai-sdk\/svelte/, /ai-sdk-svelte6/, /^svelte/] } },
  },
});
