/** The output for a terminal: one line for each result, then what broke each rule, with the bytes. */
import type { Broken } from '../client/judge.js';
import type { Comparison, Judged } from './baseline.js';

/** A result of either runner. */
export interface Reported extends Judged {
  readonly broken: readonly Broken[];
  readonly skipped?: string;
  readonly dispute?: { readonly reason: string; readonly source: string };
  /** Errors of the client's methods. */
  readonly thrown?: readonly string[];
}

const MARKS = { pass: '✓', fail: '✗', disputed: '~', skipped: '–' } as const;

/** The longest request body that is printed; `--json` has all of it. */
const LONGEST_BODY = 4_000;

/** The results as text. */
export function text(results: readonly Reported[], rules: Readonly<Record<string, string>>): string {
  const width = Math.max(...results.map(({ id }) => id.length));
  const lines = results.map(({ id, verdict }) => `${MARKS[verdict]} ${id.padEnd(width)}  ${rules[id] ?? ''}`);
  const details = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'disputed').map(detail);
  return [...lines, '', ...details, countsOf(results)].join('\n');
}

function detail({ id, verdict, broken, dispute, thrown = [] }: Reported): string {
  const lines = [`${MARKS[verdict]} ${id}`];
  if (dispute) lines.push(`  disputed: ${dispute.reason} (${dispute.source})`);
  for (const { rule, found, request, stack } of broken) {
    lines.push(`  rule:  ${rule}`, `  found: ${found}`);
    if (stack !== undefined) lines.push(...framesOf(stack));
    if (request) lines.push(`  request ${request.number}: ${shortened(request.body)}`);
  }
  for (const error of thrown) lines.push(`  threw: ${error}`);
  return `${lines.join('\n')}\n`;
}

/** The first frames of a stack: where a crash occurred. */
const framesOf = (stack: string): string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s*at /.test(line))
    .slice(0, 5);

const shortened = (body: string): string =>
  body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}… (${body.length} characters)` : body;

function countsOf(results: readonly Judged[]): string {
  const count = (wanted: Judged['verdict']): number => results.filter(({ verdict }) => verdict === wanted).length;
  return `${count('pass')} passed, ${count('fail')} failed, ${count('disputed')} disputed, ${count('skipped')} skipped`;
}

/** What differs from the baseline, as text; empty if nothing does. */
export function differences({ unexpected, fixed, unknown }: Comparison): string {
  return [
    ...unexpected.map((id) => `Unexpected failure: ${id}`),
    ...fixed.map((id) => `Expected to fail, but it does not: ${id}. Remove it from the baseline.`),
    ...unknown.map((id) => `The baseline names ${id}, which does not exist.`),
  ].join('\n');
}
