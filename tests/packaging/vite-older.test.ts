/**
 * The installed package in Vite before version 8: its development server, which does not serve the wasm file, and its
 * build.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Vite from 'vite';
import { expect, test } from 'vitest';
import { playUser, playUserAt } from './support/page.js';
import { rigProject } from './support/rig.js';

const PAGE =
  '<!doctype html><title>Vite</title><link rel="icon" href="data:,"><script type="module" src="/scenario/page.js"></script>';

test.each(['vite5', 'vite6', 'vite7'])(
  '%s shows approvals and sends all decisions in one request, without any configuration',
  async (name) => {
    const { folder } = await rigProject('vite-older', { 'index.html': PAGE });
    const { build, createServer } = (await import(
      pathToFileURL(join(folder, `node_modules/${name}/dist/node/index.js`)).href
    )) as typeof Vite;
    const server = await createServer({
      root: folder,
      configFile: false,
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0 },
    });
    await server.listen();
    await playUserAt(server.resolvedUrls?.local[0] ?? '', { looks: 'cards' }).finally(() => server.close());

    // The page waits for init() at the top level of its module, which the default target of versions 5 and 6 does not
    // support.
    await build({ root: folder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
    await playUser(join(folder, 'dist'), { looks: 'cards' });
    expect(server.config.optimizeDeps.exclude ?? []).toEqual([]);
  },
);
