/**
 * The installed package in Vite, which must find the wasm file without configuration: builds with React, Svelte and
 * Vue, without a framework and with a worker, and the page of the development server.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as Vite from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { playUser, playUserAt } from './support/page.js';
import { withoutTimings, type Project } from './support/project.js';
import { openRig, rigProject } from './support/rig.js';

let project: Project;

beforeAll(async () => {
  const opened = await openRig('vite');
  project = opened;
  return opened.remove;
});

test.each([
  { name: 'react', looks: 'buttons' },
  { name: 'svelte', looks: 'buttons' },
  { name: 'vue', looks: 'buttons' },
  { name: 'worker', looks: 'buttons' },
  { name: 'plain', looks: 'cards' },
] as const)(
  'a Vite build with $name shows approvals and sends all decisions in one request',
  async ({ name, looks }) => {
    expect(withoutTimings(await project.run('vite', 'build', name, '--logLevel', 'warn'))).toBe('');
    const dist = join(project.folder, name, 'dist');
    expect(readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.wasm'))).toHaveLength(1);
    // Vite sets the condition `production`: errors have a link instead of a sentence.
    const scripts = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'));
    const code = scripts.map((file) => readFileSync(join(dist, 'assets', file), 'utf8')).join('\n');
    expect(code).toMatch(/\/blob\/v[\d.]+\/docs/);
    expect(code).not.toMatch(
      /Use the approvalId of an entry of|before creating a ToolGate|was already decided the other/,
    );
    await playUser(dist, { looks });
  },
);

test('the page of the development server works without configuration', async () => {
  const page =
    '<!doctype html><title>Vite</title><link rel="icon" href="data:,"><script type="module" src="/scenario/page.js"></script>';
  const { folder } = await rigProject('vite', { 'index.html': page });
  // Vite scans all pages below its root.
  for (const name of ['react', 'svelte', 'vue', 'worker', 'plain']) rmSync(join(folder, name), { recursive: true });
  const { createServer } = (await import(join(folder, 'node_modules/vite/dist/node/index.js'))) as typeof Vite;
  const server = await createServer({ root: folder, logLevel: 'error', server: { host: '127.0.0.1', port: 0 } });
  await server.listen();
  await playUserAt(server.resolvedUrls?.local[0] ?? '', { looks: 'cards' }).finally(() => server.close());
});
