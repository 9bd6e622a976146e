/**
 * `./pkg-scripts/test`: runs all checks as a list of named stages, and stops at the first stage that fails. The closing
 * line counts the tests that the runners themselves report; checks that are not tests (formatting, lints, types, sizes)
 * are not counted. `./pkg-scripts/test quick` is in quick.mjs.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setUpBrowser, setUpFirefox } from './browser.mjs';
import { setUpDatabases } from './databases.mjs';
import { build } from './make.mjs';
import { addCounts, cargoCounts, closingLine, fileTimes, noCounts, vitestCounts } from './counts.mjs';
import { checkCommentLines } from './comment-lines.mjs';
import { buildDemo } from './demo-build.mjs';
import { startFirefoxDriver } from './firefox-driver.mjs';
import { buildDocs } from './docs.mjs';
import { setUpOpencode } from './opencode.mjs';
import { quick } from './quick.mjs';
import { setUpPython } from './python.mjs';
import { setUpTransports } from './transports.mjs';
import { setUpCopilotKit } from './copilotkit.mjs';
import { setUpRig, setUpRigs } from './rigs.mjs';
import { setUpBuild, setUpChecks, setUpWasmPack } from './setup.mjs';
import { at, bold, Failure, main, run, say } from './shell.mjs';

const WASM = ['--target', 'wasm32-unknown-unknown'];
const STRICT = ['--', '-D', 'warnings'];

let chromedriver = null;
let firefox = null;
let built = false;

/** How long each stage took, in milliseconds, by its name. */
const times = new Map();

/**
 * The stages in their order. `body` returns the counts that a test runner reported, or nothing. The other fields name
 * what a stage needs: `built` is pkg/, `browser` is Chrome, `frameworks` are Python's packages and opencode,
 * `databases` are Redis and Postgres, and `rigs` are the packages of the packaging tests.
 */
const stages = [
  { name: 'format', says: 'formatting', body: format },
  { name: 'lint', says: 'lints of Rust, for the host and for wasm, and of TypeScript', built: true, body: lint },
  { name: 'host', says: 'Rust tests', body: hostTests },
  {
    name: 'docs',
    says: 'Rust documentation',
    body: () =>
      run('cargo', ['doc', '--quiet', '--no-deps', '--lib', '--features', 'json'], {
        env: { RUSTDOCFLAGS: '-D warnings' },
      }),
  },
  { name: 'build', says: 'the package', built: true, body: () => {} },
  {
    name: 'types',
    says: 'TypeScript',
    built: true,
    body: () => run(at('node_modules/.bin/tsc'), ['-p', 'tsconfig.json']),
  },
  {
    name: 'unit',
    says: 'JavaScript tests',
    built: true,
    frameworks: true,
    databases: true,
    body: () => vitest('unit'),
  },
  {
    name: 'peers',
    says: 'JavaScript tests with the oldest peers',
    built: true,
    oldestPeers: true,
    body: () => vitest('oldest'),
  },
  { name: 'browser', says: 'Rust tests in a browser', browser: true, body: browserTests },
  { name: 'firefox', says: 'Rust tests in Firefox', body: firefoxTests },
  {
    name: 'packaging',
    says: 'the packed tarball in other projects',
    built: true,
    browser: true,
    rigs: true,
    body: packagingTests,
  },
  {
    name: 'persist',
    says: 'persisted chats in tabs of a browser',
    built: true,
    browser: true,
    body: () => vitest('persist'),
  },
  {
    name: 'element',
    says: 'the approval card in a browser',
    built: true,
    browser: true,
    body: () => vitest('element'),
  },
  {
    name: 'demo',
    says: 'the demo page and the documentation in a browser',
    built: true,
    browser: true,
    body: demoTests,
  },
  { name: 'size', says: 'the size budget', built: true, body: () => run('node', ['pkg-scripts/lib/size.mjs']) },
];

await main(async () => {
  const [first, commit] = process.argv.slice(2);
  const started = Date.now();
  if (first === 'quick') {
    await quick(commit);
    return console.log(`quick: all passed (${minutes(Date.now() - started)}). Run all checks with ./pkg-scripts/test`);
  }
  const chosen = choose(process.argv.slice(2));
  let counts = noCounts;
  await stage('set-up', 'tools, packages and a browser', async () => {
    await setUpBuild();
    await setUpChecks();
    if (chosen.some(({ frameworks }) => frameworks)) {
      await setUpPython();
      await setUpOpencode();
      await setUpTransports();
      await setUpCopilotKit();
    }
    if (chosen.some(({ databases }) => databases)) await setUpDatabases();
    if (chosen.some(({ rigs }) => rigs)) await setUpRigs();
    if (chosen.some(({ oldestPeers }) => oldestPeers)) await setUpRig('oldest');
    if (chosen.some(({ name }) => name === 'browser')) await setUpWasmPack();
    if (chosen.some(({ name }) => name === 'firefox')) firefox = await setUpFirefox();
    if (chosen.some(({ browser }) => browser)) chromedriver = await setUpBrowser();
  });
  for (const { name, says, built: needsBuild, body } of chosen) {
    try {
      const reported = await stage(name, says, async () => {
        if (needsBuild && !built) await build();
        built ||= Boolean(needsBuild);
        return body();
      });
      if (reported) counts = addCounts(counts, reported);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      counts = addCounts(counts, error.counts);
      if (counts.failed) console.log(`\n${closingLine(counts)}`);
      throw new Failure(
        `the stage \`${name}\` (${says}) failed: ${error.message}. To run it alone: ./pkg-scripts/test ${name}`,
      );
    }
  }
  if (chosen.length > 1) console.log(`\n${timeTable()}`);
  console.log(`\n${chosen.map(({ name }) => name).join(', ')}: all passed (${minutes(Date.now() - started)}).`);
  if (counts.passed) console.log(closingLine(counts));
});

