/**
 * Making elements. Whatever is shown becomes a text node or a plain attribute: nothing here reads HTML.
 */

/** What can stand inside an element. */
type Child = Node | string | undefined | false;

/** Listeners by event, and attributes by name; `true` is an attribute without a value. */
interface Props {
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  readonly [name: string]: unknown;
}

/** An element with attributes, listeners and children. */
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

/** Sets a text, if it is another one. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** How much of a value is shown. */
const LONGEST = 50_000;

/** A value as indented JSON, for reading. Never throws. */
export function jsonText(value: unknown): string {
  let text: string;
  try {
    text =
      JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item), 2) ?? String(value);
  } catch (error) {
    text = `It cannot be shown as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;
}

/** A value behind a disclosure. */
export function disclosure(label: string, value: unknown): HTMLDetailsElement {
  const details = h('details', {}, h('summary', {}, label));
  // Not before it is wanted: most never are.
  details.addEventListener('toggle', () => {
    if (details.open && !details.querySelector('pre')) details.append(h('pre', { tabindex: 0 }, jsonText(value)));
  });
  return details;
}

/** One item of a list. */
export interface KeyedItem {
  /** Which it is. */
  readonly key: string;
  /** What it shows: with the same mark, its element stays. */
  readonly mark: string;
  readonly make: () => HTMLElement;
}

/** A list whose elements stay as long as their items do, with the focus and what was opened in them. */
export class Keyed {
  readonly #parent: HTMLElement;
  #shown = new Map<string, { readonly mark: string; readonly element: HTMLElement }>();

  constructor(parent: HTMLElement) {
    this.#parent = parent;
  }

  /** Shows these. */
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
