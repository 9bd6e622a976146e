/**
 * `toolgate/element`: an approval card and a form for questions as custom elements, for any framework or none. See
 * `defineToolApproval` and `defineToolQuestion`.
 */
export type { RememberChoice } from '../approval/form-types.js';
export { defineToolApproval } from './define.js';
export type { ToolApprovalProps, ToolApprovalsProps, ToolApprovalTags } from './define.js';
export type { InputCheck } from '../approval/edited-input.js';
export type { DecisionDetail, DecisionErrorDetail, DecisionOnTool } from './card-events.js';
export { ToolApprovalElement, ToolApprovalsElement } from './elements.js';
export { defineToolQuestion, loadToolQuestion } from './question-element.js';
export type {
  AnswerDetail,
  AnswerErrorDetail,
  Question,
  QuestionAnswer,
  ToolQuestionElement,
  ToolQuestionProps,
} from './question-types.js';
export type { QuestionTexts } from './question-texts.js';
export { loadToolApproval } from './view-loader.js';
export type { ApprovalStatus } from './host.js';
export type { ApprovalTexts, CountedText } from '../approval/texts.js';
export type { ToolCard, ToolCards } from '../approval/tool-cards.js';
export { descriptorOf } from '../types/approval-descriptor.js';
export type { ApprovalDescriptor, ApprovalOption } from '../types/approval-descriptor.js';
