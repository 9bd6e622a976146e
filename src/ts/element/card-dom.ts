/**
 * Creates elements without parsing HTML. Data from a model becomes a text node or the value of a harmless attribute,
 * and never an attribute whose value a browser executes or loads.
 */

/**
 * Attributes of an element: of each name in a key, as in `'class part'`. `true` sets an empty value; `false` and
 * undefined omit the attribute.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A child of an element: a node, or a string that becomes a text node. */
export type Child = Node | string | undefined | false;

/** Creates an element. Strings among the children become text nodes. */
export function h<NAME extends keyof HTMLElementTagNameMap>(
  name: NAME,
  attributes: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[NAME] {
  const element = document.createElement(name);
  for (const [names, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    for (const name of names.split(' ')) element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Creates a button that does not submit forms. `part` is the name for style sheets and the class. */
export function button(
  part: string,
  label: string,
  press: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = h('button', { type: 'button', 'class part': part, ...attributes }, label);
  element.addEventListener('click', press);
  return element;
}

/** Text for screen readers only. It does not count for the direction of the text around it. */
export const spoken = (text: string): HTMLSpanElement => h('span', { class: 'hidden', dir: 'auto' }, text);

/** Sets the text of an element if it differs. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Dispatches an event of an element, with what it is about. */
export function emit<DETAIL>(host: HTMLElement, type: string, detail: DETAIL): void {
  host.dispatchEvent(new CustomEvent<DETAIL>(type, { detail, bubbles: true, composed: true }));
}

/** Sets an attribute if it differs; undefined removes it. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
