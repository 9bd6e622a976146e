/** What a decision form shows and takes: the words between `ApprovalForm` and the components that draw it. */
import type { AnyToolPart } from '../describe/call-status.js';
import type { CallAct } from '../describe/call-facts.js';
import type { GateSource } from '../gate/gate-source.js';
import type { PendingApproval, Remember } from '../types/index.js';
import type { InputCheck } from './edited-input.js';
import type { ApprovalTexts } from './texts.js';
import type { ToolCards } from './tool-cards.js';

/**
 * What a button does. `confirm`: makes a decision that lasts, after the question. `back`: goes back from that question.
 * `reasonToggle`: opens or closes the reason for denying, `edit` the editor. The others are those of a decision that is
 * not with the backend: see `CallActions` of `toolgate`.
 */
export type FormAct = 'approve' | 'confirm' | 'deny' | 'reasonToggle' | 'back' | 'edit' | 'moreTime' | CallAct;

/**
 * A field: the edited input as JSON, the option and the text that the backend asks for, the reason for denying, and how
 * long the decision applies.
 */
export type FieldId = 'edited' | 'option' | 'answer' | 'reason' | 'remember';

/** A button of a form. Draw it with the attribute `data-act`. */
export interface FormButton<ACT extends string = FormAct> {
  readonly act: ACT;
  /** The visible label. */
  readonly label: string;
  /** The accessible name. It begins with the label, so that voice control finds the button. */
  readonly name: string;
  /** `danger`: approves a dangerous call. Let it look like that. `quiet`: decides nothing. */
  readonly look: 'main' | 'danger' | 'other' | 'quiet';
  readonly isDisabled: boolean;
}

/** The scopes that a form offers for a decision. `'always'` needs an app that stores decisions for other chats. */
export type RememberChoice = 'none' | 'chat' | 'always';

/** A choice of a field. */
export interface FieldOption {
  readonly value: string;
  readonly label: string;
  /** More about the choice; or empty. */
  readonly description: string;
}

/** A field of a form. Draw its control (each radio button) with the attribute `data-field`. */
export interface FormField {
  readonly id: FieldId;
  readonly kind: 'json' | 'options' | 'text' | 'menu';
  readonly label: string;
  /** What the user has entered. Needed when the control is created: the form reads it from then on. */
  readonly value: string;
  /** What is wrong with the value; or empty. */
  readonly problem: string;
  /** The choices of `options` (radio buttons) and of a `menu`. */
  readonly options: readonly FieldOption[];
  readonly isDisabled: boolean;
}

/** The time that is left to answer, by the gate's clock. */
export interface FormDeadline {
  readonly text: string;
  /** Little time is left. */
  readonly isHurry: boolean;
}

/** What a form shows. Show its texts as text, never as HTML. */
export interface FormView {
  /** The number of the request. When it changes, create new controls, with the values of the fields. */
  readonly key: number;
  /** Whether the call waits for the user's decision. */
  readonly isWaiting: boolean;
  /** Whether the app says that the call is dangerous. */
  readonly isDangerous: boolean;
  /** The app's sentence about the call, as the app has written it; or empty. */
  readonly summary: string;
  /** The backend's question; or empty. */
  readonly prompt: string;
  /** The question before a decision that lasts; or empty. Draw it with `data-question` and `tabindex="-1"`. */
  readonly question: string;
  readonly fields: readonly FormField[];
  readonly buttons: readonly FormButton[];
  readonly deadline: FormDeadline | undefined;
  /** What screen readers should say now: that little time is left; or empty. */
  readonly announcement: string;
  /** Why the last press or decision was refused; or empty. */
  readonly problem: string;
}

/** The decision that the user made with a form. */
export interface FormDecision {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason of a denial, or the answer to the backend's question. */
  readonly reason?: string;
  /** For which later calls the decision applies. */
  readonly remember?: Remember;
  /** The edited input, as the user wrote it. Only `validateInput` has checked it. */
  readonly input?: unknown;
  /** `duplicate`: the same decision existed already. */
  readonly result: 'accepted' | 'duplicate';
}

/** A decision that the user made with a form, and that the gate does not have yet. */
export interface HeldDecision extends Omit<FormDecision, 'result' | 'approvalId' | 'toolCallId' | 'toolName'> {
  /** The request that the form showed. */
  readonly approval: PendingApproval;
  /** The label of the button that the user pressed. */
  readonly label: string;
  /**
   * Gives the decision to the gate, and calls `onDecision`. If the gate refuses it, the form says so, `onRefusal` is
   * called, and the result is undefined.
   */
  readonly give: () => FormDecision['result'] | undefined;
}

/** What a form is about. */
export interface FormContext {
  /** The gate, or a guarded chat; the form shows nothing while there is none. */
  readonly gate: GateSource;
  /** The tool call, as it is in the messages of the chat. */
  readonly part: AnyToolPart;
  /** Replacements for the English texts. */
  readonly texts?: Partial<ApprovalTexts> | undefined;
  /** What the app knows about its tools. */
  readonly tools?: ToolCards | undefined;
  /** The scopes that the form offers for a decision. Default `'none'`. */
  readonly remember?: RememberChoice | undefined;
  /** The app's validation of an edited input. */
  readonly validateInput?: InputCheck | undefined;
  /**
   * Takes the decisions of the form, to give them later, such as those of a review together. By default the form gives
   * a decision at once.
   */
  readonly hold?: ((decision: HeldDecision) => void) | undefined;
  /** Called when the gate has accepted a decision. */
  readonly onDecision?: ((decision: FormDecision) => void) | undefined;
  /** Called with the error when the gate refuses a decision or another act. */
  readonly onRefusal?: ((approvalId: string, error: unknown) => void) | undefined;
}
