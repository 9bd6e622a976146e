/** `toolgate/element`: an approval card as custom elements, for any framework or none. See `defineToolApproval`. */
export type { RememberChoice } from './decision-form.js';
export { defineToolApproval } from './define.js';
export type { ToolApprovalProps, ToolApprovalsProps, ToolApprovalTags } from './define.js';
export type { InputCheck } from './editor.js';
export type { DecisionDetail, DecisionErrorDetail, DecisionOnTool } from './card-events.js';
export { ToolApprovalElement, ToolApprovalsElement } from './elements.js';
export { loadToolApproval } from './view-loader.js';
export type { ApprovalStatus } from './status.js';
export type { ApprovalTexts } from './card-texts.js';
