/** `describeRefusal`: what to tell the user when the gate has refused a decision. */
import { brief } from './brief.js';
import { callTexts, fill, type CallTexts } from './call-texts.js';

/** Maximum characters of an error message. */
const PROBLEM = 200;

/**
 * Returns a sentence for the user about an error that `respond` or `retry` threw. `texts` replaces the English words.
 * A message of Toolgate is for developers: the sentence has its code instead.
 */
export function describeRefusal(error: unknown, texts?: Partial<CallTexts>): string {
  const words = callTexts(texts);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (code === 'stale-input' || code === 'stale-shown') return words.changed;
  if (code === 'already-decided') return words.answered;
  if (code === 'superseded' || code === 'already-settled') return words.closed;
  // The message of an error with a code is for developers, and production bundles have only a link in it.
  const problem = typeof code === 'string' ? code : error instanceof Error ? error.message : String(error);
  return fill(words.refused, { problem: brief(problem, PROBLEM) });
}
