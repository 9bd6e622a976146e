/**
 * `./pkg-scripts/mutate`: shows that each invariant has a test that can fail.
 *
 * Each mutation of tests/mutations.mjs must make a native test fail; and for each invariant the exploration (tests/explore) must
 * find one mutation at least, by a counterexample that names the invariant: it looks at those of an invariant until it has found
 * one, and at what the other tests let pass. All mutations are compiled once, in a copy of the crate (mutants-in-one-build.mjs).
 *
 * `./pkg-scripts/mutate 3 7` tries the mutations of those invariants only, `./pkg-scripts/mutate answers` (or another name of
 * its `lists`) those of tests/mutations-of-answers.mjs, any other words those whose name has them all; with `--explore` only the
 * exploration looks, and its counterexamples are printed. `MUTATE_WORKERS` is the number of mutants that run at once, without it
 * one less than there are processors. `./pkg-scripts/mutate server` tries the mutations of `toolgate/server` instead,
 * `./pkg-scripts/mutate persist` those of `toolgate/persist` and of the command seam.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { lists, mutations } from '../../tests/mutations.mjs';
import { compile, runTests } from './mutant-tests.mjs';
import { inOneBuild, mutantOfLine } from './mutants-in-one-build.mjs';
import { mutatePersist } from './mutate-persist.mjs';
import { mutateServer } from './mutate-server.mjs';
import { mutated } from './mutation.mjs';
import { record } from './mutation-record.mjs';
import { at, bold, Failure, main, say } from './shell.mjs';

const copy = at('target/mutants');
const workers = Number(process.env.MUTATE_WORKERS ?? Math.max(1, availableParallelism() - 1));
/** With a single thread the exploration's output would be mixed with the names of its tests. */
const threads = Math.max(2, Math.floor(availableParallelism() / workers));

await main(async () => {
  if (process.argv[2] === 'server') return mutateServer(process.argv.slice(3));
  if (process.argv[2] === 'persist') return mutatePersist(process.argv.slice(3));
  const began = Date.now();
  const printed = process.argv.includes('--explore');
  const asked = process.argv.slice(2).filter((word) => word !== '--explore');
  const run = { chosen: choose(asked), printed, explored: new Set(), survivors: [], broken: [], seen: 0 };
  setUp();

  say('compiling the mutations');
  const { executables, left } = compileTogether(run);
  say('the code as it is');
  run.timeouts = await timeoutsOf(executables);

  const waiting = run.chosen.map((_, index) => index + 1).filter((number) => !left.has(number));
  const work = async () => {
    for (let number = waiting.shift(); number; number = waiting.shift())
      await examine(run, number, executables, number);
  };
  await Promise.all(Array.from({ length: workers }, work));
  for (const number of left) await examineAlone(run, number);
  conclude(run, asked, began);
});

/** Prints the result. Throws a `Failure` if a mutation survives, or if the exploration finds none of an invariant. */
function conclude({ chosen, printed, explored, survivors, broken }, asked, began) {
  if (broken.length) throw new Failure(`${broken.length} mutations do not compile: ${broken.join('; ')}`);
  if (asked.length === 0 && !printed)
    record('./pkg-scripts/mutate', { mutations: chosen.length, found: chosen.length - survivors.length, began });
  if (!printed && survivors.length)
    throw new Failure(`${survivors.length} of ${chosen.length} mutations survive:\n  ${survivors.join('\n  ')}`);
  const invariants = new Set(chosen.map(({ invariant }) => invariant));
  const unexplored = [...invariants].filter((invariant) => !explored.has(invariant));
  if (unexplored.length && asked.every(isNumber))
    throw new Failure(`the exploration finds no mutation of invariant ${unexplored.join(', ')}`);
  console.log(
    `\nAll ${chosen.length} mutations were noticed${unexplored.length ? '' : '; the exploration finds one of every invariant at least'}.`,
  );
}

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

/** The copy of the crate, but for its sources. */
function setUp() {
  mkdirSync(copy, { recursive: true });
  for (const name of ['Cargo.toml', 'Cargo.lock']) cpSync(at(name), join(copy, name));
  rmSync(join(copy, 'tests'), { recursive: true, force: true });
  symlinkSync(at('tests'), join(copy, 'tests'));
}

