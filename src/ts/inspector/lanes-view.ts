/**
 * Draws the lanes of the timeline as SVG, from shapes only. The drawing is hidden from screen readers, because the list
 * beside it has the same events; the names of the lanes and what each call waits for are text.
 */
import type { WaitingKind } from './journal.js';
import { ABOVE, type Drawing, type Lane, type Mark } from './lanes.js';
import { h, s, setText } from './panel-dom.js';

/** Pixels for a column and for a lane. */
const COLUMN = 14;
const ROW = 24;

/** Who must act, in words. */
const WORDS: Readonly<Record<WaitingKind, string>> = {
  user: 'the user',
  tool: 'a tool in the page',
  host: 'the app, to send',
  reply: 'the reply',
  rewrite: 'rewriteResult',
  resume: 'resume()',
  retry: 'a retry',
  cancel: 'cancel() or a message',
};

/** The lanes, with the sentence that says what the chat waits for. */
export class LanesView {
  readonly element: HTMLElement;
  readonly #now = h('p', { class: 'now' });
  readonly #names = h('ul', { class: 'names', 'aria-label': 'Calls' });
  readonly #drawing = s('svg', { 'aria-hidden': 'true', focusable: 'false' });
  readonly #scroller: HTMLElement;
  #mark = '';

  /** `choose` is called with the number of a line when its sign is clicked. */
  constructor(choose: (n: number) => void) {
    this.#scroller = h(
      'div',
      { class: 'lanes', role: 'group', 'aria-label': 'Lanes of the calls', tabindex: 0 },
      this.#names,
      this.#drawing,
    );
    this.#drawing.addEventListener('click', ({ target }) => {
      const n = (target as Element).closest('[data-n]')?.getAttribute('data-n');
      if (n != null) choose(Number(n));
    });
    this.element = h('div', { class: 'overview' }, this.#now, this.#scroller);
  }

  /** Draws. `mark` identifies the content: an equal mark changes nothing. */
  show(mark: string, make: () => Drawing): void {
    if (mark === this.#mark) return;
    this.#mark = mark;
    const drawing = make();
    setText(this.#now, nowWords(drawing));
    this.#names.replaceChildren(h('li', {}, 'Waits for'), ...drawing.lanes.map(nameOf));
    const scroller = this.#scroller;
    const isAtEnd = scroller.scrollWidth - scroller.scrollLeft - scroller.clientWidth < 2 * COLUMN;
    const width = drawing.columns * COLUMN;
    const height = (drawing.lanes.length + 1) * ROW;
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      this.#drawing.setAttribute(name, String(value));
    this.#drawing.replaceChildren(...shapesOf(drawing, width, height));
    if (isAtEnd) scroller.scrollLeft = scroller.scrollWidth;
  }
}

/** How many characters at the end of a name are always shown. */
const TAIL = 8;

function nameOf({ name, waits }: Lane): HTMLElement {
  const words = waits.map((kind) => WORDS[kind]).join(', ');
  return h(
    'li',
    { title: words ? `${name}: waits for ${words}` : name },
    // The ends of ids differ, so a long name is cut in the middle.
    h('span', { class: 'name' }, h('span', {}, name.slice(0, -TAIL)), name.slice(-TAIL)),
    waits.length > 0 && waitPill(words),
  );
}

const waitPill = (words: string): HTMLElement =>
  h('span', { class: 'waits' }, '●', h('span', { class: 'hidden' }, ` waits for ${words}`));

function nowWords({ waits, columns, lanes, omitted }: Drawing): string {
  const last = waits.at(-1);
  const kinds = last?.to === columns ? last.what : [];
  const who = kinds.map((kind) => {
    const calls = lanes.filter((lane) => lane.waits.includes(kind)).map(({ name }) => name);
    const some = calls.length > 3 ? [...calls.slice(0, 3), `${calls.length - 3} more`] : calls;
    return some.length > 0 ? `${WORDS[kind]} (${some.join(', ')})` : WORDS[kind];
  });
  const rest = omitted > 0 ? ` ${omitted} earlier calls have no lane.` : '';
  return `${who.length > 0 ? `Waits for ${who.join(', ')}.` : 'Waits for nothing.'}${rest}`;
}

const middle = (column: number): number => column * COLUMN + COLUMN / 2;
const rowOf = (lane: number): number => (lane - ABOVE) * ROW + ROW / 2;

/** All shapes: first what lies below, then the signs. */
function shapesOf({ lanes, spans, waits, marks, crossings }: Drawing, width: number, height: number): SVGElement[] {
  return [
    ...lanes.map((_, lane) => s('path', { class: 'rule', d: `M0 ${rowOf(lane)}H${width}` })),
    ...waits.flatMap(({ from, to, what }) => waitShapes(from * COLUMN, (to - from) * COLUMN, what, height)),
    ...spans.map(({ lane, from, to, what }) =>
      s('path', { class: `span ${what}`, d: `M${middle(from)} ${rowOf(lane)}H${middle(to)}` }),
    ),
    ...crossings.map(({ n, column, lanes: crossed, to, title }) => {
      const x = middle(column);
      const foot = crossed.length > 0 ? rowOf(Math.max(...crossed)) : height;
      const dots = crossed.map((lane) => s('circle', { cx: x, cy: rowOf(lane), r: 3 }));
      // A request points down to the server's side of the lanes, its acknowledgement up.
      const arrow = to === 'in-flight' ? `M${x - 4} ${ROW - 6}l4 6 4-6z` : `M${x - 4} ${ROW}l4-6 4 6z`;
      const line = s('path', { class: 'line-across', d: `M${x} ${ROW - 6}V${foot}` });
      return s(
        'g',
        { class: `crossing ${to}`, 'data-n': n },
        s('title', {}, title),
        line,
        s('path', { d: arrow }),
        ...dots,
      );
    }),
    ...marks.map(markShape),
  ];
}

/** The lane above the calls; a reply is a band across all lanes. */
function waitShapes(x: number, width: number, what: readonly WaitingKind[], height: number): SVGElement[] {
  const [first = 'host'] = what;
  const words = what.join(' + ');
  return [
    ...(what.includes('reply') ? [s('rect', { class: 'band', x, y: ROW, width, height: height - ROW })] : []),
    s(
      'rect',
      { class: `wait ${first}`, x: x + 1, y: 3, width: width - 2, height: ROW - 10, rx: 3 },
      s('title', {}, words),
    ),
    ...(width > words.length * 7 + 8 ? [s('text', { x: x + 6, y: 14 }, words)] : []),
  ];
}

/** The states after which the tool has not run as the model wanted. */
const BAD: readonly string[] = 'denied output-denied output-error failed skipped cancelled expired interrupted'.split(
  ' ',
);

/** The signs by kind: each has a shape of its own, so that they differ without colours. */
const SIGNS: Readonly<Partial<Record<Mark['kind'], string>>> = {
  decision: 'M0-5.5 5.5 0 0 5.5-5.5 0z',
  result: 'M-4-4H4V4H-4z',
  anomaly: 'M0-6 6 5H-6z',
};

function markShape({ n, column, lane, kind, to = '', title }: Mark): SVGElement {
  const isBad = BAD.includes(to);
  const d = isBad ? 'M-4-4 4 4M4-4-4 4' : (SIGNS[kind] ?? 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0');
  const transform = `translate(${middle(column)} ${rowOf(lane)})`;
  return s(
    'path',
    { class: `mark ${kind} ${to}${isBad ? ' bad' : ''}`, 'data-n': n, transform, d },
    s('title', {}, title),
  );
}
