/**
 * `./pkg-scripts/mutate evidence`: shows that the tests of `toolgate/evidence` can fail. The tests run on the sources,
 * as those of `mutate persist` do. `./pkg-scripts/mutate evidence seal` tries those whose name contains this word.
 */
import { evidenceMutations } from '../../tests/mutations/evidence.mjs';
import { mutateSources } from './mutate-persist.mjs';

/** Tries the mutations whose name contains all these words. Throws a `Failure` if one survives. */
export const mutateEvidence = (words = []) =>
  mutateSources({
    name: 'toolgate/evidence',
    command: './pkg-scripts/mutate evidence',
    mutations: evidenceMutations,
    words,
    tests: ['tests/evidence/', 'tests/server/canonical'],
  });
