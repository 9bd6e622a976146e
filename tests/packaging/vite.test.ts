/** The installed package in a page of Vite's, which has to find the wasm file by itself: built, and as developers see it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as Vite from 'vite';
import { expect, test } from 'vitest';
import { playUser, playUserAt } from './support/page.js';
import { freshProject } from './support/project.js';

const page = {
  'index.html':
    '<!doctype html><title>Vite</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
};

test('a Vite build asks the user and sends one complete answer', async () => {
  const project = await freshProject(page, ['vite']);
  expect(await project.run('vite', 'build', '--assetsInlineLimit', '0', '--target', 'es2022', '--logLevel', 'warn')).toBe('');
  expect(readdirSync(join(project.folder, 'dist/assets')).filter((name) => name.endsWith('.wasm'))).toHaveLength(1);
  await playUser(join(project.folder, 'dist'));
});

test('so does the page of the development server, without any configuration', async () => {
  const project = await freshProject(page, ['vite']);
  const { createServer } = (await import(join(project.folder, 'node_modules/vite/dist/node/index.js'))) as typeof Vite;
  const server = await createServer({ root: project.folder, logLevel: 'error', server: { host: '127.0.0.1', port: 0 } });
  await server.listen();
  await playUserAt(server.resolvedUrls?.local[0] ?? '').finally(() => server.close());
});
