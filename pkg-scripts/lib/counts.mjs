/**
 * Reads how many tests passed, failed and were skipped from what the test runners report, and adds them up.
 */

/** Nothing ran yet. */
export const noCounts = { passed: 0, failed: 0, skipped: 0 };

/** The sum of two counts; a missing one counts nothing. */
export const addCounts = (a, b = noCounts) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** From the `test result:` lines of cargo test and of wasm-bindgen's test runner, one for each binary. */
export function cargoCounts(output) {
  const lines = output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm);
  return [...lines]
    .map(([, passed, failed, skipped]) => ({ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }))
    .reduce(addCounts, noCounts);
}

/** From the JSON report of vitest. A file that could not be loaded counts as one failure. */
export function vitestCounts(json) {
  const report = JSON.parse(json);
  const unloaded = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** `12 passed, 0 failed`, and the skipped ones if there are any. */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
