/**
 * Runs JavaScript tests on broken code, one mutation after the other. `mutate server` and `mutate persist` share it.
 */
import { spawnSync } from 'node:child_process';
import { record } from './mutation-record.mjs';
import { at, bold, Failure, say } from './shell.mjs';

/**
 * How the tests of a mutant run, for vitest's configuration: all files share one process and its modules, which takes
 * half of the time, and the first failing test ends the run.
 *
 * @param {{ first?: string, last?: string[] }} [order] `first`: a file that counts the process's timers; `last`: slow
 * files; most mutants are found before they run
 */
export function quickTests({ first, last = [] } = {}) {
  const rank = ({ moduleId }) =>
    first && moduleId.endsWith(first) ? -1 : last.findIndex((name) => moduleId.endsWith(name)) + 1;
  return {
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    bail: 1,
    testTimeout: 20_000,
    sequence: {
      sequencer: class {
        shard(files) {
          return files;
        }
        sort(files) {
          return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
        }
      },
    },
  };
}

/**
 * Tries mutations, and prints which test found each. Throws a `Failure` if one survives.
 *
 * @param {object} given
 * @param {string} given.name the broken part, for messages
 * @param {string} given.command as tests/mutations.md has it
 * @param {{ says: string }[]} given.mutations
 * @param {string[]} given.words only the mutations whose name has all of them; a run of all is recorded
 * @param {string} given.config vitest's
 * @param {string[]} given.tests files and folders
 * @param {(mutation?: { says: string }) => Promise<Record<string, string>>} given.prepare prepares the files for the
 * tests of a mutation, or of the unchanged code; resolves to their environment variables
 */
export async function tryMutations({ name, command, mutations, words, config, tests, prepare }) {
  const chosen = mutations.filter(({ says }) => words.every((word) => says.includes(word)));
  if (chosen.length === 0) throw new Failure(`there is no mutation for ${words.join(' ')}`);
  const began = Date.now();
  say(`${name} as it is`);
  const env = await prepare();
  const start = Date.now();
  const failing = failedTests({ config, tests, env, timeout: 1_800_000 });
  if (failing.length) throw new Failure(`these tests fail without any mutation: ${failing.join(', ')}`);
  // Tests that take much longer than this count as endless, given how busy the machine is now.
  const timeout = Math.max(120_000, 4 * (Date.now() - start));
  const survivors = [];
  for (const [index, mutation] of chosen.entries()) {
    const failed = failedTests({ config, tests, env: await prepare(mutation), timeout });
    if (failed.length === 0) survivors.push(mutation.says);
    console.log(`${index + 1}/${chosen.length}  ${mutation.says}\n      ${failed[0] ?? bold('NO TEST FAILS')}`);
  }
  if (words.length === 0) record(command, { mutations: chosen.length, found: chosen.length - survivors.length, began });
  if (survivors.length)
    throw new Failure(`${survivors.length} of ${chosen.length} mutations survive:\n  ${survivors.join('\n  ')}`);
  console.log(`\nAll ${chosen.length} mutations of ${name} were noticed.`);
}

/** The names of the tests that fail. `timeout`: how long they may take, in ms. */
function failedTests({ config, tests, env, timeout }) {
  const { stdout, stderr, error } = spawnSync(
    at('node_modules/.bin/vitest'),
    ['run', '--config', config, '--reporter=json', ...tests],
    {
      cwd: at(),
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 28,
    },
  );
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
