/**
 * `./pkg-scripts/mutate`: shows that each invariant has a test that can fail.
 *
 * Each mutation of tests/mutations.mjs is made in a copy of the crate, and the native tests must fail there. It takes
 * minutes, so it is no stage of `test`: run it after a change to the machine, or to its tests. `./pkg-scripts/mutate 3 7`
 * tries the mutations of those invariants only.
 *
 * Tests that compare a committed file are left out: they notice every change of the table, and prove nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutations } from '../../tests/mutations.mjs';
import { at, bold, Failure, main, say } from './shell.mjs';

const copy = at('target/mutants');
/** Fewer random sequences than usual: a mutant that is hard to find shows that a test with a name is missing. */
const CASES = process.env.PROPTEST_CASES ?? '128';
/** A mutant whose tests take longer than this does not end. */
const MINUTES = 5;

await main(async () => {
  const asked = process.argv.slice(2).map(Number);
  const chosen = mutations.filter(({ invariant }) => asked.length === 0 || asked.includes(invariant));
  mkdirSync(copy, { recursive: true });
  for (const name of ['Cargo.toml', 'Cargo.lock']) cpSync(at(name), join(copy, name));
  rmSync(join(copy, 'tests'), { recursive: true, force: true });
  symlinkSync(at('tests'), join(copy, 'tests'));
  restore();

  say('the code as it is');
  const before = test();
  if (before.failed.length) throw new Failure(`these tests fail without any mutation: ${before.failed.join(', ')}`);

  const survivors = [];
  const told = new Set();
  for (const mutation of chosen) {
    const { invariant, says, file } = mutation;
    apply(mutation);
    const { failed, output } = test();
    restore(file);
    const checked = output.includes(`invariant ${invariant}:`);
    if (checked) told.add(invariant);
    if (failed.length === 0) survivors.push(mutation);
    const by = failed.length ? `${failed.length} tests fail${checked ? ', and the checker names it' : ''}: ${failed[0]}` : bold('NO TEST FAILS');
    console.log(`${String(invariant).padStart(2)}  ${says}\n      ${by}`);
  }
  for (const invariant of new Set(chosen.map(({ invariant }) => invariant))) {
    if (!told.has(invariant)) say(`no mutation made the checker name invariant ${invariant}; named tests found them`);
  }
  if (survivors.length) throw new Failure(`${survivors.length} of ${chosen.length} mutations survive`);
  console.log(`\nAll ${chosen.length} mutations were found.`);
});

/** Takes the sources over as they are: all, or one file. */
function restore(file) {
  const path = file ?? 'src';
  if (!file) rmSync(join(copy, 'src'), { recursive: true, force: true });
  cpSync(at(path), join(copy, path), { recursive: true });
}

/** Makes one mutation. Spaces and line breaks don't matter; the text must stand in the file exactly once. */
function apply({ file, find, put, says }) {
  const words = find.trim().split(/\s+/).map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const pattern = new RegExp(words.join('\\s+'), 'g');
  const source = readFileSync(at(file), 'utf8');
  const found = source.match(pattern)?.length ?? 0;
  if (found !== 1) throw new Failure(`the mutation "${says}" looks for a text that stands ${found} times in ${file}: mend tests/mutations.mjs`);
  writeFileSync(join(copy, file), source.replace(pattern, () => put));
}

/** Runs the native tests. A mutant that does not compile is a mistake in the list; one that does not end has failed. */
function test() {
  const env = { ...process.env, CARGO_TARGET_DIR: join(copy, 'target'), PROPTEST_CASES: CASES, RUST_BACKTRACE: '0' };
  const options = { cwd: copy, env, encoding: 'utf8', timeout: MINUTES * 60_000, maxBuffer: 1 << 28 };
  const skip = ['--skip', 'the_committed_', '--skip', 'the_readme_'];
  const { stdout, stderr, error } = spawnSync('cargo', ['test', '--test', 'host', '--', ...skip], options);
  if (error?.code === 'ETIMEDOUT') return { output: stdout, failed: ['(the tests do not end)'] };
  if (error) throw new Failure(`cargo could not be started: ${error.message}`);
  if (!stdout.includes('test result:')) throw new Failure(`the mutant does not compile:\n${stderr.slice(-3000)}`);
  return { output: stdout, failed: [...stdout.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, name]) => name) };
}
