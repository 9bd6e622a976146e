/** The interfaces between an element and its view. Types only: the script of the view is loaded later. */
import type { GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { ApprovalTexts } from '../approval/texts.js';
import type { HeldDecision, RememberChoice } from '../approval/form-types.js';
import type { InputCheck } from '../approval/edited-input.js';
import type { CallStatus } from '../describe/call-status.js';
import type { ToolCards } from '../approval/tool-cards.js';

/** What a card shows: see `CallStatus` of `toolgate`. */
export type ApprovalStatus = CallStatus;

/** How `<tool-approvals>` shows its calls. */
export type ListView = 'list' | 'review';

/** An element that a view renders. */
export interface Host extends HTMLElement {
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  get texts(): Partial<ApprovalTexts> | undefined;
  set texts(texts: Partial<ApprovalTexts> | undefined | null);
  get validateInput(): InputCheck | undefined;
  set validateInput(check: InputCheck | undefined | null);
  get tools(): ToolCards | undefined;
  set tools(tools: ToolCards | undefined | null);
  get remember(): RememberChoice;
  set remember(choice: RememberChoice | undefined | null);
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
}

/** `<tool-approval>`. */
export interface CardHost extends Host {
  get approvalId(): string | undefined;
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  get messageId(): string | undefined;
  get announce(): 'all' | 'none';
  set announce(value: 'all' | 'none' | undefined | null);
  get status(): CallStatus | undefined;
  /** Takes the decisions of the card, to give them later. Set by a list that sends them together. */
  hold?: ((decision: HeldDecision) => void) | undefined;
}

/** A script with a view. It is loaded when the view is first shown. */
export interface Script {
  /** What creates the view; undefined until the script is loaded. */
  readonly create: () => ((host: never, root: ShadowRoot) => View) | undefined;
  /** Loads the script. Rejects if it cannot be loaded. */
  readonly load: () => Promise<void>;
}

/** The members of a view that its element uses. */
export interface View {
  /** The status of the call; undefined for a list, and while there is none. */
  readonly status: CallStatus | undefined;
  /** Called when the element is connected, after its properties are set. */
  connect(): void;
  disconnect(): void;
  /** Called when the element moves to another document. A style sheet belongs to one document. */
  adopt(): void;
  gateChanged(): void;
  textsChanged(): void;
  /** Renders what has changed, because a property has. */
  changed(): void;
  /** Renders everything again, because an attribute has changed. */
  reset(): void;
  focus(options?: FocusOptions): void;
}
