/** Registers the elements, and tells TypeScript about their tags. Importing anything here has no effect by itself. */
import { ToolApprovalElement } from './card.js';
import type { RememberChoice } from './decision.js';
import type { InputCheck } from './editor.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { ToolApprovalsElement } from './list.js';
import type { ApprovalTexts } from './card-texts.js';
import type { GateSource } from '../gate/gate-source.js';

declare global {
  interface HTMLElementTagNameMap {
    'tool-approval': ToolApprovalElement;
    'tool-approvals': ToolApprovalsElement;
  }
}

/** Makes `<tool-approval>` and `<tool-approvals>` known to the page. Again, and on a server, it does nothing. */
export function defineToolApproval(): void {
  const registry: CustomElementRegistry | undefined = globalThis.customElements;
  if (!registry) return;
  if (!registry.get('tool-approval')) registry.define('tool-approval', ToolApprovalElement);
  if (!registry.get('tool-approvals')) registry.define('tool-approvals', ToolApprovalsElement);
}

/** What `<tool-approvals>` takes in a template of a framework. */
export interface ToolApprovalsProps {
  /** A `ToolGate`, or a chat that `guard` returned. */
  gate?: GateSource;
  texts?: Partial<ApprovalTexts> | undefined;
  validateInput?: InputCheck | undefined;
  remember?: RememberChoice | undefined;
  headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  /** React 19 and Svelte: listeners of the events `decision` and `decision-error`. */
  ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  'ondecision-error'?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

/** What `<tool-approval>` takes in a template of a framework. */
export interface ToolApprovalProps extends ToolApprovalsProps {
  approvalId?: string | undefined;
  toolCallId?: string | undefined;
  messageId?: string | undefined;
  announce?: 'all' | 'none' | undefined;
}

/**
 * Both tags with what they take, for the types of a framework. `COMMON` is what every element takes there:
 * `React.HTMLAttributes<HTMLElement>`, `svelte/elements`' `HTMLAttributes<HTMLElement>`.
 */
export interface ToolApprovalTags<COMMON = unknown> {
  'tool-approval': Omit<COMMON, keyof ToolApprovalProps> & ToolApprovalProps;
  'tool-approvals': Omit<COMMON, keyof ToolApprovalsProps> & ToolApprovalsProps;
}
