/**
 * The starters of www/starters, apart from what guarded.test.ts builds: the one with Vite and React, and that all of
 * them have the same server and pinned versions.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rigHome, runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { at, run } from '../../pkg-scripts/lib/shell.mjs';
import { projectAt, withoutTimings } from './support/project.js';
import { startServer } from './support/rig.js';
import { linkPackages } from './support/start.js';
import { playStarter } from './support/starter.js';

const NAMES = ['react', 'next', 'svelte', 'vue'];
const SERVERS = ['react/server', 'next/server', 'svelte/src/lib/server', 'vue/server'];
const STYLES = ['react/src', 'next/app', 'svelte/src', 'vue/app'];

const read = (path: string): string => readFileSync(at('www/starters', path), 'utf8');
const manifest = (folder: string) =>
  JSON.parse(readFileSync(at(folder, 'package.json'), 'utf8')) as {
    version?: string;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
const packagesOf = (folder: string): Record<string, string> => {
  const { dependencies, devDependencies } = manifest(folder);
  return { ...dependencies, ...devDependencies };
};

test('the starter with Vite and React', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-starter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The types of the Node that starters need; the repository itself runs on Node 20.
  const types = relative(at('node_modules'), join(rigHome('next'), 'node_modules/@types/node'));
  await linkPackages(folder, { '@types/node': types });
  cpSync(at('www/starters/react'), folder, { recursive: true });
  await run('node', [join(folder, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder], { quiet: true });
  const project = projectAt(folder, { NODE_ENV: 'production' });
  // `node:sqlite` is not in the oldest Node that Toolgate supports.
  const [node, vite] = [runtime('node'), 'node_modules/vite/bin/vite.js'];
  expect(withoutTimings(await project.run(node, vite, 'build', '--logLevel', 'warn'))).toBe('');
  for (const command of [[], ['preview']]) {
    const server = await startServer(project, node, (port) => [
      vite,
      ...command,
      '--host',
      '127.0.0.1',
      '--port',
      port,
      '--strictPort',
    ]);
    await playStarter(server, 'react');
  }
});

test('the starters have the same server and the same styles', () => {
  for (const file of ['chat.ts', 'scripted-model.ts']) {
    expect(new Set(SERVERS.map((folder) => read(`${folder}/${file}`))).size, file).toBe(1);
  }
  expect(new Set(STYLES.map((folder) => read(`${folder}/style.css`))).size).toBe(1);
});

test.each(NAMES)('the starter %s has the versions that the tests install, and few files', (name) => {
  const rig = {
    react: '.',
    next: 'tests/packaging/next',
    svelte: 'tests/packaging/sveltekit',
    vue: 'tests/packaging/nuxt',
  };
  const installed = packagesOf(rig[name as keyof typeof rig]);
  const { toolgate, ...packages } = packagesOf(`www/starters/${name}`);
  expect(toolgate).toBe(manifest('pkg').version);
  if (name === 'react') delete packages['@types/node'];
  for (const [one, version] of Object.entries(packages)) expect([one, version]).toEqual([one, installed[one]]);
  const files = readdirSync(at('www/starters', name), { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isFile() && !file.name.startsWith('.')).length).toBeLessThanOrEqual(10);
  expect(read(`${name}/README.md`).split('\n').length).toBeLessThanOrEqual(16);
});
