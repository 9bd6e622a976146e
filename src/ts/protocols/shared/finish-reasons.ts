/** Maps the finish reasons of providers and frameworks to the AI SDK's. */

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/malformed|unexpected|error|fail/i, 'error'],
  [/length|max_?(output_?)?tokens|context_window/i, 'length'],
  [/filter|refus|safety|block|recitation|prohibited|spii|tripwire/i, 'content-filter'],
  [/max_?turn|max_?step|recursion|pause_turn/i, 'step-limit'],
  [/tool|function|interrupt|suspend/i, 'tool-calls'],
  [/^(stop|end|complete|success)/i, 'stop'],
];

/** Returns the AI SDK's finish reason, `other` for an unknown reason, and undefined if there is none. */
export function finishReasonOf(given: unknown): string | undefined {
  if (typeof given !== 'string' || !given) return undefined;
  return PATTERNS.find(([pattern]) => pattern.test(given))?.[1] ?? 'other';
}
