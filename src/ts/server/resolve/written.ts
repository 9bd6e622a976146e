/** What is written about a settled call: in its decision, and in place of an output that JSON cannot express. */
import { asSent } from './canonical-json.js';
import type { CallResult, ResolveOptions } from './resolve-types.js';
import { messageOf } from '../../tools/call-tool.js';
import { DENIED, UNREADABLE } from '../../tools/error-results.js';

/** A decision in a message, or with an approval in a `UIMessage`. */
interface Decision {
  readonly approved?: unknown;
  readonly reason?: unknown;
}

/**
 * Returns the decision with the verdict and the reason of the call's result: the recorded decision replaces the posted
 * one. Returns the same object if they agree. The reason for an approval is not in results, so it stays if the verdict
 * does.
 */
export function agreeing<DECISION extends Decision>(
  posted: DECISION,
  { outcome, reason }: CallResult,
  { deniedText = DENIED }: ResolveOptions,
): DECISION {
  const approved = outcome !== 'denied';
  const { reason: given, ...rest } = posted as Decision;
  const why = approved ? rest.approved && given : reason !== deniedText && reason;
  if (rest.approved === approved && (given || '') === (why || '')) return posted;
  return { ...rest, approved, ...(why ? { reason: why } : {}) } as DECISION;
}

/** The state and the result of a part whose call has this result. */
export type Shown =
  | { readonly state: 'output-denied' }
  | { readonly state: 'output-available'; readonly output: unknown }
  | { readonly state: 'output-error'; readonly errorText: string };

/** Returns how the page shows a result: its output is JSON, because `ai` 6 refuses messages with other values. */
export function shownResult({ outcome, output, errorText = '' }: CallResult): Shown {
  if (outcome === 'denied') return { state: 'output-denied' };
  if (outcome !== 'executed') return { state: 'output-error', errorText };
  try {
    return { state: 'output-available', output: asSent(output) };
  } catch (error) {
    return { state: 'output-error', errorText: unreadableText(error) };
  }
}

/** The text in place of an output that JSON cannot express. */
export const unreadableText = (error: unknown): string => `${UNREADABLE} ${messageOf(error)}`;
