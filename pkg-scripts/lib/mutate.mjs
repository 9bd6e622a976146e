/**
 * `./pkg-scripts/mutate`: shows that each invariant has a test that can fail.
 *
 * Each mutation of tests/mutations.mjs is made in a copy of the crate, and the native tests must fail there; and for each
 * invariant the exploration (tests/explore) must find one mutation at least, by a counterexample that names it: it looks at
 * those of an invariant until it has found one, and at what the other tests let pass. It takes a good while, so it is no
 * stage of `test`: run it after a change to the machine, or to its tests.
 * `./pkg-scripts/mutate 3 7` tries the mutations of those invariants only, `./pkg-scripts/mutate answers` (or another name of
 * its `lists`) those of tests/mutations-of-answers.mjs, any other words those whose name has them all; with `--explore` only the
 * exploration looks, and its counterexamples are printed. `./pkg-scripts/mutate server` tries those of `toolgate/server` instead,
 * `./pkg-scripts/mutate persist` those of `toolgate/persist` and of the command seam.
 *
 * Tests that compare a committed file are left out: they notice every change of the table, and prove nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lists, mutations } from '../../tests/mutations.mjs';
import { mutatePersist } from './mutate-persist.mjs';
import { mutateServer } from './mutate-server.mjs';
import { mutated } from './mutation.mjs';
import { at, bold, Failure, main, say } from './shell.mjs';

const copy = at('target/mutants');
/** Fewer random sequences than usual: a mutant that is hard to find shows that a test with a name is missing. */
const CASES = process.env.PROPTEST_CASES ?? '128';
/** A mutant whose tests take longer than this, and than ten times what they take without it, does not end. */
const MINUTES = 5;
const longest = {};

await main(async () => {
  if (process.argv[2] === 'server') return mutateServer(process.argv.slice(3));
  if (process.argv[2] === 'persist') return mutatePersist(process.argv.slice(3));
  const printed = process.argv.includes('--explore');
  const asked = process.argv.slice(2).filter((word) => word !== '--explore');
  const chosen = choose(asked);
  mkdirSync(copy, { recursive: true });
  for (const name of ['Cargo.toml', 'Cargo.lock']) cpSync(at(name), join(copy, name));
  rmSync(join(copy, 'tests'), { recursive: true, force: true });
  symlinkSync(at('tests'), join(copy, 'tests'));
  restore();

  const targets = printed ? ['explore'] : ['host', 'explore'];
  say('the code as it is');
  const failing = targets.flatMap((target) => test(target).failed);
  if (failing.length) throw new Failure(`these tests fail without any mutation: ${failing.join(', ')}`);

  const survivors = [];
  const explored = new Set();
  for (const mutation of chosen) {
    const { invariant, says, file } = mutation;
    writeFileSync(join(copy, file), mutated(mutation));
    const found = [];
    for (const target of targets) {
      if (!printed && target === 'explore' && found.length && explored.has(invariant)) continue;
      const { output, failed } = test(target);
      if (failed.length) found.push({ target, output, failed });
    }
    restore(file);
    const counterexample = shortest(found.find(({ target }) => target === 'explore')?.output ?? '', invariant);
    if (counterexample) explored.add(invariant);
    if (found.length === 0) survivors.push(mutation);
    const by = found.map(({ target, failed }) => `${target}: ${failed.length} (${failed[0]})`).join(', ');
    console.log(`${String(invariant).padStart(2)}  ${says}\n      ${by || bold('NO TEST FAILS')}`);
    if (counterexample) console.log(indent(printed ? counterexample : counterexample.split('\n')[0]));
  }
  const unexplored = [...new Set(chosen.map(({ invariant }) => invariant))].filter(
    (invariant) => !explored.has(invariant),
  );
  if (!printed && survivors.length) throw new Failure(`${survivors.length} of ${chosen.length} mutations survive`);
  if (unexplored.length && asked.every(isNumber))
    throw new Failure(`the exploration finds no mutation of invariant ${unexplored.join(', ')}`);
  console.log(
    `\nAll ${chosen.length} mutations were noticed${unexplored.length ? '' : '; the exploration finds one of every invariant at least'}.`,
  );
});

function isNumber(word) {
  return /^\d+$/.test(word);
}

/** The mutations that are asked for: of invariants, of lists, or with words in their names; without any, all. */
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

/** The shortest counterexample of a run, one that names the invariant if there is any; nothing if there is none. */
function shortest(output, invariant) {
  const all = output.match(/^invariant \d+: [^]*?(?=^note: |^stack |^test |^$)/gm) ?? [];
  const named = all.filter((text) => text.startsWith(`invariant ${invariant}:`));
  const length = (text) => Number(/^ by (\d+) inputs/m.exec(text)?.[1] ?? Infinity);
  return (named.length ? named : all).sort((a, b) => length(a) - length(b))[0];
}

function indent(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

/** Takes the sources over as they are: all, or one file. */
function restore(file) {
  const path = file ?? 'src';
  if (!file) rmSync(join(copy, 'src'), { recursive: true, force: true });
  cpSync(at(path), join(copy, path), { recursive: true });
}

/** Runs the tests of a target. A mutant that does not compile is a mistake in the list; one that does not end has failed. */
function test(target) {
  const env = { ...process.env, CARGO_TARGET_DIR: join(copy, 'target'), PROPTEST_CASES: CASES, RUST_BACKTRACE: '0' };
  const options = { cwd: copy, env, encoding: 'utf8', maxBuffer: 1 << 28 };
  const skip = ['--skip', 'the_committed_', '--skip', 'the_readme_'];
  const built = spawnSync('cargo', ['test', '--test', target, '--no-run'], options);
  if (built.status > 0) throw new Failure(`the mutant does not compile:\n${built.stderr.slice(-3000)}`);
  const start = Date.now();
  const { stdout, stderr, error } = spawnSync('cargo', ['test', '--test', target, '--', ...skip], {
    ...options,
    timeout: longest[target],
  });
  longest[target] ??= Math.max(MINUTES * 60_000, 10 * (Date.now() - start));
  if (error?.code === 'ETIMEDOUT') return { output: stdout, failed: ['(the tests do not end)'] };
  if (error) throw new Failure(`cargo could not be started: ${error.message}`);
  if (!stdout.includes('test result:')) throw new Failure(`the tests could not be run:\n${stderr.slice(-3000)}`);
  return { output: stdout, failed: [...stdout.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, name]) => name) };
}
