/** Creates elements without parsing HTML: data becomes a text node or a plain attribute. */

/** A child of an element. */
type Child = Node | string | undefined | false;

/** Listeners by event, and attributes by name; `true` is an attribute without a value. */
interface Props {
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  readonly [name: string]: unknown;
}

/** Creates an element with attributes, listeners and children. */
export function h<TAG extends keyof HTMLElementTagNameMap>(
  tag: TAG,
  { on = {}, ...attributes }: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[TAG] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
  return element;
}

/** Creates an SVG element with attributes and children. */
export function s<TAG extends keyof SVGElementTagNameMap>(
  tag: TAG,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Node | string)[]
): SVGElementTagNameMap[TAG] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Sets the text of an element if it differs. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Maximum characters of a shown value. */
const MAX_CHARACTERS = 50_000;

/** Returns a value as indented JSON. Never throws. */
export function jsonText(value: unknown): string {
  let text: string;
  try {
    text =
      JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item), 2) ?? String(value);
  } catch (error) {
    text = `Cannot be shown as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  return text.length > MAX_CHARACTERS
    ? `${text.slice(0, MAX_CHARACTERS)}\n… ${text.length - MAX_CHARACTERS} more characters`
    : text;
}

/** Creates a collapsed section with a value. */
export function disclosure(label: string, value: unknown): HTMLDetailsElement {
  const details = h('details', {}, h('summary', {}, label));
  // Render the value only when the section is opened, because most never are.
  details.addEventListener('toggle', () => {
    if (details.open && !details.querySelector('pre')) details.append(h('pre', { tabindex: 0 }, jsonText(value)));
  });
  return details;
}

/** One item of a list. */
export interface KeyedItem {
  /** Identifies the item. */
  readonly key: string;
  /** Identifies the content: the element is reused while the mark is equal. */
  readonly mark: string;
  readonly make: () => HTMLElement;
}

/** A list that reuses the elements of unchanged items, so that they keep the focus and open sections. */
export class Keyed {
  readonly #parent: HTMLElement;
  #shown = new Map<string, { readonly mark: string; readonly element: HTMLElement }>();

  constructor(parent: HTMLElement) {
    this.#parent = parent;
  }

  /** Renders the items. */
  show(items: readonly KeyedItem[]): void {
    const next = new Map<string, { readonly mark: string; readonly element: HTMLElement }>();
    for (const { key, mark, make } of items) {
      const known = this.#shown.get(key);
      if (known?.mark === mark) {
        next.set(key, known);
        continue;
      }
      const element = make();
      if (known) reopen(known.element, element);
      next.set(key, { mark, element });
    }
    for (const [key, { element }] of this.#shown) if (next.get(key)?.element !== element) element.remove();
    let at = this.#parent.firstElementChild;
    for (const { element } of next.values()) {
      if (element === at) at = at.nextElementSibling;
      else this.#parent.insertBefore(element, at);
    }
    this.#shown = next;
  }
}

function reopen(before: HTMLElement, now: HTMLElement): void {
  const old = before.querySelectorAll('details');
  now.querySelectorAll('details').forEach((details, i) => (details.open = old[i]?.open === true));
}
