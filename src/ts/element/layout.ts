/**
 * The input of a call, laid out for reading: names and values for objects, what changes for edits, long texts cut short with
 * a button that shows all of them. Everything is text (see dom.ts and visible.ts), and the number of elements is bounded
 * whatever the model sends.
 */
import { diffLines, editOf, type DiffLine, type Edit } from './diff.js';
import { button, h, setText, spoken, type Child } from './dom.js';
import { fill, type ApprovalTexts } from './texts.js';
import { cut, textNodes } from './visible.js';

/** What a layout is made with. */
interface LayoutContext {
  readonly texts: ApprovalTexts;
  /** The paths whose content is shown in full. It outlives a layout: an input that streams is laid out again and again. */
  readonly opened: Set<string>;
  /** How many more elements may be made before what is nested is shown as JSON. */
  left: number;
}

/** What is shown of a text, of a list and of a diff until the rest is asked for. */
const TEXT = { characters: 1200, lines: 16 };
const ENTRIES = 30;
const ROWS = 40;
/** The blocks of a very long text, in characters. */
const PIECE = 20_000;
/** Unchanged lines around a change. */
const AROUND = 3;
/** Deeper than this, and beyond this many elements, values are shown as JSON. */
const DEPTH = 4;
const ELEMENTS = 400;

/** The input as elements. Never throws: what cannot be read is shown as far as it can. */
export function layOut(input: unknown, texts: ApprovalTexts, opened: Set<string>): HTMLElement {
  const context: LayoutContext = { texts, opened, left: ELEMENTS };
  try {
    const isEmpty = input === undefined || (isObject(input) && Object.keys(input).length === 0);
    return isEmpty ? h('p', { class: 'empty', part: 'empty' }, texts.noInput) : valueOf(context, input, []);
  } catch {
    return longText(context, jsonOf(input), []);
  }
}

type Path = readonly (string | number)[];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !(value instanceof Date);

function valueOf(context: LayoutContext, value: unknown, path: Path): HTMLElement {
  context.left--;
  if (typeof value === 'string') return longText(context, value, path);
  if (value instanceof Date) return atom(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
  if (!isObject(value)) return atom(String(value));
  if (path.length >= DEPTH || context.left <= 0) return longText(context, jsonOf(value), path);
  const edit = Array.isArray(value) ? undefined : editOf(value);
  const entries = Object.entries(value).filter(([key]) => !edit?.keys.includes(key));
  if (!edit) return entries.length === 0 ? atom(Array.isArray(value) ? '[]' : '{}') : fields(context, entries, path);
  const diff = diffOf(context, edit, [...path, edit.keys[1]]);
  return entries.length === 0 ? diff : h('div', { class: 'edit' }, fields(context, entries, path), diff);
}

const atom = (text: string): HTMLElement => h('code', { class: 'atom', part: 'value' }, ...textNodes(text));

function fields(context: LayoutContext, entries: readonly [string, unknown][], path: Path): HTMLElement {
  const rows = (shown: readonly [string, unknown][]): HTMLElement[] =>
    shown.map(([key, value]) =>
      h(
        'div',
        { class: isObject(value) ? 'field nested' : 'field' },
        h('dt', { part: 'key', dir: 'auto' }, ...textNodes(cut(key, 200))),
        h('dd', { dir: 'auto' }, valueOf(context, value, [...path, key])),
      ),
    );
  const render = (isOpen: boolean): HTMLElement[] => [h('dl', { part: 'fields' }, ...rows(isOpen ? entries : entries.slice(0, ENTRIES)))];
  if (entries.length <= ENTRIES) return render(true)[0] as HTMLElement;
  return collapsible(context, [...path, 0], fill(context.texts.showAllEntries, { count: entries.length }), render);
}

function longText(context: LayoutContext, text: string, path: Path): HTMLElement {
  if (text === '') return h('em', { class: 'empty', part: 'empty' }, context.texts.emptyText);
  const render = (shown: string): HTMLElement[] => [h('pre', { part: 'text', dir: 'auto' }, ...pieces(shown))];
  const short = shortened(text);
  if (short.length === text.length) {
    return text.includes('\n') || text.length > 60 ? (render(text)[0] as HTMLElement) : h('span', { class: 'short', part: 'value' }, ...textNodes(text));
  }
  const label = fill(context.texts.showAll, { count: text.length });
  return collapsible(context, path, label, (isOpen) => render(isOpen ? text : `${short}…`));
}

/** A very long text in blocks: browsers lay out one line of a million characters in seconds, fifty of twenty thousand at once. */
function pieces(text: string): Child[] {
  if (text.length <= 2 * PIECE) return textNodes(text);
  const made: HTMLElement[] = [];
  for (let from = 0; from < text.length; ) {
    const most = cut(text.slice(from, from + PIECE + 1), PIECE);
    const line = from + PIECE < text.length ? most.lastIndexOf('\n') + 1 : 0;
    const piece = line > 0 ? most.slice(0, line) : most;
    made.push(h('span', { class: 'piece' }, ...textNodes(piece)));
    from += piece.length;
  }
  return made;
}

function shortened(text: string): string {
  let end = -1;
  for (let line = 0; line < TEXT.lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0 || end > TEXT.characters) break;
  }
  const most = end < 0 ? TEXT.characters : Math.min(end, TEXT.characters);
  // A few characters more are no reason for a button.
  return text.length <= most + 200 && end < 0 ? text : cut(text, most);
}

