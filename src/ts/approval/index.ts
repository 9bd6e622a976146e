/**
 * `toolgate/approval`: what an approval card may do and says, without its looks, for cards of your own. The elements of
 * `toolgate/element` and the components of the registry use it.
 */
export { approvalForm, approveAll } from './of-source.js';
export type { ApprovalForm } from './approval-form.js';
export type { AllAct, AllContext, AllView, ApproveAll } from './approve-all.js';
export type { Drawn } from './controls.js';
export type {
  FieldId,
  FieldOption,
  FormAct,
  FormButton,
  FormContext,
  FormDeadline,
  FormDecision,
  FormField,
  FormView,
  HeldDecision,
  RememberChoice,
} from './form-types.js';
export type { InputCheck } from './edited-input.js';
export { guardPresses } from './press-guard.js';
export { leadFocus } from './focus-next.js';
export { describeCard } from './describe-card.js';
export type { CardDescription, CardOptions } from './describe-card.js';
export { shownJson, visible } from './shown-text.js';
export type { ShownJson } from './shown-text.js';
export type { ApprovalTexts, CountedText } from './texts.js';
export type { ToolCard, ToolCards } from './tool-cards.js';
