/**
 * The installed package built by webpack, which finds the wasm file and copies it; in the page, and in a worker.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playUser } from './support/page.js';
import { rigProject } from './support/rig.js';

test('a webpack build shows approvals and sends all decisions in one request, in the page and in a worker', async () => {
  const project = await rigProject('webpack');
  expect(await project.run('webpack', 'build')).not.toMatch(/warning/i);
  const dist = join(project.folder, 'dist');
  expect(readdirSync(dist).filter((name) => name.endsWith('.wasm'))).toHaveLength(1);
  await playUser(dist, { path: 'page.html', looks: 'cards' });
  await playUser(dist, { path: 'worker.html' });
});
