/**
 * Making elements without markup. Whatever comes from a model goes in as a text node or as the value of a harmless attribute:
 * nothing in this folder parses HTML, and no attribute whose value a browser would run or load is ever set from data.
 */

/** What an element can be given: attributes as text (`true`: empty; `false` or undefined: left out). */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What an element can contain: nodes, or text that stays text. */
export type Child = Node | string | undefined | false;

/** Makes an element. Strings among the children become text nodes. */
export function h<NAME extends keyof HTMLElementTagNameMap>(
  name: NAME,
  attributes: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[NAME] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** A button that submits nothing. `part` names it for style sheets, and is its class. */
export function button(
  part: string,
  label: string,
  press: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = h('button', { type: 'button', part, class: part, ...attributes }, label);
  element.addEventListener('click', press);
  return element;
}

/** Text that only screen readers get. */
export const spoken = (text: string): HTMLSpanElement => h('span', { class: 'hidden' }, text);

/** Sets a text, and touches the document only if it is another one. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or takes away an attribute, and touches the document only if that changes something. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