/** A line to show; a number stands for that many unchanged lines that are left out. */
type Row = DiffLine | number;

function diffOf(context: LayoutContext, { before, after }: Edit, path: Path): HTMLElement {
  const lines = diffLines(before, after);
  if (lines.length === 0) return h('em', { class: 'empty', part: 'empty' }, context.texts.emptyText);
  const rows = hunks(lines).slice(0, ROWS);
  const draw = (shown: readonly Row[], most: number): HTMLElement[] => [
    h('div', { class: 'diff', part: 'diff' }, ...shown.map((row) => diffRow(context, row, most))),
  ];
  const isShort = rows.length === lines.length && lines.every(({ text }) => text.length <= TEXT.characters);
  if (isShort) return draw(lines, Infinity)[0] as HTMLElement;
  const label = fill(context.texts.showAllLines, { count: lines.length });
  return collapsible(context, path, label, (isOpen) => (isOpen ? draw(lines, Infinity) : draw(rows, TEXT.characters)));
}

/** The changed lines with a few others around them. A gap of one line is no gap. */
function hunks(lines: readonly DiffLine[]): Row[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  });
  const rows: Row[] = [];
  let gap = 0;
  lines.forEach((line, index) => {
    if (near[index]) {
      if (gap > 0) rows.push(gap === 1 ? (lines[index - 1] as DiffLine) : gap);
      gap = 0;
      rows.push(line);
    } else {
      gap++;
    }
  });
  if (gap > 0) rows.push(gap === 1 ? (lines.at(-1) as DiffLine) : gap);
  return rows;
}

const SIGNS = { same: ' ', out: '−', in: '+' } as const;

function diffRow({ texts }: LayoutContext, row: Row, most: number): HTMLElement {
  if (typeof row === 'number') return h('div', { class: 'line gap', part: 'diff-gap' }, `⋯ ${row}`);
  const text = row.text.replace(/\n$/, '');
  const word = row.kind === 'out' ? texts.removed : row.kind === 'in' ? texts.added : '';
  return h(
    'div',
    { class: `line ${row.kind}`, part: row.kind === 'same' ? 'diff-line' : `diff-line ${row.kind === 'in' ? 'added' : 'removed'}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[row.kind]),
    word !== '' && spoken(`${word} `),
    h('code', { dir: 'auto' }, ...textNodes(text.length > most ? `${cut(text, most)}…` : text || '\u00a0')),
  );
}

/** Content with a button behind it that shows all of it, or less again. */
function collapsible(context: LayoutContext, path: Path, label: string, render: (isOpen: boolean) => Child[]): HTMLElement {
  const { opened, texts } = context;
  const key = JSON.stringify(path);
  const content = h('div', { class: 'shown' });
  const toggle = button('more', '', () => {
    if (!opened.delete(key)) opened.add(key);
    context.left = ELEMENTS;
    paint();
  }, { 'data-path': key });
  const paint = (): void => {
    const isOpen = opened.has(key);
    content.replaceChildren(...render(isOpen).filter((child) => child !== false && child !== undefined));
    setText(toggle, isOpen ? texts.showLess : label);
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  paint();
  return h('div', { class: 'block' }, content, toggle);
}

/** The value as JSON, or as much of it as can be had. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner), 2) ?? String(value);
  } catch {
    return '[…]';
  }
}
