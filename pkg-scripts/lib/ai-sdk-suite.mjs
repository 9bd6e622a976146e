/**
 * `./pkg-scripts/ai-sdk-suite`: runs the chat tests of the AI SDK's repository three times: with the installed chats,
 * with `guard()` around each, and with `useGuardedChat`. Compares each result with that of the installed chats and with
 * the list of intended differences, and writes the counts into tests/ai-sdk-suite/README.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { checkoutOf, installedVersion, releaseFor } from './ai-sdk-checkout.mjs';
import { build } from './make.mjs';
import { setUpRig } from './rigs.mjs';
import { writeSection } from './sections.mjs';
import { at, Failure, main, say } from './shell.mjs';

const PAGE = 'tests/ai-sdk-suite/README.md';
const LIST = at('tests/ai-sdk-suite/differences.json');
const PACKAGES = ['ai', 'react', 'svelte', 'vue'];
const MODES = ['bare', 'guard', 'own'];
/** The names under which this project has the versions of `ai`. */
const INSTALLED = { 6: 'ai6', 7: 'ai' };

await main(async () => {
  const git = checkoutOf(process.argv[2]);
  await build();
  await setUpRig('ai-sdk-suite');
  const list = JSON.parse(readFileSync(LIST, 'utf8'));
  const rows = [];
  const problems = [];
  const seen = new Set();
  for (const major of [7, 6]) {
    const installed = installedVersion(INSTALLED[major]);
    const release = await releaseFor(git, installed);
    say(`the tests of ai ${release.version}, on ai ${installed}`);
    for (const name of PACKAGES) {
      const runs = MODES.map(async (mode) => [mode, await resultsOf({ release: release.folder, major, name, mode })]);
      const results = Object.fromEntries(await Promise.all(runs));
      say(`${name}: ${results.bare.length} tests`);
      const bare = new Map(results.bare.map((result) => [result.test, result]));
      for (const mode of ['guard', 'own']) {
        const counts = { equal: 0, meant: 0, none: 0, unexpected: 0 };
        for (const result of results[mode]) {
          const kind = judge(result, bare.get(result.test), {
            list,
            key: `${major} ${mode} ${name} > ${result.test}`,
            seen,
            problems,
          });
          counts[kind] += 1;
        }
        rows.push([`${release.version}`, `\`${name}\``, mode, results[mode].length, ...Object.values(counts)]);
      }
    }
  }
  for (const key of Object.keys(list))
    if (!seen.has(key)) problems.push(`${key}\n  is in the list, but does not differ`);
  if (process.env.BLESS === '1') writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  const head = ['tests of', 'package', 'chats', 'tests', 'equal', 'meant differences', 'not possible', 'unexpected'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  console.log(`\n${table}`);
  writeSection(PAGE, 'counts', table);
  if (problems.length > 0) throw new Failure(`${problems.length} unexpected:\n\n${problems.join('\n\n')}`);
});

/** Runs the tests of one package. Returns how each ended, in order. */
async function resultsOf({ release, major, name, mode }) {
  const file = at('target/reports', `ai-sdk-suite-${major}-${name}-${mode}.json`);
  mkdirSync(at('target/reports'), { recursive: true });
  rmSync(file, { force: true });
  const env = {
    SUITE_RELEASE: release,
    SUITE_MAJOR: String(major),
    SUITE_PACKAGE: name,
    SUITE_MODE: mode,
    SUITE_RESULTS: file,
  };
  const args = [
    'run',
    '--config',
    'tests/ai-sdk-suite/vitest.config.ts',
    '--reporter',
    'tests/ai-sdk-suite/reporter.ts',
  ];
  // Tests that fail are expected, so the output of the run is not shown.
  const child = spawn(at('node_modules/.bin/vitest'), args, {
    cwd: at(),
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  await once(child, 'close');
  if (!existsSync(file))
    throw new Failure(`the tests of ${name} did not run. Run vitest ${args.join(' ')} to see why.`);
  const { results, broken } = JSON.parse(readFileSync(file, 'utf8'));
  if (broken.length > 0 || results.length === 0)
    throw new Failure(`the tests of ${name} could not be loaded: ${broken.join('\n') || 'there are none'}`);
  return results;
}

/**
 * Compares a result with that of the installed chats, and with the list. A test that fails with the installed chats,
 * because it is of another version, must fail in the same way: if it passes, the chats differ too. What identifies the
 * difference then is the failure of the installed chats.
 */
function judge(
  { state, failure: own, message = 'passes, but fails with the installed chat' },
  bare,
  { list, key, seen, problems },
) {
  if (state === 'none') return 'none';
  if (own === bare?.failure) return 'equal';
  const failure = own ?? bare.failure;
  const listed = list[key];
  if (listed) seen.add(key);
  if (listed && process.env.BLESS === '1') listed.failure = failure;
  if (listed?.failure === failure) return 'meant';
  problems.push(`${key}\n  ${listed ? 'fails in another way than the list says' : 'is not in the list'}: ${message}`);
  return 'unexpected';
}
