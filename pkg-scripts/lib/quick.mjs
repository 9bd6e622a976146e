/**
 * `./pkg-scripts/test quick [commit]`: runs the checks that depend on the files that differ from the commit (default:
 * `HEAD`), without a browser. For a few files this takes less than a minute. `./pkg-scripts/test` without arguments,
 * which runs everything, must pass before a merge.
 */
import { existsSync, readdirSync } from 'node:fs';
import { checkCommentLines } from './comment-lines.mjs';
import { build } from './make.mjs';
import { setUpChecks } from './setup.mjs';
import { ask, at, Failure, run, say } from './shell.mjs';

/** The tests to run after a change of the crate, or of a folder of src/ts that has no tests of its own. */
const CORE = ['gate'];

/**
 * Tests that run other projects' programs or generate thousands of cases. They run only if the tests themselves have
 * changed.
 */
const SLOW = [
  /^tests\/(interop|soak|docs)\//,
  /explore\.test\.ts$/,
  /generated\.test\.ts$/,
  /^tests\/protocols\/(damage\/|types\.)/,
  /^tests\/server\/records\/(storm|stores)\./,
];

/** Tests of other stages: they need a browser or the packed tarball. */
const OTHER_STAGES = /^tests\/(packaging|browser-demo|persist-browser|element-browser|soak\/browser)\//;

/** Fewer random cases than usual. */
const CASES = '32';

/** Runs the checks for the changes since `commit`. Throws a `Failure` at the first check that fails. */
export async function quick(commit = 'HEAD') {
  const changed = changedSince(commit);
  if (changed.length === 0)
    return say(
      `no file differs from ${commit}, so nothing was checked. Name an older commit, for example: ./pkg-scripts/test quick HEAD~1`,
    );
  say(`${changed.length} changed: ${changed.slice(0, 6).join(', ')}${changed.length > 6 ? ', …' : ''}`);
  const crate = changed.filter((path) => /\.rs$|^Cargo\./.test(path));
  const scripts = changed.filter((path) => /\.(ts|tsx|js|jsx|mjs)$/.test(path) && existsSync(at(path)));
  await step('set-up', setUpChecks);
  if (crate.length) {
    await step('cargo fmt', () => run('cargo', ['fmt', '--check']));
    await step('cargo clippy', () =>
      run('cargo', ['clippy', '--quiet', '--lib', '--test', 'host', '--', '-D', 'warnings']),
    );
    await step('cargo test', () =>
      run('cargo', ['test', '--quiet', ...targets(crate)], { env: { PROPTEST_CASES: CASES }, quiet: true }),
    );
  }
  if (scripts.length) {
    await step('prettier', () => run(at('node_modules/.bin/prettier'), ['--check', '--log-level=warn', ...scripts]));
  }
  await step('comment lines', checkCommentLines);
  await step('build', build);
  // tests/ and www/ use types that are generated from the crate's enums, so a change of the crate can break them.
  if (scripts.length || crate.length) await step('types', types);
  if (scripts.length) {
    await step('oxlint', () =>
      run(at('node_modules/.bin/oxlint'), ['--no-error-on-unmatched-pattern', ...scripts], { quiet: true }),
    );
  }
  if (changed.some((path) => /^(docs\/|README\.md|CHANGELOG\.md)/.test(path))) {
    say('the samples and links of the docs are not checked here: npx vitest run --project unit tests/docs');
  }
  const tests = testsFor(changed);
  if (tests.length) {
    const vitest = ['run', '--project', 'unit', '--silent=passed-only', ...tests];
    await step(`${tests.length} test files`, () => run(at('node_modules/.bin/vitest'), vitest, { quiet: true }));
  }
}

/** The files that differ from a commit, new ones too, as paths of the repository. */
function changedSince(commit) {
  const differing = ask('git', ['diff', '--name-only', commit]);
  if (differing === null) throw new Failure(`\`git diff ${commit}\` failed. ${commit} must be a commit.`);
  const added = ask('git', ['ls-files', '--others', '--exclude-standard']) ?? '';
  return [...new Set(`${differing}\n${added}`.split('\n'))].filter((path) => path !== '' && path !== 'node_modules');
}

async function step(name, body) {
  const started = Date.now();
  await body();
  say(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** Runs tsc, which checks only the files that have changed since its last run. */
function types() {
  return run(at('node_modules/.bin/tsc'), [
    '-p',
    'tsconfig.json',
    '--incremental',
    '--tsBuildInfoFile',
    'target/quick.tsbuildinfo',
  ]);
}

/** The test targets of the crate to run: `host`, and `explore` or `fuzz` if one of its files has changed. */
function targets(changed) {
  const own = changed.map((path) => /^tests\/(explore|fuzz)\//.exec(path)?.[1]).filter(Boolean);
  return ['host', ...new Set(own)].flatMap((name) => ['--test', name]);
}

/** The files of vitest's project `unit` to run. */
function testsFor(changed) {
  const folders = new Set(changed.flatMap(foldersFor));
  const found = [...folders].flatMap(testFilesIn).filter((path) => !SLOW.some((slow) => slow.test(path)));
  const own = changed.filter((path) => /^tests\/.*\.test\.tsx?$/.test(path) && existsSync(at(path)));
  return [...new Set([...found, ...own])].filter((path) => !OTHER_STAGES.test(path)).sort();
}

/** The folders of tests/ to run for a changed file. */
function foldersFor(path) {
  if (/^src\/(machine|wire|wasm)\//.test(path)) return CORE;
  const [, folder] = /^src\/ts\/(?:([\w-]+)\/)?/.exec(path) ?? [];
  if (path.startsWith('src/ts/')) {
    // Such a change can affect every public type and every import.
    return ['api', ...(folder && existsSync(at('tests', folder)) ? [folder] : CORE)];
  }
  const support = /^tests\/([\w-]+)\/.*(?<!\.test)\.(ts|tsx|mjs)$/.exec(path)?.[1];
  return support ? [support] : [];
}

function testFilesIn(folder) {
  if (!existsSync(at('tests', folder))) return [];
  const files = readdirSync(at('tests', folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => `tests/${folder}/${file.replaceAll('\\', '/')}`);
}
