/** The contents of the tarball: files that it must contain, and files that it must not contain. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { publint } from 'publint';
import { beforeAll, expect, inject, test } from 'vitest';
import { at, root } from '../../pkg-scripts/lib/shell.mjs';
import { openProject, type Project } from './support/project.js';

let project: Project;

beforeAll(async () => {
  const opened = await openProject();
  project = opened;
  return opened.remove;
});

/** The files of a folder of the repository, by their paths. */
const filesBelow = (folder: string): string[] =>
  readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(at(), join(entry.parentPath, entry.name)).replaceAll('\\', '/'));

const files = () =>
  spawnSync('tar', ['-tzf', inject('tarball')], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));

test('contains the texts and the documentation, one wasm file, and no sources outside the source maps', () => {
  const [dist, others] = [true, false].map((isDist) =>
    files().filter((path) => path.startsWith('dist/') === isDist),
  ) as [string[], string[]];
  const docs = filesBelow('docs');
  expect(others.sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', ...docs, 'package.json'].sort(),
  );
  expect(dist.filter((path) => path.endsWith('.wasm'))).toEqual(['dist/toolgate.wasm']);
  expect(dist.filter((path) => !/\.(wasm|js|js\.map|d\.ts)$/.test(path))).toEqual([]);
  expect(dist.filter((path) => /test|rig|fixture/i.test(path))).toEqual([]);
  // Those that register the sentences have two statements and no code of a source.
  const scripts = dist.filter((path) => path.endsWith('.js') && !path.endsWith('.sentences.js'));
  expect(dist.filter((path) => path.endsWith('.map'))).toEqual(scripts.map((path) => `${path}.map`));
});

test('contains every file that its exports name, and has no scripts, dependencies or side effects besides the sentences', () => {
  const manifest = JSON.parse(project.read('node_modules/toolgate/package.json')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  for (const target of targets) expect(files()).toContain(target.replace('./', ''));
  expect(manifest).toHaveProperty('sideEffects', ['./dist/sentences/index.js', './dist/**/*.sentences.js']);
  expect(manifest).not.toHaveProperty('scripts');
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('dependencies');
});

test('has a manifest in which publint finds no problem', async () => {
  expect((await publint({ pkgDir: at('pkg'), strict: true })).messages).toEqual([]);
});

test('contains no path of the computer that built it', () => {
  const home = process.env.CARGO_HOME ?? process.env.HOME ?? root;
  for (const path of files()) {
    const bytes = readFileSync(`${project.folder}/node_modules/toolgate/${path}`);
    for (const place of [root, home]) expect(bytes.includes(place), `${path} holds ${place}`).toBe(false);
  }
});

test('has no import for side effects that the manifest does not declare, about which bundlers would warn', () => {
  for (const path of files().filter((name) => name.endsWith('.js') && !name.endsWith('.sentences.js'))) {
    expect(readFileSync(`${project.folder}/node_modules/toolgate/${path}`, 'utf8'), path).not.toMatch(
      /\bimport\s*["']\./,
    );
  }
});

test('has the version of Cargo.toml, and the changelog has its section', () => {
  const { version } = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')) as { version: string };
  expect(/^version = "(.+)"/m.exec(readFileSync(at('Cargo.toml'), 'utf8'))?.[1]).toBe(version);
  expect(readFileSync(at('CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^## ${version.replaceAll('.', '\\.')}`, 'm'));
});
