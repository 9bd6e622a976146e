/**
 * The answers to interrupts: one entry of `resume` for each. An entry contains only what the interrupt's
 * `responseSchema` names, because some servers refuse other fields, and a refused answer leaves the thread waiting.
 */
import { AG_UI } from './names.js';
import { refusesBareApproval, resumeOf } from '../langgraph/decision.js';
import type { Interrupt, Schema } from './types.js';
import type { Context, ItemDecision } from '../shared/codec.js';
import type { ResumeEntry, RunAgentInput } from '@ag-ui/core';
import { asList, textOf } from '../shared/history.js';
import { answerOf } from '../shared/questions.js';

/** The fields of a `RunAgentInput` that answer interrupts. */
export type Answers = Pick<Partial<RunAgentInput>, 'resume' | 'forwardedProps' | 'parentRunId'>;

/** Whether a schema names a property, or names none. */
export function hasField(schema: Schema | null | undefined, name: string): boolean {
  const lists = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((list) => asList(schema?.[list]));
  const parts = [schema, ...lists];
  const named = parts.flatMap((part) => Object.keys(part?.properties ?? {}));
  return !named.length || named.includes(name);
}

/** Whether the answer to an approval may contain an edited input. `asked`: its interrupt. */
export function isEditable(asked: Interrupt | undefined): boolean {
  if (!asked) return false;
  if (asked.action) return asList(asked.action.allowed).includes('edit');
  return !asked.toolCallId || /"editedArgs"/.test(textOf(asked.responseSchema));
}

/** Whether a yes does not answer an interrupt: its schema has other fields, or its action may not just be approved. */
export function asksForMore(asked: Interrupt | undefined): boolean {
  if (asked?.action) return refusesBareApproval(asked.action.allowed);
  const { toolCallId, responseSchema } = asked ?? {};
  return !toolCallId && responseSchema?.type === 'object' && !hasField(responseSchema, 'approved');
}

/** The interrupt of a decision that answers one, and what the reader stored for its answer; undefined for others. */
export const askedOf = ({ approval, metadata }: ItemDecision): Interrupt =>
  (approval ?? metadata)?.[AG_UI] as Interrupt;

/** Whether LangGraph's own form answers a decision. */
const isNative = (decision: ItemDecision): boolean => Boolean(askedOf(decision)?.action?.count);

/**
 * Returns the answers to the interrupts of decisions, as fields of the input. Reports reasons that an answer cannot
 * contain. `interrupts`: the ids of all interrupts of the last run.
 */
export function answersTo(decisions: readonly ItemDecision[], context: Context, interrupts?: string[]): Answers {
  const native = decisions.filter(isNative);
  const entries = decisions
    .filter((decision) => !isNative(decision))
    .flatMap((decision) => answerTo(decision, context));
  const command: Record<string, unknown> = {};
  for (const interruptId of new Set(native.map((decision) => askedOf(decision).id as string))) {
    const own = native.filter((decision) => askedOf(decision).id === interruptId);
    const { isCommand, action } = askedOf(own[0] as ItemDecision);
    const payload = resumeOf(own, (decision) => askedOf(decision).action, context.texts)?.get(action?.interrupt);
    if (isCommand) command[interruptId] = payload ?? false;
    else if (payload === undefined) entries.push({ interruptId, status: 'cancelled' });
    else {
      const isAlone = decisions.length === own.length && action?.shape !== 'single';
      entries.push({ interruptId, status: 'resolved', payload: isAlone ? keyed(interruptId, payload) : payload });
    }
  }
  const [id] = Object.keys(command);
  if (id === undefined) return { resume: [...entries, ...cancelledBeside(entries, interrupts)] };
  const isNamed = decisions.every((decision) => askedOf(decision)?.hasId);
  return { forwardedProps: { command: { resume: isNamed ? command : command[id] } } };
}

/**
 * The server gives a single answer to LangGraph as it is, which would answer whatever interrupt is open by then. An
 * answer that names its interrupt is ignored if that interrupt is no longer open.
 */
const keyed = (id: string, payload: unknown): unknown => (LANGGRAPH_ID.test(id) ? { [id]: payload } : payload);

/** The form of an interrupt's id in LangGraph. It recognizes no other keys. */
const LANGGRAPH_ID = /^[0-9a-f]{32}$/;

/** Returns the answer to an interrupt in a list, which is empty for a call without an interrupt. */
export function answerTo(decision: ItemDecision, context?: Context): ResumeEntry[] {
  const { outcome, approval, editedInput, reason, toolCallId: call } = decision;
  const { form } = askedOf(decision)?.action ?? {};
  if (form) {
    const { action, value: payload } = answerOf(decision, form);
    const interruptId = askedOf(decision).id as string;
    return [action === 'accept' ? { interruptId, status: 'resolved', payload } : { interruptId, status: 'cancelled' }];
  }
  if (!approval?.[AG_UI]) return [];
  const { id, toolCallId, responseSchema, expiresAt, reason: why } = approval[AG_UI] as Interrupt;
  const interruptId = id as string;
  const approved = /^(approved|executed|failed)$/.test(outcome);
  const isQuestion = why && !toolCallId;
  const isYesOrNo = isQuestion && (responseSchema?.type ?? (why === 'confirmation' && 'boolean')) === 'boolean';
  // An expired interrupt, and a denied question that expects more than a boolean, can only be cancelled.
  if (outcome === 'cancelled' || (outcome === 'expired' && expiresAt) || (isQuestion && !isYesOrNo && !approved))
    return [{ interruptId, status: 'cancelled' }];
  const saysWhy = !approved && Boolean(reason);
  const hasReason = !isYesOrNo && hasField(responseSchema, 'reason');
  if (saysWhy && !hasReason) context?.reportLoss('reason', call);
  let payload: unknown = isYesOrNo
    ? approved
    : {
        approved,
        ...(approved && editedInput !== undefined && { editedArgs: editedInput }),
        ...(saysWhy && hasReason && { reason }),
      };
  if (isQuestion && editedInput !== undefined) payload = editedInput;
  return [{ interruptId, status: 'resolved', payload }];
}

/**
 * Returns `cancelled` for the interrupts of the last run that a request with answers would leave open: those whose
 * calls were cancelled after an earlier request had failed. A server accepts only answers to all of them. `interrupts`:
 * the ids that the reader stored.
 */
function cancelledBeside(resume: readonly ResumeEntry[], interrupts: readonly string[] | undefined): ResumeEntry[] {
  const answered = resume.map(({ interruptId }) => interruptId);
  const left = resume.length ? asList(interrupts).filter((id) => !answered.includes(id)) : [];
  return left.map((interruptId) => ({ interruptId, status: 'cancelled' }));
}
