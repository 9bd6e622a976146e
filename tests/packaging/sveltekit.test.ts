/** The installed package in an app of SvelteKit: built, rendered on its server, and used there and in the page. */
import { expect, test } from 'vitest';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { playUserAt } from './support/page.js';
import { expectServer, rigProject, startServer } from './support/rig.js';

test('SvelteKit renders on the server without the wasm, and the page shows approvals', async () => {
  const project = await rigProject('sveltekit');
  // SvelteKit 3 requires a newer Node than Toolgate.
  const node = runtime('node');
  expect(await project.run(node, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn')).not.toMatch(/warn/i);
  const server = await startServer(project, node, () => ['build']);
  await expectServer(server);
  await playUserAt(server.url, { isRendered: true });
});
