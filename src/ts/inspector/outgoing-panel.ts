/** The tab “Outgoing”: ready and undelivered requests with their keys and bodies, and a button to retry. */
import type { ToolGate } from '../gate/tool-gate.js';
import type { Outgoing, Undelivered } from '../types/index.js';
import { disclosure, h, jsonText, Keyed, type KeyedItem } from './panel-dom.js';
import type { Panel } from './panel.js';

/** The panel of outgoing items. */
export class OutgoingPanel implements Panel {
  readonly id = 'outgoing';
  readonly label = 'Outgoing';
  readonly element: HTMLElement;
  readonly #gate: ToolGate;
  readonly #showMessage: (text: string) => void;
  readonly #list: Keyed;
  readonly #blank = h('p', { class: 'note' });
  /** The bodies of listed items. Undelivered items do not contain their bodies. */
  readonly #bodies = new Map<string, unknown>();

  /** `showMessage` shows a message after a click. */
  constructor(gate: ToolGate, showMessage: (text: string) => void) {
    this.#gate = gate;
    this.#showMessage = showMessage;
    const list = h('ul', { class: 'cards' });
    this.#list = new Keyed(list);
    this.element = h('div', {}, this.#blank, list);
  }

  count(): number {
    return isAlive(this.#gate) ? this.#gate.outgoing().length + this.#gate.undelivered().length : 0;
  }

  /** Stores the bodies of the listed items. */
  note(): void {
    for (const { id, body } of this.#gate.outgoing()) this.#bodies.set(id, body);
    for (const id of [...this.#bodies.keys()].slice(0, -100)) this.#bodies.delete(id);
  }

  update(): void {
    const gate = this.#gate;
    const undelivered = isAlive(gate) ? gate.undelivered() : [];
    const items: KeyedItem[] = [
      ...undelivered.map((item) => this.#item(item, item.delivery, this.#bodies.get(item.id), item.error)),
      ...gate.outgoing().map((item) => this.#item(item, 'ready', item.body)),
    ];
    this.#blank.textContent = items.length === 0 ? 'No outgoing or undelivered requests.' : '';
    this.#list.show(items);
  }

  #item(item: Omit<Outgoing, 'body'> | Undelivered, delivery: string, body: unknown, error?: string): KeyedItem {
    const { id, key, kind, approvalIds, attempt } = item;
    const mark = JSON.stringify([id, key, attempt, delivery, error, jsonText(body)]);
    const make = (): HTMLElement =>
      h(
        'li',
        { class: 'card', 'data-item': id },
        h('h3', {}, `${kind} ${id}`, ' ', h('span', { class: `pill ${delivery}` }, delivery)),
        facts({ Key: key, Attempt: String(attempt), Approvals: approvalIds.join(', ') || 'none', Error: error }),
        body === undefined
          ? h('p', { class: 'note' }, 'The body is unknown: the request was sent before the inspector was opened.')
          : disclosure('Body', body),
        delivery !== 'ready' &&
          h(
            'button',
            { type: 'button', on: { click: () => this.#retry(id) } },
            'Retry',
            h('span', { class: 'hidden' }, ` ${id}`),
          ),
      );
    return { key: id, mark, make };
  }

  #retry(id: string): void {
    try {
      this.#gate.retry(id);
      this.#showMessage(`${id} will be sent again.`);
    } catch (error) {
      this.#showMessage(`${id} was not sent again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Renders a list of names and values. */
export function facts(all: Readonly<Record<string, string | undefined>>): HTMLElement {
  const rows = Object.entries(all).filter(([, value]) => value !== undefined);
  return h('dl', {}, ...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

/** Whether the gate is usable. */
export function isAlive(gate: ToolGate): boolean {
  return gate.getSnapshot().status !== 'crashed';
}
