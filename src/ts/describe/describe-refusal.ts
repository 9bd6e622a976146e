/** `describeRefusal`: what to tell the user when the gate has refused a decision. */
import { brief } from './brief.js';
import { callTexts, fill, type CallTexts } from './call-texts.js';

/** Maximum characters of an error message. */
const PROBLEM = 200;

/**
 * Returns a sentence for the user about an error that `respond` or `retry` threw. `texts` replaces the English words.
 * The error's own message is for developers.
 */
export function describeRefusal(error: unknown, texts?: Partial<CallTexts>): string {
  const words = callTexts(texts);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (code === 'stale-input') return words.changed;
  if (code === 'already-decided') return words.answered;
  if (code === 'superseded' || code === 'already-settled') return words.closed;
  return fill(words.refused, { problem: brief(error instanceof Error ? error.message : String(error), PROBLEM) });
}
