/**
 * Sections that show a short form first, and page by page when the user opens them. The number of elements in the
 * document is bounded for any input: opening a section closes those that were opened earliest.
 */
import { button, h, setAttribute, setText } from './card-dom.js';
import { fill } from '../describe/call-texts.js';
import type { CardTexts } from '../approval/texts.js';
import type { MarkBudget } from './escape-invisible.js';

/** The state of one layout. */
export interface LayoutContext {
  readonly texts: CardTexts;
  /**
   * The open sections by path, with the number of the shown page. The map is shared by successive layouts, because a
   * streaming input is rendered repeatedly.
   */
  readonly opened: Map<string, number>;
  /** The sections of this layout, by path. */
  readonly sections: Map<string, Section>;
  /** The root element, once the layout is complete. */
  root: HTMLElement | undefined;
  /** How many more values may be rendered before nested values are shown as JSON. */
  left: number;
  /** How many more lines of diffs may be shown before edits are shown as JSON. */
  lines: number;
  readonly marks: MarkBudget;
}

/** The path of a value in an input. */
export type Path = readonly (string | number)[];

/** A section that can be opened and closed. */
interface Section {
  readonly element: HTMLElement;
  readonly path: Path;
  readonly paint: () => void;
}

/** Content with a short form. */
export interface Foldable {
  readonly path: Path;
  /** The label of the button that opens the section. */
  readonly label: string;
  /** The total number of entries, lines or characters. */
  readonly count: number;
  /** How many of them one page shows. */
  readonly portion: number;
  /** Renders the short form. */
  readonly short: () => HTMLElement;
  /** Renders the part between two positions. */
  readonly between: (from: number, to: number) => HTMLElement;
}

/**
 * Limits of one layout: rendered values, lines of diffs, and marks of invisible characters. Opening a section or
 * turning a page resets them.
 */
const BUDGET = { left: 400, lines: 800 };
const MARKS = 1000;

/** Above this number of elements, the earliest opened sections are closed. */
const ELEMENTS = 8000;

/** Starts an empty layout. */
export function begin(texts: CardTexts, opened: Map<string, number>): LayoutContext {
  return { texts, opened, sections: new Map(), root: undefined, ...BUDGET, marks: { left: MARKS } };
}

/** Completes the layout and closes sections if it has too many elements. */
export function finish(context: LayoutContext, root: HTMLElement): HTMLElement {
  context.root = root;
  closeOldSections(context);
  return root;
}

/** Creates a section: its content, a button that opens or closes it, and buttons that turn its pages if it is long. */
export function fold(context: LayoutContext, { path, label, count, portion, short, between }: Foldable): HTMLElement {
  const { opened, texts } = context;
  const key = JSON.stringify(path);
  const pages = Math.ceil(count / portion);
  const content = h('div', { class: 'shown' });
  const toggle = button(
    'more',
    '',
    () => {
      if (!opened.delete(key)) opened.set(key, 0);
      rerender();
    },
    { 'data-path': key },
  );
  const turn = (by: number): void => {
    const page = (opened.get(key) ?? 0) + by;
    if (page < 0 || page >= pages) return;
    // Move this section to the end of the map: it is the most recently used one.
    opened.delete(key);
    opened.set(key, page);
    rerender();
  };
  const previous = button('previous', texts.previous, () => turn(-1), { 'data-path': `${key}<` });
  const next = button('next', texts.next, () => turn(1), { 'data-path': `${key}>` });
  const range = h('span', { 'class part': 'range' });
  const pager = h('span', { 'class part': 'pager' }, previous, range, next);
  const paint = (): void => {
    const page = opened.has(key) ? Math.min(opened.get(key) as number, pages - 1) : undefined;
    const from = (page ?? 0) * portion;
    const to = Math.min(count, from + portion);
    content.replaceChildren(page === undefined ? short() : between(from, to));
    setText(toggle, page === undefined ? label : texts.showLess);
    toggle.setAttribute('aria-expanded', String(page !== undefined));
    pager.hidden = page === undefined || pages < 2;
    setText(range, fill(texts.range, { from: from + 1, to, count }));
    // `aria-disabled` instead of `disabled`, so that a focused button keeps the focus on the last page.
    setAttribute(previous, 'aria-disabled', from === 0 ? 'true' : undefined);
    setAttribute(next, 'aria-disabled', to === count ? 'true' : undefined);
  };
  const rerender = (): void => {
    Object.assign(context, BUDGET);
    context.marks.left = MARKS;
    paint();
    closeOldSections(context, path);
  };
  paint();
  const element = h('div', { class: 'block' }, content, toggle, pager);
  context.sections.set(key, { element, path, paint });
  return element;
}

/**
 * Closes the earliest opened sections until the number of elements is within the limit. Keeps the section at `path` and
 * the sections that contain it.
 */
function closeOldSections({ root, opened, sections }: LayoutContext, path: Path = []): void {
  for (const key of [...opened.keys()]) {
    if (!root || root.getElementsByTagName('*').length <= ELEMENTS) return;
    const section = sections.get(key);
    if (!section || !root.contains(section.element) || contains(section.path, path)) continue;
    opened.delete(key);
    section.paint();
  }
}

/**
 * Whether the section at `outer` is, or contains, the section at `inner`. The section for the entries of an object has
 * the object's path followed by a 0.
 */
function contains(outer: Path, inner: Path): boolean {
  const base = outer.at(-1) === 0 ? outer.slice(0, -1) : outer;
  return base.every((step, index) => step === inner[index]);
}
