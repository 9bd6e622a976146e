/**
 * `./pkg-scripts/mutate server`: shows that the tests of `toolgate/server` can fail.
 *
 * The package is bundled once for each mutation of tests/mutations-of-server.mjs, into a folder of its own, and the tests of
 * that entry are run against it. A mutation that no test notices is a failure. `./pkg-scripts/mutate server denied` tries
 * those whose name has this word.
 */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverMutations } from '../../tests/mutations-of-server.mjs';
import { layOver } from './files.mjs';
import { build } from './make.mjs';
import { mutated } from './mutation.mjs';
import { bundle } from './package.mjs';
import { at, bold, Failure, say } from './shell.mjs';

const folder = at('target/mutants-of-server');
const TESTS = ['tests/server', 'tests/tools', 'tests/seeds/4-approval-pre-resolution'];

/** Tries those whose name has all these words. Throws a `Failure` if one survives. */
export async function mutateServer(words = []) {
  const chosen = serverMutations.filter(({ says }) => words.every((word) => says.includes(word)));
  await build();
  say('toolgate/server as it is');
  await bundleWith();
  const failing = failedTests();
  if (failing.length) throw new Failure(`these tests fail without any mutation: ${failing.join(', ')}`);
  const survivors = [];
  for (const mutation of chosen) {
    await bundleWith(mutation);
    const failed = failedTests();
    if (failed.length === 0) survivors.push(mutation.says);
    console.log(
      `    ${mutation.says}\n      ${failed.length ? `${failed.length} (${failed[0]})` : bold('NO TEST FAILS')}`,
    );
  }
  if (survivors.length)
    throw new Failure(`${survivors.length} of ${chosen.length} mutations survive: ${survivors.join('; ')}`);
  console.log(`\nAll ${chosen.length} mutations of toolgate/server were noticed.`);
}

/** The package with a mutation, in the folder. */
async function bundleWith(mutation) {
  const source = mutation && mutated(mutation);
  const plugin = {
    name: 'mutation',
    setup({ onLoad }) {
      onLoad({ filter: /src.ts.(?:server|tools|json).[\w-]+\.ts$/ }, ({ path }) =>
        mutation && resolve(path) === resolve(at(mutation.file)) ? { contents: source, loader: 'ts' } : undefined,
      );
    },
  };
  const { outputFiles } = await bundle({ plugins: [plugin] });
  layOver(join(folder, 'dist'), new Map(outputFiles.map(({ path, contents }) => [path, contents])));
  cpSync(at('pkg/dist/toolgate.wasm'), join(folder, 'dist/toolgate.wasm'));
}

/** The names of the tests that fail against the folder. */
function failedTests() {
  const args = ['vitest', 'run', '--config', 'pkg-scripts/lib/mutants.vitest.mjs', '--reporter=json', ...TESTS];
  const env = { ...process.env, TOOLGATE_DIST: join(folder, 'dist') };
  const { stdout, stderr, error } = spawnSync('npx', ['--no-install', ...args], {
    cwd: at(),
    env,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 28,
  });
  if (error?.code === 'ETIMEDOUT') return ['(the tests do not end)'];
  const report = /^\{.*\}$/m.exec(stdout ?? '');
  if (!report) throw new Failure(`the tests could not be run:\n${(stderr ?? String(error)).slice(-3000)}`);
  const { testResults } = JSON.parse(report[0]);
  return testResults.flatMap(({ assertionResults, status, name }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    return failed.length === 0 && status === 'failed' ? [`${name} as a whole`] : failed;
  });
}
