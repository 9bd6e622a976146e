/**
 * The answers to interrupts: the decisions that LangChain's human-in-the-loop middleware accepts, those of Agent Inbox,
 * and the answers to questions. Sources: `middleware/hitl.ts` of `langchain` 1.5, `human_in_the_loop.py` of langchain
 * 1.4 (including its `per_call` mode), `HumanResponse` of `@langchain/langgraph` 1.4.
 */
import type { HumanResponse } from '@langchain/langgraph/prebuilt';
import type { GateTexts } from '../../types/index.js';
import type { ItemDecision } from '../shared/codec.js';
import { asList, textOf } from '../shared/history.js';
import { answerOf, type AnswerForm } from '../shared/questions.js';
import { answerText, resultText } from '../shared/result-texts.js';

type Texts = Partial<GateTexts> | undefined;

/** What the answer to an interrupt needs. It is stored with the approval or the question, where it may be damaged. */
export interface Needed {
  readonly interrupt?: string | undefined;
  readonly namespace?: readonly string[] | undefined;
  readonly position?: number;
  readonly count?: number;
  readonly shape?: 'inbox' | 'single' | 'value' | undefined;
  /** The decisions that it accepts, and the names of the field for an edited action. */
  readonly allowed?: readonly string[] | undefined;
  readonly edit?: readonly string[] | undefined;
  readonly description?: unknown;
  /** How a question is answered, or the id of a call that only the page can run. */
  readonly form?: AnswerForm;
  readonly tool?: string | undefined;
}

/** What an interrupt says about the decisions of an action: `ReviewConfig`, in both languages. */
export interface ReviewConfig {
  readonly action_name?: string;
  readonly actionName?: string;
  readonly allowed_decisions?: unknown;
  readonly allowedDecisions?: unknown;
}

/** The decisions that an interrupt may allow; only Python has `respond`. */
const KINDS = ['approve', 'edit', 'reject', 'respond'];

/** The outcome of a call that the backend dropped. */
export const DROPPED = { kind: 'interrupted' } as const;

/**
 * Returns the decisions that an interrupt accepts for an action. If the interrupt's list is damaged, returns `approve`
 * and `reject`, which every interrupt accepts.
 */
export function allowedBy(config: ReviewConfig | null | undefined, schema: unknown): readonly string[] {
  const given = config?.allowed_decisions ?? config?.allowedDecisions;
  if (Array.isArray(given)) return given.filter((kind: string) => KINDS.includes(kind));
  if (given !== undefined) return ['approve', 'reject'];
  return KINDS.filter((kind, place) => (schema ? textOf(schema).includes(`"const":"${kind}"`) : place < 3));
}

/** Whether an action does not accept a bare approval. `allowed`: the decisions that it accepts. */
export const refusesBareApproval = (allowed: unknown): boolean =>
  Array.isArray(allowed) && !allowed.includes('approve');

/**
 * Returns the answers to the interrupts of decisions, by interrupt; undefined if a decision cannot be expressed, or one
 * of an interrupt's actions has none. `ownOf`: what the reader stored about a decision's interrupt.
 */
export function resumeOf(
  decisions: readonly ItemDecision[],
  ownOf: (decision: ItemDecision) => Needed | undefined,
  texts: Texts,
): Map<string | undefined, unknown> | undefined {
  const lists = new Map<string | undefined, unknown[]>();
  const answers = new Map<string | undefined, unknown>();
  let rest = 0;
  for (const decision of decisions) {
    const own = ownOf(decision) ?? {};
    const { interrupt, position, count, shape } = own;
    const answer = count && decide(decision, own, texts);
    if (answer === undefined || !count) return undefined;
    const list = lists.get(interrupt) ?? [];
    rest += (list.length ? 0 : count) - 1;
    list[position as number] = answer;
    lists.set(interrupt, list);
    answers.set(interrupt, shape === undefined ? { decisions: list } : shape === 'inbox' ? list : answer);
  }
  // Some positions have no decision.
  return rest ? undefined : answers;
}

/**
 * Returns one decision of a kind that the interrupt allows, or the answer to a question; undefined if there is none.
 * `allowed`: the kinds. `edit`: the names of the field for an edited action. The answer to a question that the user
 * declined is `false`, which no graph takes for consent.
 */
function decide(decision: ItemDecision, { allowed, edit, form, shape, tool }: Needed, texts: Texts): unknown {
  const { outcome, reason, toolName: name, input, editedInput, output } = decision;
  if (tool) return { [tool]: outcome === 'executed' ? output : { error: answerText(outcome, reason, texts) } };
  const can = (kind: string): boolean => asList(allowed).includes(kind);
  const isInbox = shape === 'inbox';
  const { action, value } = form ? answerOf(decision, form) : ({} as Partial<ReturnType<typeof answerOf>>);
  if (action && !isInbox) return action === 'accept' ? value : false;
  const isApproved = outcome === 'approved';
  if (isApproved && editedInput === undefined && can('approve'))
    return isInbox ? inboxOf('accept') : { type: 'approve' };
  if (isApproved && can('edit')) {
    const args = editedInput ?? input;
    if (isInbox) return inboxOf('edit', { action: name, args });
    return { type: 'edit', ...Object.fromEntries(asList(edit).map((key) => [key, { name, args }])) };
  }
  const given = action ? (action === 'accept' ? value : undefined) : outcome === 'executed' ? output : undefined;
  if (given !== undefined && can('respond'))
    return isInbox ? inboxOf('response', textOf(given)) : { type: 'respond', message: textOf(given) };
  const message = isApproved
    ? resultText(DROPPED, texts)
    : outcome === 'denied'
      ? reason
      : answerText(outcome, reason, texts);
  // Agent Inbox's `ignore` has no reason; a response has.
  if (isInbox && can('respond') && (message || !can('reject')))
    return inboxOf('response', message || resultText({ kind: 'denied' }, texts));
  if (!can('reject') || (!action && (outcome === 'executed' || outcome === 'failed'))) return undefined;
  return isInbox ? inboxOf('ignore') : { type: 'reject', ...(message !== undefined && { message }) };
}

/** An answer as Agent Inbox writes it. */
const inboxOf = (type: HumanResponse['type'], args: unknown = null) => ({ type, args });
