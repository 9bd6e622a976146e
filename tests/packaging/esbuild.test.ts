/**
 * The installed package bundled by a user's esbuild, which copies no file for `new URL(…)`: the wasm is copied beside the bundle,
 * or imported as a file, or (where there is no `import.meta`) named by its address.
 */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playUser } from './support/page.js';
import { freshProject } from './support/project.js';

const html = (attributes: string) =>
  `<!doctype html><title>esbuild</title><link rel="icon" href="data:,"><script ${attributes} src="page.js"></script>`;

const common = ['--bundle', '--minify', '--log-level=warning', '--outdir=dist'];

test.each([
  { how: 'in one file', flags: ['--format=esm'], files: 1 },
  { how: 'split into chunks', flags: ['--format=esm', '--splitting'], files: 10 },
])('an esbuild bundle $how, with the wasm copied beside it', async ({ flags, files }) => {
  const project = await freshProject({ 'dist/index.html': html('type="module"') }, ['esbuild']);
  expect(await project.run('esbuild', 'page.js', ...common, ...flags)).toBe('');
  const dist = join(project.folder, 'dist');
  expect(readdirSync(dist).filter((name) => name.endsWith('.js')).length).toBeGreaterThanOrEqual(files);
  copyFileSync(join(project.folder, 'node_modules/toolgate/dist/toolgate.wasm'), join(dist, 'toolgate.wasm'));
  await playUser(dist);
});

test('the wasm can be imported as a file', async () => {
  const project = await freshProject(
    {
      'dist/index.html': html('type="module"'),
      'main.js': `
        import { init } from 'toolgate';
        import wasm from 'toolgate/toolgate.wasm';
        await init(new URL(wasm, import.meta.url));
        await import('./page.js');`,
    },
    ['esbuild'],
  );
  const flags = ['--format=esm', '--splitting', '--loader:.wasm=file', '--entry-names=page'];
  expect(await project.run('esbuild', 'main.js', ...common, ...flags)).toBe('');
  await playUser(join(project.folder, 'dist'));
});

test('a classic script has no `import.meta`, and says where the wasm lies', async () => {
  const main = `
    import { askedTwice } from './chat.js';
    import { show } from './show.js';
    askedTwice('toolgate.wasm').then(show);`;
  const project = await freshProject({ 'dist/index.html': html('defer'), 'main.js': main }, ['esbuild']);
  const flags = ['--format=iife', '--entry-names=page', '--log-override:empty-import-meta=silent'];
  expect(await project.run('esbuild', 'main.js', ...common, ...flags)).toBe('');
  copyFileSync(join(project.folder, 'node_modules/toolgate/dist/toolgate.wasm'), join(project.folder, 'dist/toolgate.wasm'));
  await playUser(join(project.folder, 'dist'));
});
