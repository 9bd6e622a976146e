/** Draws the rows of a form, in a card and in a question: what a field is about, its controls, and what is wrong. */
import type { FieldOption } from '../approval/form-types.js';
import { escapeAll } from '../describe/brief.js';
import { h, setAttribute, setText, type Attributes, type Child } from './card-dom.js';
import { textNodes } from './escape-invisible.js';

/** An option to draw. */
interface DrawnOption extends Partial<FieldOption> {
  readonly label: string;
  readonly isChosen: boolean;
}

/** A row to draw. */
export interface Row {
  /** The id of the control, or of the group. Those of the other elements begin with it. */
  readonly id: string;
  /** The content of the label; or a checkbox, which has its own. */
  readonly label: readonly Child[] | HTMLElement;
  /** What the field means. */
  readonly about?: readonly Child[];
  /** The attributes of a group: the controls are radio buttons or checkboxes below a legend. */
  readonly group?: Attributes | undefined;
  /** The id of another element that describes the field, and a space. */
  readonly describedBy?: string;
  /** Screen readers say at once what is wrong. */
  readonly isAlert?: boolean;
}

/** Draws a row. */
export function fieldRow(
  { id, label, about = [], group, describedBy = '', isAlert }: Row,
  ...controls: HTMLElement[]
): HTMLElement {
  const [labelId, aboutId, problemId] = [`${id}-label`, `${id}-about`, `${id}-problem`];
  const title = { id: labelId, for: !group && id, part: 'label', dir: 'auto' };
  const row = h(
    group ? 'fieldset' : 'div',
    { 'class part': 'row', ...(group && { 'aria-labelledby': labelId, ...group }) },
    label instanceof HTMLElement ? label : h(group ? 'legend' : 'label', title, ...label),
    // A paragraph that is empty is not shown.
    h('p', { id: aboutId, class: 'about', part: 'description', dir: 'auto' }, ...about),
    ...controls,
    h('p', { id: problemId, class: 'problem', part: 'error', role: isAlert && 'alert' }),
  );
  const control = group ? row : controlOf(row);
  control.id = id;
  setAttribute(control, 'aria-describedby', `${describedBy}${aboutId} ${problemId}`);
  return row;
}

/** The first control of a row. */
export const controlOf = (row: HTMLElement): HTMLInputElement => row.querySelector('[part~=input]')!;

/** Shows what is wrong with the value of a row; or that nothing is. */
export function showProblem(row: HTMLElement, problem: string): void {
  setText(row.lastElementChild!, problem);
  // A radio button has no `aria-invalid`, but its group does; for checkboxes it is the other way round.
  const marked = row.matches('[role]') ? [row] : row.querySelectorAll('[part~=input]');
  marked.forEach((each) => setAttribute(each, 'aria-invalid', problem ? 'true' : undefined));
}

/** Draws a menu. */
export function menu(options: readonly DrawnOption[], attributes: Attributes): HTMLSelectElement {
  const drawn = options.map(({ value, label }) => h('option', { value }, escapeAll(label)));
  const element = h('select', attributes, ...drawn);
  element.selectedIndex = Math.max(
    0,
    options.findIndex(({ isChosen }) => isChosen),
  );
  return element;
}

/** Draws a radio button or a checkbox, with its label and what the option means. */
export function choice({ value, label, description, isChosen }: DrawnOption, attributes: Attributes): HTMLElement {
  const more = !!description && h('span', { class: 'more-text' }, ...textNodes(description));
  return h(
    'label',
    { class: 'check', part: 'label' },
    h('input', { part: 'input option', value, checked: isChosen, ...attributes }),
    h('span', { dir: 'auto' }, ...textNodes(label), more),
  );
}
