/**
 * Runs JavaScript tests on code with a mutation, one mutation after the other. `mutate server` and `mutate persist`
 * share it.
 */
import { spawnSync } from 'node:child_process';
import { record } from './mutation-record.mjs';
import { at, bold, Failure, say } from './shell.mjs';

/**
 * The part of vitest's configuration that says how the tests of a mutant run: all files share one process and its
 * modules, which takes half of the time, and the first failing test ends the run.
 *
 * @param {{ first?: string, last?: string[] }} [order] `first`: a file that counts the timers of the process, so no
 * other file may run before it; `last`: slow files, because faster ones find most mutants
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
 * @param {string} given.command the command's name in tests/mutations/README.md
 * @param {{ says: string }[]} given.mutations
 * @param {string[]} given.words selects the mutations whose name contains all these words; a run of all mutations is
 * recorded
 * @param {string} given.config the path of vitest's configuration
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
  // The time without a mutation shows how busy the computer is. Tests that take much longer count as endless.
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
  return failed.length === 0 && !success ? ['(an error outside the tests)'] : failed;
}
