/** `<ToolQuestion>`: the element `<tool-question>` as a component. */
import type { AllowedComponentProps, VNode, VNodeProps } from 'vue';
import type { AnswerDetail, AnswerErrorDetail } from '../../element/question-types.js';
import type { AnyTools } from '../../types/index.js';
import { QUESTION, QUESTION_PROPS, type QuestionProps } from '../shown-question.js';
import { renderElement, type Setup } from './vue-element.js';

/** The events of `ToolQuestion`. */
export interface QuestionEvents {
  /** The user has answered, and the gate accepted the answer. */
  readonly onAnswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  /** The gate rejected the user's answer. */
  readonly onAnswerError?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}

/**
 * Shows the form for a call that asks the user something: `<ToolQuestion :chat="chat" :part="part" />`. Instead of
 * `part` it takes `toolCallId`. `chat` or `gate` may be what `useGuardedChat` returned, a guarded chat, a `ToolGate`,
 * or null; by default, it is that of `provideGate`. Registers the element `<tool-question>`, and loads its script when
 * there is something to show. Events: `answer` and `answer-error`.
 */
// An object without calls, so that bundlers omit it where it is not used.
export const ToolQuestion = {
  name: 'ToolQuestion',
  props: QUESTION_PROPS,
  emits: ['answer', 'answer-error'],
  setup: ((props, { emit }) => renderElement(QUESTION, props, emit)) as Setup,
} as unknown as <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & QuestionProps<T> & QuestionEvents,
) => VNode;
