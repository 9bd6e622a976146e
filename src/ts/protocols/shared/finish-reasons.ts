/**
 * Why a reply ended, in the AI SDK's words, from what providers and frameworks call it.
 */
import type { Data } from './codec.js';

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/malformed|unexpected|error|fail/i, 'error'],
  [/length|max_?(output_?)?tokens|context_window/i, 'length'],
  [/filter|refus|safety|block|recitation|prohibited|spii|tripwire/i, 'content-filter'],
  [/max_?turn|max_?step|recursion/i, 'step-limit'],
  [/tool|function|interrupt|suspend/i, 'tool-calls'],
  [/^(stop|end|complete|success)/i, 'stop'],
];

/** The AI SDK's word for a reason; undefined where none is given. A reason that is not known is `other`. */
export function reasonOf(given: Data): string | undefined {
  if (typeof given !== 'string' || !given) return undefined;
  return WORDS.find(([pattern]) => pattern.test(given))?.[1] ?? 'other';
}
