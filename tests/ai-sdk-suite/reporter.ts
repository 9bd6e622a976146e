/** Writes how each test of a run ended into the file that SUITE_RESULTS names. The command compares the runs. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

import { NO_CHAT } from './chats/mode';

/** How one test ended. */
export interface SuiteResult {
  /** The names of the `describe` blocks and of the test. */
  readonly test: string;
  /** `none`: the mode has no chat for this test. */
  readonly state: 'passed' | 'failed' | 'none';
  /** What identifies the failure: two runs that fail in the same way have the same text. */
  readonly failure?: string;
  /** The failure for people. */
  readonly message?: string;
}

type TestError = NonNullable<ReturnType<TestCase['result']>['errors']>[number];

/** Without colours, and without the page that testing-library prints. */
function plainMessage(error: TestError): string {
  const text = `${error.message}\n${error.diff ?? ''}`.replaceAll(/\u001B\[[\d;]*m/g, '');
  return text.split('\n\nIgnored nodes:')[0]!.trim();
}

function resultOf(test: TestCase): SuiteResult {
  const { state, errors = [] } = test.result();
  const name = test.fullName;
  if (state === 'passed') return { test: name, state };
  // The errors of all attempts; the last one counts.
  const message = plainMessage(errors.at(-1)!);
  if (message.includes(NO_CHAT)) return { test: name, state: 'none' };
  return {
    test: name,
    state: 'failed',
    failure: createHash('sha256').update(message).digest('hex').slice(0, 12),
    message,
  };
}

/** The reporter. */
export default class SuiteReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const results = modules.flatMap((module) => [...module.children.allTests()].map(resultOf));
    const broken = modules.flatMap((module) => module.errors().map(({ message }) => `${module.moduleId}: ${message}`));
    const uncaught = errors.map((error) => String((error as Error).message));
    writeFileSync(process.env['SUITE_RESULTS']!, JSON.stringify({ results, broken, uncaught }));
  }
}
