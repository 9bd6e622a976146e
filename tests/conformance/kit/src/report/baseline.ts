/** A baseline: the failures that are known, so that a run fails only if something changes. */

/** The scenarios or cases that are expected to fail, each with the reason. */
export interface Baseline {
  readonly failures: Readonly<Record<string, string>>;
}

/** The part of a result that a baseline is about. */
export interface Judged {
  readonly id: string;
  readonly verdict: 'pass' | 'fail' | 'disputed' | 'skipped';
}

/** How results differ from a baseline. */
export interface Comparison {
  /** Ids that fail, and are not in the baseline. */
  readonly unexpected: readonly string[];
  /** Ids of the baseline that no longer fail. */
  readonly fixed: readonly string[];
  /** Ids of the baseline that do not exist. */
  readonly unknown: readonly string[];
}

/** Compares results with a baseline. Without one, every failure is unexpected. */
export function compare(results: readonly Judged[], { failures }: Baseline = { failures: {} }): Comparison {
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  const known = Object.keys(failures);
  return {
    unexpected: results.filter(({ id, verdict }) => verdict === 'fail' && !known.includes(id)).map(({ id }) => id),
    fixed: known.filter((id) => verdicts.has(id) && verdicts.get(id) !== 'fail'),
    unknown: known.filter((id) => !verdicts.has(id)),
  };
}

/** Whether the results are those that the baseline expects. */
export const isAsExpected = ({ unexpected, fixed, unknown }: Comparison): boolean =>
  unexpected.length + fixed.length + unknown.length === 0;

/** Checks the content of a baseline file. Throws a `TypeError` that says what is wrong. */
export function baselineIn(value: unknown): Baseline {
  const failures = (value as { failures?: unknown } | null)?.failures;
  if (typeof failures !== 'object' || failures === null)
    throw new TypeError('A baseline is { "failures": { "<id>": "<reason>" } }.');
  return { failures: failures as Record<string, string> };
}
