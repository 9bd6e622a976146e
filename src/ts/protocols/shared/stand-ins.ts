/**
 * Calls that stand for a request of the backend: a question, or an approval of something that is not a call of the
 * model. No history of the backend contains them.
 */
import type { Data, Entry, ItemDecision } from './codec.js';

/** The metadata of such a call. */
export const STAND_IN_MARK = { 'toolgate-request': { isStandIn: true } } as const;

/** Whether a call, a part of a message or of a history, stands for a request. */
export const isStandIn = ({ callProviderMetadata, providerMetadata, providerOptions }: Data): boolean =>
  (callProviderMetadata ?? providerMetadata ?? providerOptions)?.['toolgate-request']?.isStandIn === true;

/**
 * Returns the questions of the last step that the user closed without an answer, as decisions: the next request must
 * answer them.
 */
export function unanswered(entries: readonly Entry[]): ItemDecision[] {
  const step: readonly Data[] = entries.findLast(({ role }) => role === 'assistant')?.content ?? [];
  const left = step.filter((part) => isStandIn(part) && !part.request && /^error/.test(part.result?.output.type));
  return left.map(({ providerOptions: metadata, ...call }) => ({ ...call, metadata, outcome: 'cancelled' }) as Data);
}
