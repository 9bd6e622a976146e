/** Draws the decision form of a card. Elements that stay are kept, and with them the focus and the caret. */
import type { CardTexts } from '../approval/texts.js';
import type { FormButton, FormField, FormView } from '../approval/form-types.js';
import { h, setAttribute, setText } from './card-dom.js';
import { textNodes } from './escape-invisible.js';
import { choice, controlOf, fieldRow, menu, showProblem } from './field-row.js';

/** The decision form in the page. */
interface DrawnForm {
  /** The outermost element. */
  readonly element: HTMLElement;
  /** The row of buttons. */
  readonly buttons: HTMLElement;
  /** Shows the view. For another request, and for other texts, it creates new elements. */
  readonly draw: (view: FormView, texts: CardTexts) => void;
}

/** Creates the elements of a decision form. */
export function drawnForm(): DrawnForm {
  const element = h('div', {});
  const buttons = h('div', { 'class part': 'buttons' });
  /** The elements that are shown, by what they show. */
  let made = new Map<string, HTMLElement>();
  let shownKey: unknown;

  function draw({ key, prompt, question, fields, deadline, isWaiting, ...view }: FormView, texts: CardTexts): void {
    const now = `${key} ${JSON.stringify(texts)}`;
    const old = now === shownKey ? made : new Map<string, HTMLElement>();
    shownKey = now;
    made = new Map();
    const show = (name: string, create: () => HTMLElement): HTMLElement => {
      const row = old.get(name) ?? create();
      made.set(name, row);
      return row;
    };
    const rows: HTMLElement[] = [];
    const menus: HTMLElement[] = [];
    if (prompt)
      rows.push(
        show('prompt', () => h('p', { id: 'prompt', 'class part': 'prompt', dir: 'auto' }, ...textNodes(prompt))),
      );
    for (const field of fields) {
      const row = show(field.id, () => drawField(field, prompt !== ''));
      showProblem(row, field.problem);
      controlOf(row).disabled = field.isDisabled;
      if (field.id === 'remember') menus.push(row);
      else rows[field.id === 'edited' ? 'unshift' : 'push'](row);
    }
    if (question) {
      const asking = { 'class part': 'question', tabindex: '-1', 'data-question': true, dir: 'auto' };
      const row = show('question', () => h('p', asking));
      setText(row, question);
      rows.push(row);
    }
    const drawn = view.buttons.map((each) => drawButton(each, show));
    // The button for more time is after the time.
    const last = view.buttons.at(-1)?.act === 'moreTime' ? drawn.splice(-1) : [];
    if (deadline) {
      const row = show('deadline', () => h('span', { 'class part': 'countdown', role: 'timer' }));
      setText(row, deadline.text);
      row.classList.toggle('hurry', deadline.isHurry);
      menus.push(row);
    }
    for (const name of ['class', 'part']) setAttribute(element, name, isWaiting ? 'decision' : undefined);
    place(buttons, [...drawn, ...menus, ...last]);
    place(element, buttons.firstChild ? [...rows, buttons] : rows);
  }

  return { element, buttons, draw };
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
  const name = id === 'edited' ? 'editor' : id;
  const own = { part: `input ${name}`, 'data-field': id, autocomplete: 'off' };
  const row = { id: name, label: [label], isAlert: true };
  const drawn = options.map((each) => ({ ...each, isChosen: each.value === value }));
  if (kind === 'menu') return fieldRow(row, menu(drawn, own));
  if (kind === 'options') {
    const group = { part: 'row options', role: 'radiogroup' };
    const radios = drawn.map((each) => choice(each, { type: 'radio', name, 'data-field': id }));
    return fieldRow({ ...row, group, describedBy: hasPrompt ? 'prompt ' : '' }, ...radios);
  }
  const rows = Math.min(14, Math.max(3, value.split('\n').length));
  const control =
    kind === 'json' ? h('textarea', { ...own, rows, spellcheck: 'false' }) : h('input', { ...own, type: 'text' });
  control.value = value;
  return fieldRow(row, control);
}
