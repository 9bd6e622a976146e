/**
 * `./pkg-scripts/mutate`: shows that each invariant has a test that can fail.
 *
 * Each mutation of tests/mutations/crate.mjs must make a native test fail. Then the exploration (tests/explore) tries
 * the mutations that no other test found. For each invariant it must also find at least one mutation, with a
 * counterexample that names the invariant: it tries one after the other until it has found one. All mutations are
 * compiled once, in a copy of the crate (mutants-in-one-build.mjs).
 *
 * `./pkg-scripts/mutate 3 7` tries the mutations of those invariants. `./pkg-scripts/mutate answers` tries those of
 * tests/mutations/answers.mjs; `lists` in tests/mutations/crate.mjs has more such names. Any other words select the
 * mutations whose name contains all of them. With `--explore` only the exploration runs, on each selected mutation, and
 * its counterexamples are printed. `MUTATE_WORKERS` is the number of mutants that run at once. Default: one less than
 * the number of processors. `./pkg-scripts/mutate server` tries the mutations of `toolgate/server` instead,
 * `./pkg-scripts/mutate persist` those of `toolgate/persist` and of the gate's commands, `./pkg-scripts/mutate
 * evidence` those of `toolgate/evidence`. `./pkg-scripts/mutate chosen` tries 100 that a seed chooses.
 */
import { availableParallelism } from 'node:os';
import { lists, mutations } from '../../tests/mutations/crate.mjs';
import { MutantCrate } from './mutant-crate.mjs';
import { runTests } from './mutant-tests.mjs';
import { mutateChosen } from './mutate-chosen.mjs';
import { mutateEvidence } from './mutate-evidence.mjs';
import { mutatePersist } from './mutate-persist.mjs';
import { mutateServer } from './mutate-server.mjs';
import { exploredBefore, record, recordExplored } from './mutation-record.mjs';
import { bold, Failure, main, say } from './shell.mjs';

const workers = Number(process.env.MUTATE_WORKERS ?? Math.max(1, availableParallelism() - 1));
const threads = Math.max(1, Math.floor(availableParallelism() / workers));
/**
 * The profiles of the exploration: all profiles of `cargo test`, and one with a backend that contradicts itself, which
 * is normally a long profile. They run at the same time, because most counterexamples are short and any profile may
 * find one.
 */
const exploring = { threads: 8, env: { EXPLORE: 'one-stray' } };

await main(async () => {
  if (process.argv[2] === 'server') return mutateServer(process.argv.slice(3));
  if (process.argv[2] === 'persist') return mutatePersist(process.argv.slice(3));
  if (process.argv[2] === 'evidence') return mutateEvidence(process.argv.slice(3));
  if (process.argv[2] === 'chosen') return mutateChosen(process.argv.slice(3), { timeoutsOf, tryTests });
  const began = Date.now();
  const isPrinted = process.argv.includes('--explore');
  const asked = process.argv.slice(2).filter((word) => word !== '--explore');
  const chosen = choose(asked);
  const targets = isPrinted ? ['explore'] : ['host', 'explore'];

  say('compiling the mutations');
  const crate = new MutantCrate(chosen, targets);
  const timeouts = await timeoutsOf(crate);
  if (isPrinted) return printCounterexamples(crate, chosen, timeouts.get('explore'));

  const unnoticed = await tryTests(crate, chosen, timeouts.get('host'));
  const explored = await tryExploration(crate, chosen, unnoticed, timeouts.get('explore'));
  if (crate.broken.size)
    throw new Failure(`${crate.broken.size} mutations do not compile:\n${[...crate.broken.values()].join('\n')}`);
  if (asked.length === 0) {
    record('./pkg-scripts/mutate', { mutations: chosen.length, found: chosen.length - unnoticed.size, began });
    recordExplored(explored);
  }
  conclude(chosen, unnoticed, explored, asked);
});

/**
 * Prints the result. Throws a `Failure` if a mutation survives, or if the exploration finds no mutation of an
 * invariant.
 */
function conclude(chosen, unnoticed, explored, asked) {
  const survivors = [...unnoticed].map((mutation) => `\n  ${mutation.says}`);
  if (survivors.length)
    throw new Failure(`${survivors.length} of ${chosen.length} mutations survive:${survivors.join('')}`);
  const unexplored = invariantsOf(chosen).filter((invariant) => !explored.has(invariant));
  if (unexplored.length && asked.every(isNumber))
    throw new Failure(`the exploration finds no mutation of invariant ${unexplored.join(', ')}`);
  const byExploration = unexplored.length ? '' : '; the exploration finds at least one of each invariant';
  console.log(`\nAll ${chosen.length} mutations were noticed${byExploration}.`);
}

function invariantsOf(chosen) {
  return [...new Set(chosen.map(({ invariant }) => invariant))].sort((a, b) => a - b);
}

function isNumber(word) {
  return /^\d+$/.test(word);
}

/**
 * The mutations that the arguments select: by invariant, by list, or by words in their names. Without arguments: all.
 */
