/**
 * `./pkg-scripts/mutate persist`: shows that the tests of `toolgate/persist` and of the gate's commands can fail.
 *
 * The tests run on the sources, once for each mutation of tests/mutations/persist.mjs. The mutation is applied when
 * the file is read. A mutation that no test finds is a failure. `./pkg-scripts/mutate persist stored` tries those whose
 * name contains this word.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { persistMutations } from '../../tests/mutations/persist.mjs';
import { build } from './make.mjs';
import { tryMutations } from './mutant-vitest.mjs';
import { mutated } from './mutation.mjs';
import { at } from './shell.mjs';

/** Tries the mutations whose name contains all these words. Throws a `Failure` if one survives. */
export const mutatePersist = (words = []) =>
  mutateSources({
    name: 'toolgate/persist',
    command: './pkg-scripts/mutate persist',
    mutations: persistMutations,
    words,
    tests: ['tests/persist/', 'tests/gate/commands', 'tests/gate/saved-changes'],
  });

/** Tries mutations with tests that run on the sources. `given`: see `tryMutations`. */
export async function mutateSources(given) {
  await build();
  mkdirSync(at('target'), { recursive: true });
  await tryMutations({ ...given, config: 'pkg-scripts/lib/mutants-of-persist.vitest.mjs', prepare });
}

/** Writes the mutated file where the tests' configuration looks for it. */
async function prepare(mutation) {
  if (!mutation) return {};
  const source = at('target/mutant-of-persist.ts');
  writeFileSync(source, mutated(mutation));
  return { MUTANT: source, MUTATED: at(mutation.file) };
}
