/** What a form shows, from its state. */
import { brief, truncated } from '../describe/brief.js';
import { fill } from '../describe/call-texts.js';
import type { FactsOfView } from '../describe/call-facts.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { ApprovalDescriptor } from '../types/approval-descriptor.js';
import type { PendingApproval } from '../types/index.js';
import { toolNameOf } from '../types/tool-part.js';
import { askedBy } from './asked-answer.js';
import type { FieldId, FieldOption, FormAct, FormButton, FormContext, FormField } from './form-types.js';
import { scopesFor } from './remember-scopes.js';
import type { CardTexts } from './texts.js';
import { briefName, labelOf } from './tool-names.js';

/** Maximum characters of the prompt, of a label or description, and of a summary on a button. */
const PROMPT = 2000;
const LABEL = 200;
const SUMMARY = 60;

/**
 * What a form is about to do: decide (`open`), deny with a reason (`denying`), or approve or deny for later calls too
 * (`approving`, `refusing`), after a question.
 */
export type Mode = 'open' | 'denying' | 'approving' | 'refusing';

/** What the user has entered. `edited`: the text of the editor, if it is open. */
export interface Entries extends Readonly<Partial<Record<FieldId, string>>> {
  readonly edited?: string | undefined;
}

/** The state of a form. */
export interface FormState extends FormContext, FactsOfView {
  readonly gate: ToolGate;
  /** The request, if the call waits for the user. */
  readonly pending: PendingApproval | undefined;
  readonly texts: CardTexts;
  readonly descriptor: ApprovalDescriptor;
  /** The input that is decided, or that the tool has got. */
  readonly input: unknown;
  readonly isDangerous: boolean;
  /** The app's sentence about the call; or empty. */
  readonly summary: string;
}

/** The wrong field, and what is wrong. Without a field, it is about the decision. */
export interface FormProblem {
  readonly of?: FieldId | undefined;
  readonly text: string;
}

/** The backend's question; or empty. */
export const promptOf = ({ pending, descriptor }: FormState): string =>
  truncated((pending && descriptor.prompt) ?? '', PROMPT);

const NO_OPTIONS: readonly FieldOption[] = [];

/** The fields to show. While a reason is open, or a question is asked, nothing that approves is among them. */
export function fieldsOf(state: FormState, mode: Mode, entries: Entries, problem: FormProblem): readonly FormField[] {
  const { gate, pending, texts, descriptor } = state;
  if (!pending) return [];
  const field = (id: FieldId, kind: FormField['kind'], label: string, options = NO_OPTIONS): FormField => ({
    id,
    kind,
    label,
    value: entries[id] ?? '',
    problem: problem.of === id ? problem.text : '',
    options,
    isDisabled: id === 'remember' && entries.edited !== undefined,
  });
  if (mode === 'denying') return [field('reason', 'text', texts.reasonLabel)];
  if (mode !== 'open') return [];
  const { options, acceptsText } = askedBy(descriptor, gate);
  const choices = options.map(({ id, label, description, grants = [] }) => ({
    value: id,
    label: truncated(label, LABEL),
    description: truncated([description, grants.join(', ')].filter(Boolean).join(' · '), LABEL),
  }));
  const scopes = scopesOf(state);
  return [
    ...(entries.edited === undefined ? [] : [field('edited', 'json', texts.editLabel)]),
    ...(choices.length > 0 ? [field('option', 'options', texts.choice, choices)] : []),
    ...(acceptsText ? [field('answer', 'text', texts.answer)] : []),
    ...(scopes ? [field('remember', 'menu', texts.remember, scopes)] : []),
  ];
}

/** The scopes of a decision; undefined if it cannot be remembered. */
export function scopesOf({
  pending,
  remember = 'none',
  descriptor,
  part,
  texts,
}: FormState): readonly FieldOption[] | undefined {
  if (remember === 'none' || pending?.rememberable === false) return undefined;
  return scopesFor(remember, briefName(toolNameOf(part)), descriptor, texts);
}

/** The question before a decision that lasts; or empty. */
export function questionOf(state: FormState, mode: Mode, { remember }: Entries): string {
  if (mode !== 'approving' && mode !== 'refusing') return '';
  return fill(state.texts.notAskedAgain, { scope: scopeLabel(state, remember) });
}

const scopeLabel = (state: FormState, value: string | undefined): string =>
  scopesOf(state)?.find((option) => option.value === value)?.label ?? '';

/**
 * The buttons to show, in their order. The button that approves a dangerous call names what it approves, and the one
 * that makes a lasting decision names the calls.
 */
export function buttonsOf(state: FormState, mode: Mode, entries: Entries): readonly FormButton[] {
  const { part, pending, acts, texts, isDangerous, summary } = state;
  const tool = labelOf(part);
  const button = (act: FormAct, label: string, look: FormButton['look'] = 'quiet'): FormButton => ({
    act,
    label,
    name: `${label}: ${tool}`,
    look,
    isDisabled: false,
  });
  if (!pending) return acts.map((act) => button(act, texts[act], 'other'));
  const more = pending.extendable === true ? [button('moreTime', texts.moreTime)] : [];
  if (mode === 'denying')
    return [button('deny', texts.denyWithReason, 'other'), button('reasonToggle', texts.back), ...more];
  const main = isDangerous ? 'danger' : 'main';
  if (mode !== 'open') {
    const [verb, look] = mode === 'approving' ? ([texts.approve, main] as const) : ([texts.deny, 'other'] as const);
    const confirm = button('confirm', `${verb}: ${scopeLabel(state, entries.remember)}`, look);
    return [confirm, button('back', texts.back), ...more];
  }
  const isEditing = entries.edited !== undefined;
  const approve = isEditing ? texts.approveEdited : texts.approve;
  return [
    button(
      'approve',
      isDangerous ? `${approve}: ${brief(summary, SUMMARY) || briefName(toolNameOf(part))}` : approve,
      main,
    ),
    button('deny', texts.deny, 'other'),
    button('reasonToggle', texts.reason),
    ...(pending.editable ? [button('edit', isEditing ? texts.discardEdit : texts.edit)] : []),
    ...more,
  ];
}
