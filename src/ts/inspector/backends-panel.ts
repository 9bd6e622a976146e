/**
 * The tab “Messages”: the conversation in the format of each backend. Protocols are loaded when the user selects them.
 * The list includes the gate's own protocol.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { Loss, Protocol } from '../types/index.js';
import { h, jsonText, Keyed, type KeyedItem } from './panel-dom.js';
import { isAlive } from './outgoing-panel.js';
import type { Panel } from './panel.js';
import { PROTOCOLS } from './protocol-list.js';
import { piecesOf, tonesOf } from './highlight.js';

/** Maximum number of messages to show. */
const MAX_SHOWN = 100;

/** The panel of assembled messages. */
export class BackendsPanel implements Panel {
  readonly id = 'messages';
  readonly label = 'Messages';
  readonly element: HTMLElement;
  readonly #gate: ToolGate;
  readonly #columns: Keyed;
  readonly #lists = new Map<string, { readonly element: HTMLElement; readonly messages: Keyed }>();
  readonly #summary = h('summary');
  /** The protocol names in the list. */
  readonly #names: readonly string[];
  readonly #chosen = new Set<string>();
  readonly #loaded = new Map<string, Protocol>();
  readonly #loading = new Set<string>();
  readonly #failed = new Map<string, string>();
  /** The unsupported features of each protocol. The gate reports each only once. */
  readonly #lost = new Map<string, Set<Loss>>();
  readonly #stop: () => void;

  constructor(gate: ToolGate) {
    this.#gate = gate;
    const { protocol } = gate;
    const own = protocol.name;
    this.#loaded.set(own, protocol);
    this.#names = [...new Set([...Object.keys(PROTOCOLS), own])];
    const boxes = this.#names.map((protocol) => {
      const box = h('input', {
        type: 'checkbox',
        name: protocol,
        checked: protocol === own,
        on: { change: () => this.#choose(protocol, box.checked) },
      });
      return h('label', {}, box, protocol);
    });
    const columns = h('div', {
      class: 'columns',
      role: 'group',
      'aria-label': 'Messages for each backend',
      tabindex: 0,
    });
    this.#columns = new Keyed(columns);
    this.element = h(
      'div',
      {},
      h(
        'details',
        { class: 'choice' },
        this.#summary,
        h('fieldset', {}, h('legend', { class: 'hidden' }, 'Visible backends'), ...boxes),
      ),
      columns,
    );
    this.#stop = gate.onEvent((event) => {
      if (event.type === 'lossy')
        this.#lost.set(event.protocol, (this.#lost.get(event.protocol) ?? new Set()).add(event.loss));
    });
    this.#chosen.add(own);
  }

  stop(): void {
    this.#stop();
  }

  count(): number {
    return 0;
  }

  update(): void {
    this.#summary.textContent = `${this.#chosen.size} of ${this.#names.length} backends`;
    const shown = this.#names.filter((protocol) => this.#chosen.has(protocol));
    const histories = shown.map((protocol) => (isAlive(this.#gate) ? this.#assembled(protocol) : []));
    this.#columns.show(shown.map((protocol) => this.#column(protocol)));
    shown.forEach((protocol, i) => this.#fill(protocol, histories[i] ?? []));
  }

  #assembled(name: string): readonly unknown[] {
    const protocol = this.#loaded.get(name);
    return protocol ? this.#gate.assemble(protocol) : [];
  }

  #choose(protocol: string, isChosen: boolean): void {
    if (isChosen) this.#chosen.add(protocol);
    else this.#chosen.delete(protocol);
    this.#failed.delete(protocol);
    this.update();
  }

  #column(protocol: string): KeyedItem {
    const failure = this.#failed.get(protocol);
    if (failure !== undefined)
      return {
        key: protocol,
        mark: failure,
        make: () => section(protocol, h('p', { class: 'note', role: 'alert' }, failure)),
      };
    const loaded = this.#loaded.get(protocol);
    if (!loaded) {
      void this.#load(protocol);
      return { key: protocol, mark: 'loading', make: () => section(protocol, h('p', { class: 'note' }, 'Loading…')) };
    }
    const lost = [...(this.#lost.get(protocol) ?? [])];
    const make = (): HTMLElement => {
      const list = h('ol', { class: 'messages' });
      this.#lists.set(protocol, { element: list, messages: new Keyed(list) });
      return section(
        protocol,
        h('p', { class: 'note' }, describeCapabilities(loaded)),
        lost.length > 0 && h('p', { class: 'lost' }, `Cannot express: ${lost.join(', ')}`),
        list,
      );
    };
    return { key: protocol, mark: `shown ${lost.join()}`, make };
  }

  #fill(protocol: string, messages: readonly unknown[]): void {
    const list = this.#lists.get(protocol);
    const tones = tonesOf(this.#gate);
    const from = Math.max(0, messages.length - MAX_SHOWN);
    list?.element.setAttribute('start', String(from + 1));
    list?.messages.show(
      messages.slice(from).map((message, i) => {
        const pieces = piecesOf(jsonText(message), tones);
        const shown = (): HTMLElement =>
          h('pre', {}, ...pieces.map(({ text, tone }) => (tone ? h('span', { class: tone }, text) : text)));
        return { key: String(from + i), mark: JSON.stringify(pieces), make: () => h('li', {}, shown()) };
      }),
    );
  }

  async #load(protocol: string): Promise<void> {
    if (this.#loading.has(protocol)) return;
    this.#loading.add(protocol);
    try {
      const loaded = await PROTOCOLS[protocol]?.();
      if (loaded) this.#loaded.set(protocol, loaded);
    } catch (error) {
      this.#failed.set(protocol, error instanceof Error ? error.message : String(error));
    }
    this.#loading.delete(protocol);
    if (this.element.isConnected) this.update();
  }
}

function section(protocol: string, ...children: (Node | false)[]): HTMLElement {
  return h(
    'section',
    { class: 'column', 'aria-label': protocol, 'data-backend': protocol },
    h('h3', {}, protocol),
    ...children,
  );
}

/** Describes the capabilities of a protocol. */
function describeCapabilities({ capabilities: can }: Protocol): string {
  return [
    can.kind === 'answering' ? 'one request per decision' : 'one request per step',
    can.reason ? 'supports reasons' : 'no reasons',
    ...(can.editedInput ? ['supports edited inputs'] : []),
    ...(can.cancel ? ['supports cancel'] : []),
    ...(can.remember ? ['supports remembered decisions'] : []),
    can.history === 'server' ? 'stores the history' : 'receives the whole history',
  ].join(' · ');
}
