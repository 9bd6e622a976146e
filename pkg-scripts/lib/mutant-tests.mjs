/**
 * Compiles the native tests of a copy of the crate, and runs them as a mutant. A run stops at the first failing test,
 * because one is enough to notice the mutant.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Failure } from './shell.mjs';

/** Tests that only read the sources or compare a committed file: they do not check behaviour. */
const SKIPPED = ['the_committed_', 'the_readme_', 'the_documentation_', 'snapshot_layout::', 'floors::'].flatMap(
  (name) => ['--skip', name],
);
/** Fewer random sequences than usual. If only many random sequences would find a mutant, a specific test is missing. */
const CASES = process.env.PROPTEST_CASES ?? '128';
/** The memory limit in kilobytes. A mutant that allocates without a limit must not exhaust the computer's memory. */
const MEMORY = 6_000_000;

/**
 * Compiles these tests.
 *
 * @param {string} folder with Cargo.toml, src and tests
 * @param {string[]} targets names of tests, such as `host`
 * @returns {{ executables: Map<string, string>, errors: { file: string, line: number, text: string }[] }} the
 *   compiler's errors with their positions; if there are none, the executables by the targets' names
 */
export function compile(folder, targets) {
  const args = ['test', '--no-run', '--message-format=json', ...targets.flatMap((target) => ['--test', target])];
  // Mutants are not debugged, and the build is faster without debug information.
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: join(folder, 'target'),
    CARGO_PROFILE_TEST_DEBUG: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
  const { stdout, stderr, status, error } = spawnSync('cargo', args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (error) throw new Failure(`cargo could not be started: ${error.message}`);
  const executables = new Map();
  const errors = [];
  for (const line of stdout.split('\n').filter((text) => text.startsWith('{'))) {
    const { reason, target, executable, message } = JSON.parse(line);
    if (reason === 'compiler-artifact' && executable) executables.set(target.name, executable);
    if (reason !== 'compiler-message' || message.level !== 'error') continue;
    const place = message.spans.find((span) => span.is_primary);
    if (place) errors.push({ file: place.file_name, line: place.line_start, text: message.rendered });
  }
  if (status !== 0 && errors.length === 0) throw new Failure(`the tests do not compile:\n${stderr.slice(-3000)}`);
  // In the order of `targets`; cargo reports them in another order.
  const inOrder = targets
    .filter((target) => executables.has(target))
    .map((target) => [target, executables.get(target)]);
  return { executables: new Map(inOrder), errors };
}

/**
 * Runs tests as a mutant.
 *
 * @param {string} executable
 * @param {object} options
 * @param {string} options.folder of the crate
 * @param {number} [options.mutant] its number; without one, the unchanged code runs
 * @param {number} [options.timeout] in milliseconds; tests that take longer count as failed
 * @param {number} options.threads
 * @param {Record<string, string>} [options.env] more environment variables for the tests
 * @param {(output: string) => boolean} [options.isEnough] receives the output so far and returns whether the run can
 * stop; without it, the run stops at the first failing test
 * @returns {Promise<{ failed: string[], output: string, took: number }>} the names of the failed tests, or another
 * problem in parentheses; their output; the time in milliseconds
 */
export function runTests(executable, { folder, mutant = 0, timeout, threads, env: others, isEnough }) {
  const shows = isEnough ? ['--nocapture'] : [];
  // Some systems have no such limit.
  const limited = `ulimit -v ${MEMORY} 2>/dev/null; exec "$0" "$@"`;
  const args = ['-c', limited, executable, ...SKIPPED, ...shows, `--test-threads=${threads}`];
  const env = { ...process.env, ...others, MUTANT: String(mutant), PROPTEST_CASES: CASES, RUST_BACKTRACE: '0' };
  return new Promise((resolve, reject) => {
    const began = Date.now();
    const tests = spawn('sh', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, messages] = ['', ''];
    let isLate = false;
    let isStopped = false;
    const failed = () => [...output.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, name]) => name);
    const stop = () => {
      isStopped = true;
      tests.kill('SIGKILL');
    };
    const look = () => {
      if (!isStopped && (isEnough ? isEnough(messages) : failed().length > 0)) stop();
    };
    const timer =
      timeout &&
      setTimeout(() => {
        isLate = true;
        stop();
      }, timeout);
    tests.stdout.on('data', (text) => {
      output += text;
      look();
    });
    tests.stderr.on('data', (text) => {
      messages += text;
      look();
    });
    tests.on('error', (error) => reject(new Failure(`the tests could not be started: ${error.message}`)));
    tests.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 126 || code === 127) return reject(new Failure(`the tests could not be started:\n${messages}`));
      const names = failed();
      const hasPassed = code === 0 && output.includes('test result: ok.');
      if (names.length === 0 && isLate) names.push('(the tests do not end)');
      if (names.length === 0 && isStopped) names.push('(a counterexample)');
      if (names.length === 0 && !hasPassed) names.push(`(the tests stopped early: ${signal ?? `exit code ${code}`})`);
      resolve({ failed: names, output: messages, took: Date.now() - began });
    });
  });
}