/** Compiles the copy with the committed sources, but for these files. */
function compileWith(sources, printed) {
  rmSync(join(copy, 'src'), { recursive: true, force: true });
  cpSync(at('src'), join(copy, 'src'), { recursive: true });
  for (const [file, source] of sources) writeFileSync(join(copy, file), source);
  return compile(copy, printed ? ['explore'] : ['host', 'explore']);
}

/** The executables with all mutations that can be switched, and the numbers of those that must be compiled alone. */
function compileTogether({ chosen, printed }) {
  const left = new Set();
  for (;;) {
    const made = inOneBuild(chosen, left);
    const { executables, errors } = compileWith(made.sources, printed);
    if (errors.length === 0) return { executables: keep(executables), left };
    // What does not compile here may compile alone; if it does not, the list is wrong.
    for (const { file, line, text } of errors) {
      const source = made.sources.get(file) ?? readFileSync(join(copy, file), 'utf8');
      const number = mutantOfLine(source, line);
      if (number === 0) throw new Failure(`the code does not compile with its mutations:\n${text}`);
      left.add(number);
    }
  }
}

/** Puts executables where another build does not write over them. */
function keep(executables) {
  mkdirSync(join(copy, 'kept'), { recursive: true });
  return new Map(
    [...executables].map(([target, executable]) => {
      const kept = join(copy, 'kept', target);
      cpSync(executable, kept);
      return [target, kept];
    }),
  );
}

/** After how many milliseconds each target does not end. Throws a `Failure` unless all its tests pass without any mutation. */
async function timeoutsOf(executables) {
  const timeouts = new Map();
  for (const [target, executable] of executables) {
    const { failed, took } = await runTests(executable, { folder: copy, threads });
    if (failed.length) throw new Failure(`these tests fail without any mutation: ${failed.join(', ')}`);
    // Other mutants may run beside it.
    timeouts.set(target, Math.max(60_000, 10 * took));
  }
  return timeouts;
}

/** Runs the tests of one mutation in these executables, and prints what noticed it. `mutant`: its number there. */
async function examine(run, number, executables, mutant) {
  const { chosen, printed, explored, survivors, timeouts } = run;
  const { invariant, says } = chosen[number - 1];
  const found = [];
  for (const [target, executable] of executables) {
    const explores = target === 'explore';
    if (explores && !printed && found.length && explored.has(invariant)) continue;
    const isEnough = explores
      ? (output) => !printed && counterexamples(output).some((text) => names(text, invariant))
      : undefined;
    const timeout = timeouts.get(target);
    const { output, failed } = await runTests(executable, { folder: copy, mutant, timeout, threads, isEnough });
    if (failed.length) found.push({ target, output, failed });
  }
  const counterexample = shortest(found.find(({ target }) => target === 'explore')?.output ?? '', invariant);
  if (counterexample && names(counterexample, invariant)) explored.add(invariant);
  if (found.length === 0) survivors.push(says);
  run.seen += 1;
  const by = found.map(({ target, failed }) => `${target}: ${failed[0]}`).join(', ');
  console.log(
    `${run.seen}/${chosen.length}  ${says} (invariant ${invariant})\n      ${by || bold('NO TEST FAILS')}` +
      (counterexample ? `\n${indent(printed ? counterexample : counterexample.split('\n')[0])}` : ''),
  );
}

/** As `examine`, in a build with this mutation alone. */
async function examineAlone(run, number) {
  const mutation = run.chosen[number - 1];
  const { executables, errors } = compileWith(new Map([[mutation.file, mutated(mutation)]]), run.printed);
  if (errors.length === 0) return examine(run, number, executables, 0);
  run.broken.push(mutation.says);
  console.log(`${mutation.says}\n      ${bold('DOES NOT COMPILE')}\n${indent(errors[0].text)}`);
}

/** The counterexamples that the exploration has printed to their end. */
function counterexamples(output) {
  return output.match(/^invariant \d+: [^]*?(?=^note: |^stack |^thread |^test |^$)/gm) ?? [];
}

function names(counterexample, invariant) {
  return counterexample.startsWith(`invariant ${invariant}:`);
}

/** The shortest counterexample of a run, one that names the invariant if there is any; nothing if there is none. */
function shortest(output, invariant) {
  const all = counterexamples(output);
  const named = all.filter((text) => names(text, invariant));
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