function choose(asked) {
  const words = asked.filter((word) => !isNumber(word) && !(word in lists));
  const invariants = asked.filter(isNumber).map(Number);
  const listed = asked.flatMap((word) => lists[word] ?? []);
  const chosen = mutations.filter(
    (mutation) =>
      words.every((word) => mutation.says.includes(word)) &&
      (invariants.length + listed.length === 0 || invariants.includes(mutation.invariant) || listed.includes(mutation)),
  );
  if (chosen.length === 0) throw new Failure(`there is no mutation for ${asked.join(' ')}`);
  return chosen;
}

/**
 * For each target, the time in milliseconds after which its tests count as endless. Throws a `Failure` unless all tests
 * pass without any mutation.
 */
async function timeoutsOf(crate) {
  const timeouts = new Map();
  for (const [target, executable] of crate.unmutated()) {
    say(`the code without a mutation: ${target}`);
    const how = target === 'explore' ? { ...exploring, isEnough: () => false } : { threads };
    const { failed, took } = await runTests(executable, { folder: crate.folder, ...how });
    if (failed.length) throw new Failure(`these tests fail without any mutation: ${failed.join(', ')}`);
    // Other mutants may run at the same time.
    timeouts.set(target, Math.max(60_000, 10 * took));
  }
  return timeouts;
}

/** Runs the native tests of each mutation, and prints which test found it. Returns the mutations that no test found. */
async function tryTests(crate, chosen, timeout) {
  const unnoticed = new Set();
  let seen = 0;
  await inParallel(chosen, async (mutation) => {
    const options = crate.of(mutation, 'host');
    const { failed } = options ? await runTests(options.executable, { ...options, timeout, threads }) : { failed: [] };
    if (options && failed.length === 0) unnoticed.add(mutation);
    seen += 1;
    const by = options ? (failed[0] ?? bold('NO TEST FAILS')) : bold('DOES NOT COMPILE');
    const breaks = mutation.invariant ? ` (invariant ${mutation.invariant})` : '';
    console.log(`${seen}/${chosen.length}  ${mutation.says}${breaks}\n      ${by}`);
  });
  return unnoticed;
}

/**
 * Explores the mutations that no test found, and removes those that the exploration finds from `unnoticed`. Then
 * explores mutations of each invariant until it finds one. Returns the found mutations by invariant.
 */
async function tryExploration(crate, chosen, unnoticed, timeout) {
  const explored = new Map();
  const before = exploredBefore();
  const search = async (mutation) => {
    const { invariant, says } = mutation;
    const options = crate.of(mutation, 'explore');
    if (!options) return;
    const isEnough = (output) => counterexamples(output).some((text) => names(text, invariant));
    const { failed, output } = await runTests(options.executable, { ...options, ...exploring, timeout, isEnough });
    if (failed.length) unnoticed.delete(mutation);
    const found = shortest(output, invariant);
    if (found && names(found, invariant)) explored.set(invariant, { says, inputs: inputsOf(found) });
    const by = found?.split('\n')[0] ?? failed[0] ?? 'is not found';
    console.log(`exploring ${invariant}  ${says}\n      ${by}`);
  };
  await inParallel([...unnoticed], search);
  await inParallel(invariantsOf(chosen), async (invariant) => {
    const all = chosen.filter((mutation) => mutation.invariant === invariant);
    for (const mutation of all.sort((a, b) => before.has(b.says) - before.has(a.says)))
      if (!explored.has(invariant)) await search(mutation);
  });
  return explored;
}

/** Explores each mutation completely, and prints the shortest counterexample. */
async function printCounterexamples(crate, chosen, timeout) {
  const isEnough = () => false;
  await inParallel(chosen, async (mutation) => {
    const options = crate.of(mutation, 'explore');
    if (!options) throw new Failure(crate.broken.get(mutation));
    const { failed, output } = await runTests(options.executable, { ...options, ...exploring, timeout, isEnough });
    const found = shortest(output, mutation.invariant) ?? failed[0] ?? 'is not found';
    console.log(`${mutation.invariant}  ${mutation.says}\n${indent(found)}`);
  });
}

/** Does the work for each item, as many at once as there are workers. */
async function inParallel(items, work) {
  const waiting = [...items];
  const next = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, next));
}

/** The counterexamples that the exploration has printed completely. */
function counterexamples(output) {
  return output.match(/^invariant \d+: [^]*?(?=^note: |^stack |^thread |^test |^$)/gm) ?? [];
}

/** Whether a counterexample names the invariant. A panic counts as invariant 11. */
function names(counterexample, invariant) {
  return counterexample.split('\n')[0].includes(`invariant ${invariant}: `);
}

function inputsOf(counterexample) {
  return Number(/^ by (\d+) inputs/m.exec(counterexample)?.[1] ?? Infinity);
}

/** The shortest counterexample of a run, preferably one that names the invariant; undefined if there is none. */
function shortest(output, invariant) {
  const all = counterexamples(output);
  const named = all.filter((text) => names(text, invariant));
  return (named.length ? named : all).sort((a, b) => inputsOf(a) - inputsOf(b))[0];
}

function indent(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}
