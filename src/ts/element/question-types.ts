/** The public types of `<tool-question>`. */
import type { GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { CallStatus } from '../describe/call-status.js';
import type { Question, QuestionAnswer } from '../types/question.js';
import type { QuestionTexts } from './question-texts.js';

export type { Question, QuestionAnswer } from '../types/question.js';

/** The detail of an `answer` event: the gate accepted this answer. */
export interface AnswerDetail {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly answer: QuestionAnswer;
}

/** The detail of an `answer-error` event: the gate rejected the answer. */
export interface AnswerErrorDetail {
  readonly toolCallId: string;
  readonly error: unknown;
}

/** The element `<tool-question>`: a form for a call that asks the user something. */
export interface ToolQuestionElement extends HTMLElement {
  /** A `ToolGate`, or a guarded chat. Not an attribute. Throws a `TypeError` for anything else. */
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  /** The call to show: attribute `tool-call-id`. */
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  /** The message that contains the call, if call ids repeat: attribute `message-id`. Default: the newest call. */
  get messageId(): string | undefined;
  set messageId(id: string | undefined | null);
  /** The question. Default: the input of the call. */
  get question(): Question | undefined;
  set question(question: Question | undefined | null);
  /** Replacements for the element's texts. Omitted keys keep the English default. */
  get texts(): Partial<QuestionTexts> | undefined;
  set texts(texts: Partial<QuestionTexts> | undefined | null);
  /** The level of the heading that names the call, 1 to 6: attribute `heading-level`. Default 3. */
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
  /** The status of the call: `waiting` while the form is shown; undefined while there is no call. */
  readonly status: CallStatus | undefined;
}

/** The properties of `<tool-question>` in framework templates. */
export interface ToolQuestionProps {
  gate?: GateSource;
  toolCallId?: string | undefined;
  messageId?: string | undefined;
  question?: Question | undefined;
  texts?: Partial<QuestionTexts> | undefined;
  headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  /** React 19 and Svelte: listeners of the events `answer` and `answer-error`. */
  onanswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  'onanswer-error'?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}
