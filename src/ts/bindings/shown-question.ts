/** What the component `ToolQuestion` of all bindings does with its custom element. */
import { defineToolQuestion } from '../element/question-element.js';
import type { ToolQuestionProps } from '../element/question-types.js';
import type { GateSource } from '../gate/gate-source.js';
import type { AnyTools } from '../types/index.js';
import {
  callOf,
  setGate,
  setProperties,
  type CallProps,
  type ShownElement,
  type SourceProps,
} from './shown-element.js';

/** The props of `ToolQuestion`, without events. `T`: the app's message type or tools, which a chat has. */
export interface QuestionProps<T extends AnyTools = AnyTools>
  extends SourceProps<T>, CallProps, Pick<ToolQuestionProps, 'question' | 'texts' | 'headingLevel' | 'theme'> {}

/** The names of all props that are not HTML attributes. */
export const QUESTION_PROPS = [
  'gate',
  'chat',
  'part',
  'toolCallId',
  'messageId',
  'question',
  'texts',
  'headingLevel',
  'theme',
] as const satisfies readonly (keyof QuestionProps)[];

/** The element of `ToolQuestion`. */
export const QUESTION: ShownElement = {
  tag: 'tool-question',
  props: QUESTION_PROPS,
  events: { answer: 'onAnswer', 'answer-error': 'onAnswerError' },
  show,
};

function show(element: HTMLElement, source: GateSource, props: QuestionProps): void {
  defineToolQuestion();
  const { question, texts, headingLevel, theme } = props;
  setProperties(element, { ...callOf(source, props), question, texts, headingLevel }, theme);
  setGate(element, source);
}
