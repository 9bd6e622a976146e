/** The installed package in an app of Nuxt: built, rendered on its server, and used there and in the page. */
import { expect, test } from 'vitest';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { playUserAt } from './support/page.js';
import { expectServer, rigProject, startServer } from './support/rig.js';

test('Nuxt renders on the server without the wasm, and the page shows approvals', async () => {
  const project = await rigProject('nuxt');
  // Nuxt requires a newer Node than Toolgate.
  const node = runtime('node');
  expect(await project.run(node, 'node_modules/nuxt/bin/nuxt.mjs', 'build', '--logLevel', 'silent')).not.toMatch(
    /warn/i,
  );
  const server = await startServer(project, node, () => ['.output/server/index.mjs']);
  await expectServer(server);
  await playUserAt(server.url, { isRendered: true });
});
