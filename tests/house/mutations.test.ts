/** Every mutation finds the text that it replaces exactly once, and has a unique name. */
import { expect, test } from 'vitest';
import { mutated } from '../../pkg-scripts/lib/mutation.mjs';
import { evidenceMutations } from '../mutations/evidence.mjs';
import { persistMutations } from '../mutations/persist.mjs';
import { serverMutations } from '../mutations/server.mjs';
import { mutations } from '../mutations/crate.mjs';

const all = [...mutations, ...serverMutations, ...persistMutations, ...evidenceMutations];

test.each(all)('$says', (mutation) => {
  expect(mutated(mutation)).not.toBe('');
  expect(all.filter(({ says }) => says === mutation.says)).toEqual([mutation]);
});
