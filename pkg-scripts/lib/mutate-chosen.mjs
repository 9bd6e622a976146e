/**
 * `./pkg-scripts/mutate chosen`: 100 mutations of the crate that a seed chooses (chosen-mutations.mjs), each noticed by
 * the native tests alone, except for those that tests/mutations/without-effect.mjs lists. `./pkg-scripts/mutate chosen
 * 7` takes another seed, prints what survives, and expects nothing.
 */
import { SEED, withoutEffect } from '../../tests/mutations/without-effect.mjs';
import { chosenMutations } from './chosen-mutations.mjs';
import { MutantCrate } from './mutant-crate.mjs';
import { record } from './mutation-record.mjs';
import { Failure, say } from './shell.mjs';

const COUNT = 100;
/** Some of those that are chosen do not compile. */
const SPARE = 60;

/** Tries the mutations of a seed. `tryTests(crate, mutations, timeout)` returns those that no test found. */
export async function mutateChosen([word], { timeoutsOf, tryTests }) {
  const began = Date.now();
  const seed = Number(word ?? SEED);
  say('compiling the mutations');
  const candidates = chosenMutations({ seed, count: COUNT + SPARE });
  const crate = new MutantCrate(candidates, ['host']);
  const chosen = candidates.filter((one) => crate.isSwitched(one)).slice(0, COUNT);
  if (chosen.length < COUNT) throw new Failure(`only ${chosen.length} of ${candidates.length} mutations compile`);
  const timeouts = await timeoutsOf(crate);
  const survivors = [...(await tryTests(crate, chosen, timeouts.get('host')))].map(({ says }) => says);
  if (word !== undefined) return console.log(`\n${survivors.length} of ${COUNT} survive.\n${survivors.join('\n')}`);
  const listed = withoutEffect.map(({ says }) => says);
  const unknown = survivors.filter((says) => !listed.includes(says));
  const noticed = listed.filter((says) => !survivors.includes(says));
  if (unknown.length) throw new Failure(`${unknown.length} of ${COUNT} mutations survive:\n${unknown.join('\n')}`);
  if (noticed.length) throw new Failure(`these are noticed, or not chosen any more:\n${noticed.join('\n')}`);
  record('./pkg-scripts/mutate chosen', { mutations: COUNT, found: COUNT - survivors.length, began });
}
