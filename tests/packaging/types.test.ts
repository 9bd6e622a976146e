/**
 * Compiles types/src against the installed package with the three latest minor versions of TypeScript, in strict mode
 * and with library checks. A line that is marked with `@ts-expect-error` must have an error.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { write, type Project } from './support/project.js';
import { openRig } from './support/rig.js';

/** The optional peers and what they need themselves, in the versions that this repository uses. */
const PEERS = ['react', '@types/react', 'csstype', 'vue', 'svelte', 'ai', '@types/node', 'undici-types'];

/**
 * The files of types/src, with the settings of each kind of project: a page, a page with frameworks, a server without a
 * bundler.
 */
const KINDS = {
  main: { hasPeers: false, file: 'src/main.ts', lib: ['es2022', 'dom'], types: [] },
  frameworks: { hasPeers: true, file: 'src/frameworks.tsx', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  server: { hasPeers: true, file: 'src/server.ts', lib: ['es2022'], types: ['node'] },
} as const;

let bare: Project;
let withPeers: Project;

beforeAll(async () => {
  const projects = [await openRig('types'), await openRig('types')] as const;
  [bare, withPeers] = projects;
  for (const name of PEERS) {
    const place = join(withPeers.folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(at('node_modules', name), place);
  }
  return () => projects.forEach(({ remove }) => remove());
});

const compilers = ['typescript59', 'typescript60', 'typescript70'].flatMap((compiler) =>
  ['bundler', 'nodenext'].map((moduleResolution) => ({ compiler, moduleResolution })),
);

test.each(compilers)(
  'the types are as expected with $compiler, moduleResolution $moduleResolution',
  async ({ compiler, moduleResolution }) => {
    const kinds = Object.entries(KINDS).filter(([kind]) => kind !== 'server' || moduleResolution === 'nodenext');
    const found = kinds.map(async ([kind, { hasPeers, file, lib, types }]) => {
      const { folder } = hasPeers ? withPeers : bare;
      // TypeScript's own library is not checked, because that takes longer than everything else.
      const config = {
        compilerOptions: {
          ...{
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
            skipLibCheck: false,
            skipDefaultLibCheck: true,
            jsx: 'react-jsx',
            target: 'es2022',
            lib,
            types,
          },
          ...{ module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext', moduleResolution },
        },
        files: [file],
      };
      write(folder, `${kind}.json`, JSON.stringify(config));
      return [kind, await errors(folder, compiler, `${kind}.json`)];
    });
    expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(kinds.map(([kind]) => [kind, []])));
  },
);

test('the project without frameworks has none of the optional peers installed', () => {
  for (const name of PEERS) expect(existsSync(join(bare.folder, 'node_modules', name)), name).toBe(false);
});

test('attw finds no problem in the types', async () => {
  // The package supports `import` only, so the checks for Node 10 and `require` are omitted.
  const found = await bare.run(
    'node_modules/.bin/attw',
    inject('tarball'),
    '--profile',
    'esm-only',
    '--format',
    'ascii',
    '--no-color',
  );
  const { exports } = JSON.parse(bare.read('node_modules/toolgate/package.json')) as {
    exports: Record<string, unknown>;
  };
  const entries = [...found.matchAll(/^"(.+)"\n\nnode16 \(from ESM\): 🟢 \((?:ESM|JSON)\)\nbundler: 🟢/gm)].map(
    ([, name]) => name,
  );
  expect(entries, found).toEqual(Object.keys(exports).map((path) => path.replace('.', 'toolgate')));
});

/**
 * The compiler's errors in the project's own files and Toolgate's. Errors in the peers' declarations are ignored.
 */
function errors(folder: string, compiler: string, config: string): Promise<string[]> {
  const tsc = [`node_modules/${compiler}/bin/tsc`, '-p', config, '--pretty', 'false'];
  return new Promise((resolve) => {
    execFile(process.execPath, tsc, { cwd: folder }, (failed, said) => {
      const lines = said.split('\n').filter((line) => line !== '');
      if (failed && lines.length === 0) lines.push(failed.message);
      const isForeign = (line: string): boolean =>
        /^[^(]+\(\d+,\d+\): error/.test(line) && !/^(src|node_modules\/toolgate)\//.test(line);
      // An indented line continues the previous error.
      let isOurs = true;
      resolve(lines.filter((line) => (/^\s/.test(line) ? isOurs : (isOurs = !isForeign(line)))));
    });
  });
}
