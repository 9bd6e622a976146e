/** `<ToolQuestion>`: the element `<tool-question>` as a component. */
import type { Component, ComponentConstructorOptions, SvelteComponent } from 'svelte';
import type { AnswerDetail, AnswerErrorDetail } from '../../element/question-types.js';
import type { AnyTools } from '../../types/index.js';
import { QUESTION, type QuestionProps } from '../shown-question.js';
import { renderElement } from './svelte-element.js';

/** The props of {@link ToolQuestion}. */
export interface ToolQuestionProps<T extends AnyTools = AnyTools> extends QuestionProps<T> {
  /** Called when the user has answered, and the gate accepted the answer. */
  readonly onanswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  /** Called when the gate rejected the user's answer. */
  readonly onanswererror?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}

/** A component with a type parameter, as the tools of Svelte write one: with a signature of Svelte 4 and one of 5. */
interface QuestionComponent {
  new <T extends AnyTools = AnyTools>(
    options: ComponentConstructorOptions<ToolQuestionProps<T>>,
  ): SvelteComponent<ToolQuestionProps<T>>;
  <T extends AnyTools = AnyTools>(
    internals: Parameters<Component>[0],
    props: ToolQuestionProps<T>,
  ): ReturnType<Component>;
}

/**
 * Shows the form for a call that asks the user something: `<ToolQuestion {chat} {part} />`. Instead of `part` it takes
 * `toolCallId`. `chat` or `gate` may be what `useGuardedChat` returned, a guarded chat, a `ToolGate`, or null; by
 * default, it is that of `provideGate`. Registers the element `<tool-question>`, and loads its script when there is
 * something to show.
 */
export const ToolQuestion = ((place: unknown, props: ToolQuestionProps) =>
  renderElement(QUESTION, place, props)) as unknown as QuestionComponent;
