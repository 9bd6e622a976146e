/** A field to edit the input of a call as JSON before approving it. The field shows what is wrong with the text. */
import { h, setAttribute, setText } from './card-dom.js';
import { jsonOf } from './layout.js';
import { fill } from '../describe/call-texts.js';
import type { CardTexts } from '../approval/texts.js';
import { brief } from '../describe/brief.js';

/** An app's validation of an edited input. Returns the problem as a text for the user, or undefined. */
export type InputCheck = (input: unknown) => string | undefined;

/** The result of an edit: unchanged, changed, or not valid. */
type Edited =
  { readonly kind: 'same' } | { readonly kind: 'edited'; readonly input: unknown } | { readonly kind: 'invalid' };

/** A field with the input's JSON. */
export class Editor {
  readonly element: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  readonly #problem: HTMLElement;
  readonly #original: string;
  readonly #isObject: boolean;
  readonly #texts: CardTexts;
  readonly #check: InputCheck;

  /** `text`: the text of an earlier field for the same input. */
  constructor(input: unknown, texts: CardTexts, check: InputCheck, text?: string) {
    this.#texts = texts;
    this.#check = check;
    this.#original = jsonOf(input);
    this.#isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    const rows = Math.min(14, Math.max(3, this.#original.split('\n').length));
    this.#field = h('textarea', {
      id: 'editor',
      part: 'input editor',
      rows,
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-describedby': 'problem',
    });
    this.#field.value = text ?? this.#original;
    this.#problem = h('p', { id: 'problem', class: 'problem', part: 'error', role: 'alert' });
    this.#field.addEventListener('input', () => {
      // While the user types, the text is often not valid: only update a problem that is shown already.
      if (this.#problem.textContent) this.read();
    });
    this.#field.addEventListener('change', () => void this.read());
    this.element = h(
      'div',
      { class: 'row' },
      h('label', { for: 'editor', part: 'label' }, texts.editLabel),
      this.#field,
      this.#problem,
    );
  }

  focus(): void {
    this.#field.focus();
  }

  /** The text of the field. */
  get text(): string {
    return this.#field.value;
  }

  /** Parses and validates the text, and shows the problem if there is one. */
  read(): Edited {
    const text = this.#field.value;
    let problem = '';
    let input: unknown;
    if (text !== this.#original) {
      try {
        input = JSON.parse(text);
        const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
        problem = this.#isObject && !isObject ? this.#texts.notAnObject : (this.#check(input) ?? '');
      } catch (error) {
        problem = fill(this.#texts.badJson, {
          problem: brief(error instanceof Error ? error.message : String(error), 120),
        });
      }
    }
    setText(this.#problem, problem);
    setAttribute(this.#field, 'aria-invalid', problem ? 'true' : undefined);
    if (problem) return { kind: 'invalid' };
    return text === this.#original || jsonOf(input) === this.#original ? { kind: 'same' } : { kind: 'edited', input };
  }
}
