/** Registers the elements and declares their tags for TypeScript. Importing this module has no side effects. */
import type { RememberChoice } from '../approval/form-types.js';
import type { InputCheck } from '../approval/edited-input.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { ToolApprovalElement, ToolApprovalsElement } from './elements.js';
import type { ApprovalTexts } from '../approval/texts.js';
import type { ToolQuestionProps } from './question-types.js';
import type { GateSource } from '../gate/gate-source.js';
import type { ListView } from './host.js';
import type { ToolCards } from '../approval/tool-cards.js';

declare global {
  interface HTMLElementTagNameMap {
    'tool-approval': ToolApprovalElement;
    'tool-approvals': ToolApprovalsElement;
  }
}

/** Registers `<tool-approval>` and `<tool-approvals>`. Does nothing if they are registered already, and on a server. */
export function defineToolApproval(): void {
  const registry: CustomElementRegistry | undefined = globalThis.customElements;
  if (!registry) return;
  if (!registry.get('tool-approval')) registry.define('tool-approval', ToolApprovalElement);
  if (!registry.get('tool-approvals')) registry.define('tool-approvals', ToolApprovalsElement);
}

/** The properties of `<tool-approvals>` in framework templates. */
export interface ToolApprovalsProps {
  /** A `ToolGate`, or a chat that `guard` returned. */
  gate?: GateSource;
  texts?: Partial<ApprovalTexts> | undefined;
  validateInput?: InputCheck | undefined;
  /** What the app knows about its tools: summaries of their calls, and which are dangerous. By tool name. */
  tools?: ToolCards | undefined;
  remember?: RememberChoice | undefined;
  headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  /** `'review'`: one call at a time, and the decisions are sent together. */
  view?: ListView | undefined;
  /** React 19 and Svelte: listeners of the events `decision` and `decision-error`. */
  ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  'ondecision-error'?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/** The properties of `<tool-approval>` in framework templates. */
export interface ToolApprovalProps extends Omit<ToolApprovalsProps, 'view'> {
  approvalId?: string | undefined;
  toolCallId?: string | undefined;
  messageId?: string | undefined;
  announce?: 'all' | 'none' | undefined;
}

/**
 * The tags with their properties, for a framework's types. `COMMON` are the framework's properties of every element:
 * `React.HTMLAttributes<HTMLElement>`, or `HTMLAttributes<HTMLElement>` of `svelte/elements`.
 */
export interface ToolApprovalTags<COMMON = unknown> {
  'tool-approval': Omit<COMMON, keyof ToolApprovalProps> & ToolApprovalProps;
  'tool-approvals': Omit<COMMON, keyof ToolApprovalsProps> & ToolApprovalsProps;
  'tool-question': Omit<COMMON, keyof ToolQuestionProps> & ToolQuestionProps;
}
