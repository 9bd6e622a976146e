/**
 * The next release of the package, for esbuild: the sources with later versions of records and messages. It reads the
 * records of this release, which does not read its.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { entryPoints } from '../../pkg-scripts/lib/package.mjs';

const persist = '../../src/ts/persist';
const reads: [string, string] = ['version === VERSION', '(version === VERSION || version === 2)'];

const CHANGES: Readonly<Record<string, readonly [find: string, put: string][]>> = {
  [`${persist}/storage/chat-record.ts`]: [['const VERSION = 2;', 'const VERSION = 3;'], reads],
  [`${persist}/storage/change-record.ts`]: [reads],
  [`${persist}/tabs/tab-channel.ts`]: [['const RELEASE = 3;', 'const RELEASE = 4;']],
};

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const sources = new Map<string, string>(
  entryPoints().map(({ name, file }): [string, string] => [name, at(`../../src/ts/${file}.ts`)]),
);

export const nextRelease: Plugin = {
  name: 'next-release',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^toolgate/ }, ({ path }) => ({ path: sources.get(path) ?? '' }));
    for (const [path, changes] of Object.entries(CHANGES)) {
      const file = at(path);
      onLoad({ filter: new RegExp(`${file.replaceAll(/[.+]/g, '\\$&')}$`) }, () => {
        let contents = readFileSync(file, 'utf8');
        for (const [find, put] of changes) {
          if (contents.split(find).length !== 2) throw new Error(`${path} must have "${find}" once`);
          contents = contents.replace(find, put);
        }
        return { contents, loader: 'ts' };
      });
    }
  },
};
