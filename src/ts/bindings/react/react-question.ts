/** `<ToolQuestion>`: the element `<tool-question>` as a component, for React 18 too. */
import type { HTMLAttributes, ReactElement } from 'react';
import type { AnswerDetail, AnswerErrorDetail } from '../../element/question-types.js';
import type { AnyTools } from '../../types/index.js';
import { QUESTION, type QuestionProps } from '../shown-question.js';
import { useElement } from './react-element.js';

/** The props of {@link ToolQuestion}: its own, and the attributes of its element. */
export interface ToolQuestionProps<T extends AnyTools = AnyTools>
  extends QuestionProps<T>, Omit<HTMLAttributes<HTMLElement>, 'children' | 'part'> {
  /** Called when the user has answered, and the gate accepted the answer. */
  readonly onAnswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  /** Called when the gate rejected the user's answer. */
  readonly onAnswerError?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}

/**
 * Shows the form for a call that asks the user something: `<ToolQuestion chat={chat} part={part} />`. Instead of `part`
 * it takes `toolCallId`. `chat` or `gate` may be what `useGuardedChat` returned, a guarded chat, a `ToolGate`, or null;
 * by default, it is that of the nearest `GateProvider`. Registers the element `<tool-question>`, and loads its script
 * when there is something to show.
 */
export function ToolQuestion<T extends AnyTools = AnyTools>(props: ToolQuestionProps<T>): ReactElement {
  return useElement(QUESTION, props);
}
