/** The installed package in an app of Next.js: built, rendered on its server, and used there and in the page. */
import { expect, test } from 'vitest';
import { playUserAt } from './support/page.js';
import { expectServer, rigProject, startServer } from './support/rig.js';

test.each([
  { bundler: 'Turbopack', flags: [] },
  { bundler: 'webpack', flags: ['--webpack'] },
])('Next.js, built by $bundler, renders on the server without the wasm and asks the user in the page', async ({ flags }) => {
  const project = await rigProject('next');
  expect(await project.run('next', 'build', ...flags)).not.toMatch(/warn/i);
  const url = await startServer(project, 'next', (port) => ['start', '-H', '127.0.0.1', '-p', port]);
  await expectServer(url);
  await playUserAt(url);
});
