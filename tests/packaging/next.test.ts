/** The installed package in an app of Next.js: built, rendered on its server, and used there and in the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playUserAt } from './support/page.js';
import type { Project } from './support/project.js';
import { expectServer, rigProject, startServer } from './support/rig.js';

const route = readFileSync(join(import.meta.dirname, 'next/app/gate/route.js'), 'utf8');

const start = (project: Project) => startServer(project, 'next', (port) => ['start', '-H', '127.0.0.1', '-p', port]);

test('Next.js renders on the server without the wasm, and the page shows approvals; its edge runtime runs the core too', async () => {
  const edge = route.replace(/export const dynamic = .*;/, `export const runtime = 'edge';`);
  const project = await rigProject('next', { 'app/edge/route.js': edge });
  expect(await project.run('next', 'build')).not.toMatch(/warning|failed/i);
  const server = await start(project);
  await expectServer(server, ['gate', 'edge']);
  await playUserAt(server.url, { isRendered: true });
});

test('Next.js with webpack does the same if the route passes the wasm', async () => {
  // In the server's bundle, webpack replaces the wasm's address with the address for the page.
  // (`serverExternalPackages` would also exclude toolgate/react from the bundle, so that it would use another React
  // than Next.js.)
  const given = route.replace('askedTwice()', 'askedTwice(await readFile(WASM))').replace(
    'export const',
    `
    import { readFile } from 'node:fs/promises';
    import { join } from 'node:path';
    const WASM = join(process.cwd(), 'node_modules/toolgate/dist/toolgate.wasm');
    export const`,
  );
  const project = await rigProject('next', { 'app/gate/route.js': given });
  expect(await project.run('next', 'build', '--webpack')).not.toMatch(/warning|failed/i);
  const server = await start(project);
  await expectServer(server);
  await playUserAt(server.url, { isRendered: true });
});
