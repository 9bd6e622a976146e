/**
 * Reads the numbers of passed, failed and skipped tests from the test runners' reports, and adds them up.
 */
import { basename } from 'node:path';

/** The counts before any test has run. */
export const noCounts = { passed: 0, failed: 0, skipped: 0 };

/** The sum of two counts. A missing count is 0. */
export const addCounts = (a, b = noCounts) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/**
 * The counts in the `test result:` lines of cargo test and of wasm-bindgen's test runner, which print one line for each
 * binary.
 */
export function cargoCounts(output) {
  const lines = output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm);
  return [...lines]
    .map(([, passed, failed, skipped]) => ({
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(skipped),
    }))
    .reduce(addCounts, noCounts);
}

/** The counts in the JSON report of vitest. A file that could not be loaded counts as one failure. */
export function vitestCounts(json) {
  const report = JSON.parse(json);
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** How long each file of vitest's JSON report took, the slowest first: `next 61 s, types 30 s`. */
export function fileTimes(json) {
  return JSON.parse(json)
    .testResults.map(({ name, startTime, endTime }) => ({
      file: basename(name).replace(/\.test\.tsx?$/, ''),
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ file, seconds }) => `${file} ${seconds.toFixed(seconds < 10 ? 1 : 0)} s`)
    .join(', ');
}

/** `12 passed, 0 failed`, and the skipped ones if there are any. */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
