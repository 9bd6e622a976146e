/** The installed package in builds of Vite with React, Svelte and Vue, and in a worker. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playUser } from './support/page.js';
import { rigProject } from './support/rig.js';

test.each(['react', 'svelte', 'vue', 'worker'])('a Vite build with %s asks the user and sends one complete answer', async (name) => {
  const project = await rigProject('vite');
  expect(await project.run('vite', 'build', name, '--logLevel', 'warn')).toBe('');
  const dist = join(project.folder, name, 'dist');
  expect(readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.wasm'))).toHaveLength(1);
  await playUser(dist);
});
