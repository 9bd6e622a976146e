/** The tab “Timeline”: events in order, as lanes and as a list, filtered by call and kind. */
import { disclosure, h, Keyed } from './panel-dom.js';
import type { Journal, Kind, Line } from './journal.js';
import { layOut } from './lanes.js';
import { LanesView } from './lanes-view.js';
import type { Panel } from './panel.js';

const KINDS: readonly Kind[] = ['transition', 'decision', 'delivery', 'result', 'anomaly', 'other'];

/** Maximum number of lines to show. */
const MAX_SHOWN = 500;

/** The panel of the timeline. */
export class TimelinePanel implements Panel {
  readonly id = 'timeline';
  readonly label = 'Timeline';
  readonly element: HTMLElement;
  readonly #journal: Journal;
  readonly #select: HTMLSelectElement;
  readonly #options: Keyed;
  readonly #list: HTMLElement;
  readonly #lines: Keyed;
  readonly #note = h('p', { class: 'note' });
  readonly #lanes = new LanesView((n) => this.#point(n));
  readonly #kinds = new Set<Kind>(KINDS);

  constructor(journal: Journal) {
    this.#journal = journal;
    const update = (): void => this.update();
    this.#select = h(
      'select',
      { 'aria-label': 'Call', on: { change: update } },
      h('option', { value: '' }, 'All calls'),
    );
    const group = this.#select.appendChild(h('optgroup', { label: 'Calls' }));
    this.#options = new Keyed(group);
    const boxes = KINDS.map((kind) => {
      const box = h('input', {
        type: 'checkbox',
        checked: true,
        name: kind,
        on: { change: () => this.#choose(kind, box.checked) },
      });
      return h('label', {}, box, kind);
    });
    this.#list = h('ol', { class: 'lines', 'aria-label': 'Timeline' });
    this.#lines = new Keyed(this.#list);
    this.element = h(
      'div',
      {},
      h(
        'div',
        { class: 'bar' },
        this.#select,
        h('fieldset', {}, h('legend', { class: 'hidden' }, 'Kinds of lines'), ...boxes),
      ),
      h('div', { class: 'timeline' }, this.#lanes.element, h('div', {}, this.#note, this.#list)),
    );
  }

  count(): number {
    return this.#journal.lines.length;
  }

  update(): void {
    const { calls, lines } = this.#journal;
    this.#options.show(
      [...calls].map(([id, name]) => ({
        key: id,
        mark: name,
        make: () => h('option', { value: `call:${id}` }, `${name} ${id}`),
      })),
    );
    const wanted = this.#select.value.slice('call:'.length);
    const matching = lines.filter(
      (line) => this.#kinds.has(line.kind) && (!this.#select.value || line.calls.includes(wanted)),
    );
    const shown = matching.slice(-MAX_SHOWN);
    this.#note.textContent =
      matching.length === 0
        ? 'No events yet.'
        : matching.length > MAX_SHOWN
          ? `Showing the last ${MAX_SHOWN} of ${matching.length} lines.`
          : '';
    const now = this.#journal.waiting();
    const last = matching.at(-1)?.n;
    const mark = JSON.stringify([last, matching.length, wanted, [...this.#kinds], now]);
    this.#lanes.show(mark, () => layOut(matching, calls, now, wanted));
    const scroller = this.element.parentElement;
    const isAtEnd = scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 8 : false;
    this.#lines.show(shown.map((line) => ({ key: String(line.n), mark: '', make: () => lineOf(line) })));
    // Keep the scroll position at the end.
    if (scroller && isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  /** Scrolls to a line, and marks it until another one is chosen. */
  #point(n: number): void {
    for (const line of this.#list.children) line.toggleAttribute('data-chosen', line.id === `line-${n}`);
    this.#list.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' });
  }

  #choose(kind: Kind, isWanted: boolean): void {
    if (isWanted) this.#kinds.add(kind);
    else this.#kinds.delete(kind);
    this.update();
  }
}

function lineOf({ n, at, kind, subject, text, value }: Line): HTMLElement {
  const time = Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : String(at);
  return h(
    'li',
    { class: `line ${kind}`, id: `line-${n}` },
    h('time', { title: time }, time.slice(11, 23)),
    h('span', { class: 'kind' }, kind),
    h(
      'div',
      {},
      h('p', { class: 'subject' }, subject),
      h('p', {}, text),
      value !== undefined && disclosure('Value', value),
    ),
  );
}
