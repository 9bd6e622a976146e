/**
 * The installed package bundled by a user's esbuild, which does not copy files for `new URL(…)`: the wasm is copied
 * next to the bundle, imported as a file, or (without `import.meta`) passed to `init` as an address.
 */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { playUser } from './support/page.js';
import { openProject, write, type Project } from './support/project.js';

const FILES = {
  'loaded.js': `
    import { init } from 'toolgate';
    import wasm from 'toolgate/toolgate.wasm';
    await init(new URL(wasm, import.meta.url));
    await import('./page.js');`,
  'later.js': `
    import './page.js';
    const { acp } = await import('toolgate/protocols/acp');
    document.documentElement.dataset.protocol = acp.name;`,
  'classic.js': `
    import { showCards } from './cards.js';
    showCards('toolgate.wasm');`,
};

const html = (attributes: string) =>
  `<!doctype html><title>esbuild</title><link rel="icon" href="data:,"><script ${attributes} src="page.js"></script>`;

let project: Project;

beforeAll(async () => {
  const opened = await openProject(FILES, ['esbuild']);
  project = opened;
  return opened.remove;
});

/** Bundles `entry` as page.js into a new folder, adds a page that loads it, and returns the folder. */
async function bundle(entry: string, folder: string, attributes: string, ...flags: string[]): Promise<string> {
  write(project.folder, `${folder}/index.html`, html(attributes));
  const common = ['--bundle', '--minify', '--log-level=warning', '--entry-names=page', `--outdir=${folder}`];
  expect(await project.run('esbuild', entry, ...common, ...flags)).toBe('');
  return join(project.folder, folder);
}

const copyWasm = (dist: string) =>
  copyFileSync(join(project.folder, 'node_modules/toolgate/dist/toolgate.wasm'), join(dist, 'toolgate.wasm'));

test.each([
  { how: 'in one file', entry: 'page.js', folder: 'one', flags: [], hasProtocol: false },
  { how: 'that may be split', entry: 'page.js', folder: 'whole', flags: ['--splitting'], hasProtocol: false },
  {
    how: 'split, with a protocol later',
    entry: 'later.js',
    folder: 'split',
    flags: ['--splitting'],
    hasProtocol: true,
  },
])('an esbuild bundle $how, with the wasm copied next to it', async ({ entry, folder, flags, hasProtocol }) => {
  const dist = await bundle(entry, folder, 'type="module"', '--format=esm', ...flags);
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
  // A page contains only the protocols that it imports. These words occur in the protocols of ACP and Anthropic.
  const having = (word: string) => scripts.filter((name) => readFileSync(join(dist, name), 'utf8').includes(word));
  expect(having('agent_message').length > 0).toBe(hasProtocol);
  expect(having('tool_use')).toEqual([]);
  // If the bundle may be split, the card is loaded later.
  expect(scripts.length > 1).toBe(flags.length > 0);
  copyWasm(dist);
  await playUser(dist, { looks: 'cards' });
});

test('the wasm can be imported as a file', async () => {
  const dist = await bundle(
    'loaded.js',
    'loaded',
    'type="module"',
    '--format=esm',
    '--splitting',
    '--loader:.wasm=file',
  );
  await playUser(dist, { looks: 'cards' });
});

test('a classic script has no `import.meta`, and passes the address of the wasm', async () => {
  const dist = await bundle(
    'classic.js',
    'classic',
    'defer',
    '--format=iife',
    '--log-override:empty-import-meta=silent',
  );
  copyWasm(dist);
  await playUser(dist, { looks: 'cards' });
});
