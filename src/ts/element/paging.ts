/**
 * Content that is shown in part until all of it is asked for, and then a portion at a time: whatever a model sends and
 * whatever the user opens, the page holds a bounded number of elements. What was opened first is shut for what is
 * opened now.
 */
import { button, h, setAttribute, setText, type Child } from './card-dom.js';
import { fill, type ApprovalTexts } from './card-texts.js';
import type { MarkBudget } from './visible.js';

/** What a layout is made with. */
export interface LayoutContext {
  readonly texts: ApprovalTexts;
  /**
   * The open places, by path, with the number of the portion that is shown. It outlives a layout: an input that streams
   * is laid out again and again.
   */
  readonly opened: Map<string, number>;
  /** Places that are shown now, by path. */
  readonly places: Map<string, FoldPlace>;
  /** All of the layout, once it is made. */
  root: HTMLElement | undefined;
  /** How many more values may be laid out before what is nested is shown as JSON. */
  left: number;
  /** How many more lines of diffs may be shown before edits are shown as JSON. */
  lines: number;
  readonly marks: MarkBudget;
}

/** Where something is in an input. */
export type Path = readonly (string | number)[];

/** Something that can be opened and shut. */
interface FoldPlace {
  readonly element: HTMLElement;
  readonly path: Path;
  readonly paint: () => void;
}

/** Content of which only a part is shown at first. */
export interface Foldable {
  readonly path: Path;
  /** Of the button that opens it. */
  readonly label: string;
  /** How much there is: entries, lines, characters. */
  readonly count: number;
  /** How much of it is shown at a time. */
  readonly portion: number;
  /** What is shown before it is opened. */
  readonly short: () => Child[];
  /** What is shown from here up to there. */
  readonly between: (from: number, to: number) => Child[];
}

/**
 * How many values are laid out, lines of diffs shown and marks made, for what is opened at once; and before anything
 * is.
 */
const BUDGET = { left: 400, lines: 800 };
const MARKS = 1000;

/** With more elements than this, what was opened first is shut. */
const ELEMENTS = 8000;

/** A layout in which nothing is shown yet. */
export function begin(texts: ApprovalTexts, opened: Map<string, number>): LayoutContext {
  return { texts, opened, places: new Map(), root: undefined, ...BUDGET, marks: { left: MARKS } };
}

/** Puts the layout together: from now on places are shut if there is too much. */
export function finish(context: LayoutContext, root: HTMLElement): HTMLElement {
  context.root = root;
  shutOthers(context);
  return root;
}

/** Content with buttons after it: one that opens or shuts it, and where it is long those that turn its pages. */
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
      again();
    },
    { 'data-path': key },
  );
  const turn = (by: number) => (): void => {
    const page = (opened.get(key) ?? 0) + by;
    if (page < 0 || page >= pages) return;
    // The page that was turned last is the one that is read.
    opened.delete(key);
    opened.set(key, page);
    again();
  };
  const previous = button('previous', texts.previous, turn(-1), { 'data-path': `${key}<` });
  const next = button('next', texts.next, turn(1), { 'data-path': `${key}>` });
  const range = h('span', { class: 'range', part: 'range' });
  const pager = h('span', { class: 'pager', hidden: true }, previous, range, next);
  const paint = (): void => {
    const page = opened.has(key) ? Math.min(opened.get(key) as number, pages - 1) : undefined;
    const from = (page ?? 0) * portion;
    const to = Math.min(count, from + portion);
    const children = page === undefined ? short() : between(from, to);
    content.replaceChildren(...children.filter((child) => child !== false && child !== undefined));
    setText(toggle, page === undefined ? label : texts.showLess);
    toggle.setAttribute('aria-expanded', String(page !== undefined));
    pager.hidden = page === undefined || pages === 1;
    setText(range, fill(texts.range, { from: from + 1, to, count }));
    // A button that has the focus keeps it, though there is nothing more to turn to.
    setAttribute(previous, 'aria-disabled', page === 0 ? 'true' : undefined);
    setAttribute(next, 'aria-disabled', page === pages - 1 ? 'true' : undefined);
  };
  const again = (): void => {
    Object.assign(context, BUDGET);
    context.marks.left = MARKS;
    paint();
    shutOthers(context, path);
  };
  paint();
  const element = h('div', { class: 'block' }, content, toggle, pager);
  context.places.set(key, { element, path, paint });
  return element;
}

/**
 * Shuts what was opened first, but for the place at `path` and those around it, until there are few enough elements.
 */
function shutOthers({ root, opened, places }: LayoutContext, path: Path = []): void {
  for (const key of [...opened.keys()]) {
    if (!root || root.getElementsByTagName('*').length <= ELEMENTS) return;
    const place = places.get(key);
    if (!place || !root.contains(place.element) || isAround(place.path, path)) continue;
    opened.delete(key);
    place.paint();
  }
}

/** Whether one place is another, or holds it. The entries of an object have its path, and a 0. */
function isAround(outer: Path, inner: Path): boolean {
  const base = outer.at(-1) === 0 ? outer.slice(0, -1) : outer;
  return base.every((step, index) => step === inner[index]);
}
