/**
 * Calls that stand for a request of the backend: a question, or an approval of something that is not a call of the
 * model. No history of the backend contains them.
 */
import type { Call, Entry, ItemDecision } from './codec.js';
import type { Wire } from './wire.js';

/** The metadata that may mark a call: of a part of a message, of a chunk, or of a part of a history. */
interface Marked {
  readonly callProviderMetadata?: unknown;
  readonly providerMetadata?: unknown;
  readonly providerOptions?: unknown;
}

/** The metadata of such a call. */
export const STAND_IN_MARK = { 'toolgate-request': { isStandIn: true } } as const;

/** Whether a call, a part of a message or of a history, stands for a request. */
export const isStandIn = ({ callProviderMetadata, providerMetadata, providerOptions }: Marked): boolean =>
  ((callProviderMetadata ?? providerMetadata ?? providerOptions) as Wire<typeof STAND_IN_MARK> | undefined)?.[
    'toolgate-request'
  ]?.isStandIn === true;

/**
 * Returns the questions of the last step that the user closed without an answer, as decisions: the next request must
 * answer them.
 */
export function unanswered(entries: readonly Entry[]): ItemDecision[] {
  const step = (entries.findLast(({ role }) => role === 'assistant')?.content ?? []) as readonly Call[];
  const left = step.filter(
    (part) => isStandIn(part) && !part.request && /^error/.test(part.result?.output.type as string),
  );
  return left.map(
    ({ providerOptions: metadata, ...call }) =>
      ({ ...call, metadata, outcome: 'cancelled' }) as unknown as ItemDecision,
  );
}
