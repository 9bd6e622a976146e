/** Draws the decision form of a card. Elements that stay are kept, and with them the focus and the caret. */
import type { CardTexts } from '../approval/texts.js';
import type { FieldOption, FormButton, FormField, FormView } from '../approval/form-types.js';
import { h, setAttribute, setText, type Child } from './card-dom.js';
import { textNodes } from './escape-invisible.js';

/** The decision form in the page. */
export class DrawnForm {
  /** The outermost element. */
  readonly element = h('div', {});
  /** The row of buttons. */
  readonly buttons = h('div', { 'class part': 'buttons' });
  /** The elements that are shown, by what they show. */
  #made = new Map<string, HTMLElement>();
  #key: unknown;

  /** Shows the view. Creates the elements anew for another request, and for other texts. */
  draw(view: FormView, texts: CardTexts): void {
    const key = `${view.key} ${JSON.stringify(texts)}`;
    if (key !== this.#key) this.#made.clear();
    this.#key = key;
    const made = new Map<string, HTMLElement>();
    const show = (name: string, create: () => HTMLElement): HTMLElement => {
      const element = this.#made.get(name) ?? create();
      made.set(name, element);
      return element;
    };
    const { prompt, question, fields, deadline } = view;
    const rows: HTMLElement[] = [];
    const menus: HTMLElement[] = [];
    if (prompt)
      rows.push(
        show('prompt', () => h('p', { id: 'prompt', 'class part': 'prompt', dir: 'auto' }, ...textNodes(prompt))),
      );
    for (const field of fields) {
      const row = show(field.id, () => drawField(field, prompt !== ''));
      updateField(row, field);
      if (field.id === 'remember') menus.push(row);
      else rows[field.id === 'edited' ? 'unshift' : 'push'](row);
    }
    if (question) {
      const asking = { 'class part': 'question', tabindex: '-1', 'data-question': true, dir: 'auto' };
      const row = show('question', () => h('p', asking));
      setText(row, question);
      rows.push(row);
    }
    const buttons = view.buttons.map((each) => drawButton(each, show));
    if (deadline) {
      const row = show('deadline', () => h('span', { 'class part': 'countdown', role: 'timer' }));
      setText(row, deadline.text);
      row.classList.toggle('hurry', deadline.isHurry);
      menus.push(row);
    }
    // The button for more time is after the time.
    const last = view.buttons.at(-1)?.act === 'moreTime' ? buttons.splice(-1) : [];
    this.#made = made;
    for (const name of ['class', 'part']) setAttribute(this.element, name, view.isWaiting ? 'decision' : undefined);
    place(this.buttons, [...buttons, ...menus, ...last]);
    place(this.element, this.buttons.firstChild ? [...rows, this.buttons] : rows);
  }
}

/** Shows these children in their order. Does not move one that is at its place: it would lose the focus. */
export function place(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  for (const child of [...parent.children]) if (!wanted.includes(child as HTMLElement)) child.remove();
  wanted.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}

/** Returns what is shown under this name, or creates it. */
type Show = (name: string, create: () => HTMLElement) => HTMLElement;

/** Draws a button. */
export function drawButton({ act, look, label, name, isDisabled }: FormButton<string>, show: Show): HTMLElement {
  const part = act.replace(/[A-Z]/g, '-$&').toLowerCase();
  const own = { type: 'button', part, class: `${part} ${look}`, 'data-act': act };
  const button = show(act, () => h('button', own)) as HTMLButtonElement;
  setText(button, label);
  setAttribute(button, 'aria-label', name);
  button.disabled = isDisabled;
  return button;
}

function drawField({ id, kind, label, value, options }: FormField, hasPrompt: boolean): HTMLElement {
  const part = id === 'edited' ? 'editor' : id;
  const problemId = `${part}-problem`;
  const attributes = { id: part, part: `input ${part}`, 'data-field': id, autocomplete: 'off' };
  const problem = h('p', { id: problemId, class: 'problem', part: 'error', role: 'alert' });
  const row = (...children: Child[]): HTMLElement => h('div', { class: 'row' }, ...children, problem);
  const caption = h('label', { for: part, part: 'label' }, label);
  if (kind === 'menu') {
    const menu = h('select', attributes, ...options.map((each) => h('option', { value: each.value }, each.label)));
    if (value) menu.value = value;
    return h('div', { class: 'choice' }, caption, menu);
  }
  if (kind === 'options') {
    const rows = options.map((each) =>
      choice(each, { type: 'radio', name: part, 'data-field': id, value: each.value }, each.value === value),
    );
    const group = { 'class part': 'options', role: 'radiogroup', 'aria-label': label, 'data-control': true };
    return row(h('div', { ...group, 'aria-describedby': `${hasPrompt ? 'prompt ' : ''}${problemId}` }, ...rows));
  }
  const own = { ...attributes, 'data-control': true, 'aria-describedby': problemId };
  const rows = Math.min(14, Math.max(3, value.split('\n').length));
  const control =
    kind === 'json' ? h('textarea', { ...own, rows, spellcheck: 'false' }) : h('input', { ...own, type: 'text' });
  control.value = value;
  return row(caption, control);
}

/** Draws a radio button or a checkbox, with its label and what the option means. */
export function choice(
  { label, description }: Pick<FieldOption, 'label'> & Partial<FieldOption>,
  attributes: Readonly<Record<string, string | boolean>>,
  isChosen: boolean,
): HTMLElement {
  const input = h('input', { part: 'input option', ...attributes });
  input.checked = isChosen;
  const more = !!description && h('span', { class: 'more-text' }, ...textNodes(description));
  return h('label', { class: 'check', part: 'label' }, input, h('span', { dir: 'auto' }, ...textNodes(label), more));
}

function updateField(row: HTMLElement, { kind, problem, isDisabled }: FormField): void {
  if (kind === 'menu') return void ((row.lastElementChild as HTMLSelectElement).disabled = isDisabled);
  setText(row.lastElementChild!, problem);
  setAttribute(row.querySelector('[data-control]')!, 'aria-invalid', problem ? 'true' : undefined);
}
