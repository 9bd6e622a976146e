/**
 * The decisions that LangChain's human-in-the-loop middleware accepts: those that an interrupt allows, and one decision
 * of the user among them. Sources: `middleware/hitl.ts` of `langchain` 1.5, `human_in_the_loop.py` of langchain 1.4
 * (including its `per_call` mode).
 */
import type { GateTexts } from '../../types/index.js';
import type { Data, ItemDecision } from '../shared/codec.js';
import { asList, textOf } from '../shared/history.js';
import { answerText, resultText } from '../shared/result-texts.js';

/** The decisions that an interrupt may allow; only Python has `respond`. */
const KINDS = ['approve', 'edit', 'reject', 'respond'];

/** The outcome of a call that the backend dropped. */
export const DROPPED = { kind: 'interrupted' } as const;

/**
 * Returns the decisions that an interrupt accepts for an action. If the interrupt's list is damaged, returns `approve`
 * and `reject`, which every interrupt accepts.
 */
export function allowedBy(config: Data, schema: Data): readonly string[] {
  const given = config?.allowed_decisions ?? config?.allowedDecisions;
  if (Array.isArray(given)) return given.filter((kind) => KINDS.includes(kind));
  if (given !== undefined) return ['approve', 'reject'];
  return KINDS.filter((kind, place) => (schema ? textOf(schema).includes(`"const":"${kind}"`) : place < 3));
}

/**
 * Returns one decision of a kind that the interrupt allows; undefined if there is none. `allowed`: the kinds. `edit`:
 * the names of the field for an edited action.
 */
export function decide(
  { outcome, reason, toolName: name, input, editedInput, output }: ItemDecision,
  { allowed, edit }: Data,
  texts: Partial<GateTexts> | undefined,
): Data {
  const can = (kind: string): boolean => asList(allowed).includes(kind);
  const isApproved = outcome === 'approved';
  if (isApproved && editedInput === undefined && can('approve')) return { type: 'approve' };
  if (isApproved && can('edit')) {
    const action = { name, args: editedInput ?? input };
    return { type: 'edit', ...Object.fromEntries(asList(edit).map((key) => [key, action])) };
  }
  if (outcome === 'executed' && can('respond')) return { type: 'respond', message: textOf(output) };
  if (!can('reject') || outcome === 'executed' || outcome === 'failed') return undefined;
  const message = isApproved
    ? resultText(DROPPED, texts)
    : outcome === 'denied'
      ? reason
      : answerText(outcome, reason, texts);
  return { type: 'reject', ...(message !== undefined && { message }) };
}