function choose(names) {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length) {
    throw new Failure(
      `unknown stage \`${unknown.join('`, `')}\`. Expected: ${stages.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length ? stages.filter(({ name }) => names.includes(name)) : stages;
}

async function stage(name, says, body) {
  console.log(bold(`\n== ${name}: ${says}`));
  const started = Date.now();
  const result = await body();
  times.set(name, Date.now() - started);
  console.log(`== ${name}: ok (${minutes(times.get(name))})`);
  return result;
}

/** Where the time went, the slowest stage first. The slowest files of a stage are in its own report. */
function timeTable() {
  const rows = [...times].sort(([, a], [, b]) => b - a);
  return rows.map(([name, ms]) => `${name.padEnd(12)}${minutes(ms)}`).join('\n');
}

function minutes(ms) {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Bundles the JavaScript side of the wasm boundary for the browser tests; the lints compile those tests too. */
function bundleHost() {
  return run(at('node_modules/.bin/esbuild'), [
    'tests/browser/bundle.ts',
    '--bundle',
    '--format=esm',
    '--log-level=warning',
    '--outfile=target/host.js',
  ]);
}

async function format() {
  await run('cargo', ['fmt', '--check']);
  for (const name of ['axum', 'leptos', 'no-std'])
    await run('cargo', ['fmt', '--check', '--manifest-path', at('tests/crate', name, 'Cargo.toml')]);
  await run(at('node_modules/.bin/prettier'), ['--check', '--log-level=warn', '--cache', '.']);
  checkCommentLines();
}

async function lint() {
  await run(at('node_modules/.bin/oxlint'), []);
  await bundleHost();
  await run('cargo', ['clippy', '--quiet', '--all-targets', '--features', 'json', ...STRICT]);
  await run('cargo', ['clippy', '--quiet', '--all-targets', ...WASM, ...STRICT]);
}

function hostTests() {
  return counted(cargoCounts, () => run('cargo', ['test', '--quiet', '--features', 'json'], { capture: true }));
}

async function wasmPack(args) {
  await bundleHost();
  return counted(cargoCounts, () =>
    run('wasm-pack', ['test', '--headless', ...args], { capture: true, env: { WASM_BINDGEN_TEST_TIMEOUT: '120' } }),
  );
}

function browserTests() {
  return wasmPack(['--chrome', ...(chromedriver ? ['--chromedriver', chromedriver, '--mode', 'no-install'] : [])]);
}

/** Runs the tests as wasm-pack does, but without its search for a geckodriver. */
async function firefoxTests() {
  const driver = await startFirefoxDriver(firefox);
  const env = { GECKODRIVER_REMOTE: driver.url, WASM_BINDGEN_TEST_ONLY_WEB: '1', WASM_BINDGEN_TEST_TIMEOUT: '120' };
  try {
    await bundleHost();
    return await counted(cargoCounts, () =>
      run('cargo', ['test', '--test', 'browser', ...WASM], { capture: true, env }),
    );
  } finally {
    await driver.close();
  }
}

async function packagingTests() {
  const counts = await vitest('packaging');
  say(fileTimes(readFileSync(reportOf('packaging'), 'utf8')));
  return counts;
}

async function demoTests() {
  await buildDemo();
  await buildDocs();
  return vitest('demo');
}

function reportOf(project) {
  return at(`target/reports/${project}.json`);
}

function vitest(project) {
  const report = reportOf(project);
  mkdirSync(at('target/reports'), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return counted(
    () => vitestCounts(readFileSync(report, 'utf8')),
    () => run(at('node_modules/.bin/vitest'), ['run', '--project', project, ...reporters]),
  );
}

/** Runs a test runner and reads its counts, even if it fails. A runner that ran no test counts as failed. */
async function counted(read, body) {
  let output;
  try {
    output = await body();
  } catch (error) {
    try {
      error.counts = read(error.output ?? '');
    } catch {
      // The runner failed before it wrote a report.
    }
    throw error;
  }
  const counts = read(output);
  if (counts.passed === 0) throw new Failure('no test ran');
  return counts;
}
