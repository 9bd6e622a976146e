/**
 * `./pkg-scripts/mutate persist`: shows that the tests of `toolgate/persist` and of the command seam can fail.
 *
 * The tests run on the sources, once for each mutation of tests/mutations-of-persist.mjs, which is made as the file is read. A
 * mutation that no test notices is a failure. `./pkg-scripts/mutate persist stored` tries those whose name has this word.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { persistMutations } from '../../tests/mutations-of-persist.mjs';
import { build } from './make.mjs';
import { mutated } from './mutation.mjs';
import { at, bold, Failure, say } from './shell.mjs';

const TESTS = ['tests/persist/', 'tests/gate/commands'];

/** Tries those whose name has all these words. Throws a `Failure` if one survives. */
export async function mutatePersist(words = []) {
  const chosen = persistMutations.filter(({ says }) => words.every((word) => says.includes(word)));
  await build();
  mkdirSync(at('target'), { recursive: true });
  say('toolgate/persist as it is');
  const began = Date.now();
  const failing = failedTests({ timeout: 1_800_000 });
  // What ends much later than that does not end, on a machine that is as busy as now.
  const timeout = Math.max(180_000, 4 * (Date.now() - began));
  if (failing.length) throw new Failure(`these tests fail without any mutation: ${failing.join(', ')}`);
  const survivors = [];
  for (const mutation of chosen) {
    const failed = failedTests({ mutation, timeout });
    if (failed.length === 0) survivors.push(mutation.says);
    console.log(
      `    ${mutation.says}\n      ${failed.length ? `${failed.length} (${failed[0]})` : bold('NO TEST FAILS')}`,
    );
  }
  if (survivors.length)
    throw new Failure(`${survivors.length} of ${chosen.length} mutations survive: ${survivors.join('; ')}`);
  console.log(`\nAll ${chosen.length} mutations of toolgate/persist were noticed.`);
}

/** The names of the tests that fail on the sources, one of them mutated. `timeout`: how long they may take, in ms. */
function failedTests({ mutation, timeout }) {
  const source = at('target/mutant-of-persist.ts');
  if (mutation) writeFileSync(source, mutated(mutation));
  const args = [
    'run',
    '--config',
    'pkg-scripts/lib/mutants-of-persist.vitest.mjs',
    '--reporter=json',
    '--bail=1',
    ...TESTS,
  ];
  const env = { ...process.env, ...(mutation && { MUTANT: source, MUTATED: at(mutation.file) }) };
  const { stdout, stderr, error } = spawnSync(at('node_modules/.bin/vitest'), args, {
    cwd: at(),
    env,
    encoding: 'utf8',
    timeout,
    maxBuffer: 1 << 28,
  });
  if (error?.code === 'ETIMEDOUT') return ['(the tests do not end)'];
  const report = /^\{.*\}$/m.exec(stdout ?? '');
  if (!report) throw new Failure(`the tests could not be run:\n${(stderr ?? String(error)).slice(-3000)}`);
  const { testResults, success } = JSON.parse(report[0]);
  const failed = testResults.flatMap(({ assertionResults, status, name }) => {
    const names = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    return names.length === 0 && status === 'failed' ? [`${name} as a whole`] : names;
  });
  return failed.length === 0 && !success ? ['(an error outside of the tests)'] : failed;
}
