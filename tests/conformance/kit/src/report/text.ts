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

/** What is tested: a scenario or a case. */
export interface Described {
  readonly id: string;
  readonly rule: string;
  readonly title?: string;
  readonly needsStorage?: true;
}

/** The results as text. */
export function text(results: readonly Reported[], all: readonly Described[]): string {
  const width = Math.max(...results.map(({ id }) => id.length));
  const described = new Map(all.map((one) => [one.id, one]));
  const lines = results.map(({ id, verdict, skipped }) => {
    const { rule = '', needsStorage } = described.get(id) ?? {};
    const about = skipped === undefined ? rule : `skipped: ${skipped}`;
    return `${MARKS[verdict]} ${id.padEnd(width)}  ${about}${needsStorage ? ' (Needs storage.)' : ''}`;
  });
  const details = results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'disputed')
    .map((result) => detail(result, described.get(result.id)?.title));
  return [...lines, '', ...details, countsOf(results)].join('\n');
}

function detail({ id, verdict, broken, dispute, thrown = [] }: Reported, title: string | undefined): string {
  const lines = [`${MARKS[verdict]} ${id}`];
  if (title !== undefined) lines.push(`  when:  ${title}.`);
  if (dispute) lines.push(`  disputed: ${dispute.reason} (${dispute.source})`);
  for (const [at, { rule, found, request, stack }] of broken.entries()) {
    if (rule !== broken[at - 1]?.rule) lines.push(`  rule:  ${rule}`);
    lines.push(`  found: ${found}`);
    if (stack !== undefined) lines.push(...framesOf(stack));
    // Findings about the same request come together; its bytes are printed once, after the last of them.
    const isLast = request && request.number !== broken[at + 1]?.request?.number;
    if (isLast) lines.push(`  request ${request.number}: ${shortened(request.body)}`);
  }
  for (const error of new Set(thrown)) lines.push(`  threw: ${error}`);
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

/** What differs from the baseline, as text; empty if nothing does. Without a baseline, how to write one. */
export function differences({ unexpected, fixed, unknown }: Comparison, hasBaseline: boolean): string {
  if (!hasBaseline) {
    const hint = 'To expect these failures from now on: --baseline FILE --update';
    return unexpected.length > 0 ? hint : '';
  }
  return [
    ...unexpected.map((id) => `Unexpected failure: ${id}`),
    ...fixed.map((id) => `Expected to fail, but it does not: ${id}. Remove it from the baseline.`),
    ...unknown.map((id) => `The baseline names ${id}, which does not exist.`),
  ].join('\n');
}
