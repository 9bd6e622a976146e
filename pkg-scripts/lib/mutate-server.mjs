/**
 * `./pkg-scripts/mutate server`: shows that the tests of `toolgate/server` and `toolgate/tools` can fail.
 *
 * The package is bundled once for each mutation of tests/mutations/server.mjs, into a folder of its own, and the
 * tests of those entries are run against it. A mutation that no test notices is a failure. `./pkg-scripts/mutate server
 * denied` tries those whose name contains this word.
 */
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverMutations } from '../../tests/mutations/server.mjs';
import { setUpDatabases } from './databases.mjs';
import { layOver } from './files.mjs';
import { build } from './make.mjs';
import { tryMutations } from './mutant-vitest.mjs';
import { mutated } from './mutation.mjs';
import { bundle } from './package.mjs';
import { at } from './shell.mjs';

const dist = at('target/mutants-of-server/dist');

/** Tries the mutations whose name contains all these words. Throws a `Failure` if one survives. */
export async function mutateServer(words = []) {
  await build();
  await setUpDatabases();
  await tryMutations({
    name: 'toolgate/server',
    command: './pkg-scripts/mutate server',
    mutations: serverMutations,
    words,
    config: 'pkg-scripts/lib/mutants.vitest.mjs',
    tests: ['tests/server', 'tests/tools', 'tests/seeds/4-approval-pre-resolution'],
    prepare: bundleWith,
  });
}

/** Builds the package, with a mutation or unchanged, in the folder that the tests' configuration names. */
async function bundleWith(mutation) {
  const source = mutation && mutated(mutation);
  const plugin = {
    name: 'mutation',
    setup({ onLoad }) {
      onLoad({ filter: /src.ts.(?:server.\w+|server|tools|json).[\w-]+\.ts$/ }, ({ path }) =>
        mutation && resolve(path) === resolve(at(mutation.file)) ? { contents: source, loader: 'ts' } : undefined,
      );
    },
  };
  const { outputFiles } = await bundle({ plugins: [plugin] });
  layOver(dist, new Map(outputFiles.map(({ path, contents }) => [path, contents])));
  cpSync(at('pkg/dist/toolgate.wasm'), join(dist, 'toolgate.wasm'));
  return { TOOLGATE_DIST: dist };
}
