/**
 * Renders the input of a call: names and values of objects, a diff for edits, and long texts shortened with a button
 * that shows the rest. Data becomes text only (see card-dom.ts and escape-invisible.ts). The number of elements is
 * bounded for any input and any number of opened sections (see paging.ts).
 */
import { diffLines, editOf, type Edit } from './diff.js';
import { shortRows, type Row } from './diff-rows.js';
import { h, spoken, type Child } from './card-dom.js';
import { begin, finish, fold, type LayoutContext, type Path } from './paging.js';
import { counted, type CardTexts } from '../approval/texts.js';
import { jsonOf } from '../approval/edited-input.js';
import { cut, truncated } from '../describe/brief.js';
import { pairStart, textNodes } from './escape-invisible.js';

/** Limits of the short form of a text and of a list. */
const TEXT = { characters: 1200, lines: 16 };
const ENTRIES = 30;
/** Limits of one page of an opened section. */
const PORTION = { characters: 400_000, entries: 500, lines: 500 };
/** Size of the blocks of a very long text, in characters. */
const PIECE = 20_000;
/** Maximum characters of a property name. */
const NAME = 200;
/** Values nested deeper than this are shown as JSON. */
const DEPTH = 4;

/** Renders the input. Never throws: if a value cannot be read, shows as much JSON as possible. */
export function layOut(input: unknown, texts: CardTexts, opened: Map<string, number>): HTMLElement {
  const context = begin(texts, opened);
  try {
    const isEmpty = input === undefined || (isObject(input) && Object.keys(input).length === 0);
    return finish(context, isEmpty ? h('p', { 'class part': 'empty' }, texts.noInput) : valueOf(context, input, []));
  } catch {
    return finish(context, longText(context, jsonOf(input), [], 'ltr'));
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

function valueOf(context: LayoutContext, value: unknown, path: Path): HTMLElement {
  context.left--;
  if (typeof value === 'string') return longText(context, value, path);
  if (value instanceof Date) return atom(context, Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
  if (!isObject(value)) return atom(context, String(value));
  if (path.length >= DEPTH || context.left <= 0) return longText(context, jsonOf(value), path, 'ltr');
  const edit = Array.isArray(value) ? undefined : editOf(value);
  if (edit && context.lines <= 0) return longText(context, jsonOf(value), path, 'ltr');
  const entries = Object.entries(value).filter(([key]) => !edit?.keys.includes(key));
  if (!edit && entries.length === 0) return atom(context, Array.isArray(value) ? '[]' : '{}');
  if (!edit) return fields(context, entries, path);
  const diff = diffOf(context, edit, [...path, edit.keys[1]]);
  return entries.length === 0 ? diff : h('div', { class: 'changed' }, fields(context, entries, path), diff);
}

function atom({ marks }: LayoutContext, text: string): HTMLElement {
  return h('code', { class: 'atom', part: 'value' }, ...textNodes(text, marks));
}

function fields(context: LayoutContext, entries: readonly [string, unknown][], path: Path): HTMLElement {
  const row = ([key, value]: [string, unknown]): HTMLElement =>
    h(
      'div',
      { class: isObject(value) ? 'field nested' : 'field' },
      h('dt', { part: 'key', dir: 'auto' }, ...textNodes(truncated(key, NAME), context.marks)),
      h('dd', {}, valueOf(context, value, [...path, key])),
    );
  const between = (from: number, to: number): HTMLElement =>
    h('dl', { part: 'fields' }, ...entries.slice(from, to).map(row));
  const count = entries.length;
  if (count <= ENTRIES) return between(0, count);
  return fold(context, {
    path: [...path, 0],
    label: counted(context.texts, 'showAllEntries', count),
    count,
    portion: PORTION.entries,
    short: () => between(0, ENTRIES),
    between,
  });
}

/** `dir`: JSON is always from left to right. */
function longText(context: LayoutContext, text: string, path: Path, dir: 'auto' | 'ltr' = 'auto'): HTMLElement {
  if (text === '') return h('em', { 'class part': 'empty' }, context.texts.emptyText);
  const render = (shown: string): HTMLElement => h('pre', { part: 'text', dir }, ...pieces(context, shown));
  const short = shortened(text);
  if (short.length === text.length) {
    if (text.includes('\n') || text.length > 60) return render(text);
    return h(
      'span',
      { class: 'short', part: 'value', ...(dir === 'ltr' && { dir }) },
      ...textNodes(text, context.marks),
    );
  }
  return fold(context, {
    path,
    label: counted(context.texts, 'showAll', text.length),
    count: text.length,
    portion: PORTION.characters,
    short: () => render(`${short}…`),
    between: (from, to) => render(text.slice(pairStart(text, from), pairStart(text, to))),
  });
}

/**
 * Splits a very long text into blocks: browsers need seconds for one line of a million characters, but lay out fifty
 * lines of twenty thousand characters at once.
 */
function pieces({ marks }: LayoutContext, text: string): Child[] {
  if (text.length <= 2 * PIECE) return textNodes(text, marks);
  const made: HTMLElement[] = [];
  for (let from = 0; from < text.length;) {
    const most = cut(text.slice(from, from + PIECE + 1), PIECE);
    const line = from + PIECE < text.length ? most.lastIndexOf('\n') + 1 : 0;
    const piece = line > 0 ? most.slice(0, line) : most;
    made.push(h('span', { class: 'piece' }, ...textNodes(piece, marks)));
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
  // Do not add a button for a few omitted characters.
  return text.length <= most + 200 && end < 0 ? text : cut(text, most);
}

function diffOf(context: LayoutContext, { before, after }: Edit, path: Path): HTMLElement {
  const lines = diffLines(before, after);
  if (lines.length === 0) return h('em', { 'class part': 'empty' }, context.texts.emptyText);
  const draw = (rows: readonly Row[]): HTMLElement =>
    h('div', { 'class part': 'diff', dir: 'auto' }, ...rows.map((row) => diffRow(context, row)));
  const short = shortRows(lines);
  context.lines -= short.length;
  if (short === lines) return draw(lines);
  return fold(context, {
    path,
    label: counted(context.texts, 'showAllLines', lines.length),
    count: lines.length,
    portion: PORTION.lines,
    short: () => draw(short),
    between: (from, to) => draw(lines.slice(from, to)),
  });
}

const SIGNS = { same: ' ', out: '−', in: '+' } as const;

function diffRow(context: LayoutContext, row: Row): HTMLElement {
  const { texts } = context;
  const word = { same: '', out: `${texts.removed} `, in: `${texts.added} ` };
  if (row.kind === 'gap') {
    const sign = row.of === 'same' ? '' : SIGNS[row.of];
    return h(
      'div',
      { class: `line gap ${row.of}`, part: 'diff-gap' },
      word[row.of] !== '' && spoken(word[row.of]),
      `⋯ ${sign}${row.count}`,
    );
  }
  const { kind } = row;
  return h(
    'div',
    { class: `line ${kind}`, part: kind === 'same' ? 'diff-line' : `diff-line ${kind === 'in' ? 'added' : 'removed'}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[kind]),
    word[kind] !== '' && spoken(word[kind]),
    h('code', {}, ...pieces(context, row.text.replace(/\n$/, '') || '\u00a0')),
  );
}
