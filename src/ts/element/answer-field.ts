/**
 * What a backend asks besides "may it run": its prompt, its options, and a field for a text. The answer is the `reason`
 * of the approval, because that is the only field that protocols have for it. The buttons stay the card's own: a
 * backend's label never stands on them.
 */
import type { ApprovalDescriptor, ApprovalOption } from '../types/approval-descriptor.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { CardTexts } from '../approval/texts.js';
import { textNodes, truncated } from './escape-invisible.js';

/** Maximum characters of the prompt, and of a label or description. */
const PROMPT = 2000;
const LABEL = 200;

/** The user's entries. */
export interface AnswerState {
  readonly option: string | undefined;
  readonly text: string;
}

/** The prompt, the options and the field for a text. */
export class AnswerField {
  readonly element: HTMLElement;
  /** The options and the field for a text, without the prompt. */
  readonly fields: HTMLElement;
  /** The field for a text. */
  readonly field: HTMLInputElement | undefined;
  readonly #texts: CardTexts;
  readonly #radios: readonly HTMLInputElement[];
  readonly #isRequired: boolean;
  readonly #problem = h('p', { id: 'answer-problem', class: 'problem', part: 'error', role: 'alert' });

  private constructor(
    { prompt, acceptsText, requiresText }: ApprovalDescriptor,
    options: readonly ApprovalOption[],
    texts: CardTexts,
    state: AnswerState | undefined,
  ) {
    this.#texts = texts;
    this.#isRequired = options.length > 0 || requiresText;
    const rows = options.map((option, at) => optionRow(option, `option-${at}`));
    this.#radios = rows.map(({ radio }) => radio);
    for (const radio of this.#radios) radio.checked = radio.value === state?.option;
    this.field = acceptsText
      ? h('input', {
          id: 'answer',
          part: 'input answer',
          type: 'text',
          autocomplete: 'off',
          'aria-describedby': 'answer-problem',
        })
      : undefined;
    if (this.field) this.field.value = state?.text ?? '';
    const question =
      prompt === undefined
        ? undefined
        : h('p', { id: 'prompt', 'class part': 'prompt', dir: 'auto' }, ...textNodes(truncated(prompt, PROMPT)));
    this.fields = h(
      'div',
      { class: 'fields' },
      rows.length > 0 &&
        h(
          'div',
          {
            class: 'options',
            part: 'options',
            role: 'radiogroup',
            'aria-label': texts.choice,
            'aria-describedby': question && 'prompt',
          },
          ...rows.map(({ row }) => row),
        ),
      this.field && h('label', { for: 'answer', part: 'label' }, texts.answer),
      this.field,
      this.#problem,
    );
    this.element = h('div', { class: 'row' }, question, this.fields);
    this.element.addEventListener('input', () => this.#complain(''));
  }

  /**
   * The fields for what a backend asks; undefined if it asks nothing. `canCarryText`: the protocol can send a reason.
   * Without that, and without options of the protocol itself, only the prompt is shown.
   */
  static for(
    descriptor: ApprovalDescriptor,
    canCarryText: boolean,
    texts: CardTexts,
    state: AnswerState | undefined,
  ): AnswerField | undefined {
    const once = descriptor.options.filter(({ kind }) => kind === 'allow-once');
    const choices = descriptor.options.filter(
      ({ kind }) => kind === 'choice' || (kind === 'allow-once' && once.length > 1),
    );
    const options = canCarryText || descriptor.isOfProtocol ? choices : [];
    const acceptsText = canCarryText && descriptor.acceptsText;
    if (descriptor.prompt === undefined && options.length === 0 && !acceptsText) return undefined;
    return new AnswerField({ ...descriptor, acceptsText }, options, texts, state);
  }

  /** The user's current entries. */
  get state(): AnswerState {
    return { option: this.#radios.find(({ checked }) => checked)?.value, text: this.field?.value ?? '' };
  }

  /**
   * Reads the answer: the text, or else the id of the option; undefined if nothing is asked. If an answer is missing,
   * shows that, focuses the first field and returns `'missing'`.
   */
  read(): { readonly reason?: string } | 'missing' {
    const { option, text } = this.state;
    const reason = text.trim() || option;
    if (reason !== undefined && reason !== '') return { reason };
    const first = this.#radios[0] ?? this.field;
    if (!first || !this.#isRequired) return {};
    this.#complain(this.#radios.length > 0 ? this.#texts.choiceMissing : this.#texts.answerMissing);
    first.focus();
    return 'missing';
  }

  #complain(problem: string): void {
    setText(this.#problem, problem);
    if (this.field) setAttribute(this.field, 'aria-invalid', problem ? 'true' : undefined);
  }
}

function optionRow({ id, label, description, grants = [] }: ApprovalOption, elementId: string) {
  const radio = h('input', { id: elementId, type: 'radio', name: 'option', part: 'option' });
  radio.value = id;
  const more = [description, grants.join(', ')].filter(Boolean).join(' · ');
  const row = h(
    'div',
    { class: 'option' },
    radio,
    h(
      'label',
      { for: elementId, part: 'label', dir: 'auto' },
      ...textNodes(truncated(label, LABEL)),
      more !== '' && h('span', { class: 'more-text' }, ...textNodes(truncated(more, LABEL))),
    ),
  );
  return { row, radio };
}
