/** The inspector's user interface for one gate, from mounting to removal. Only its buttons change the gate. */
import type { ToolGate } from '../gate/tool-gate.js';
import { ApprovalsPanel } from './approvals-panel.js';
import { BackendsPanel } from './backends-panel.js';
import { keepRoom, resizer } from './dock.js';
import { h, setText } from './panel-dom.js';
import { Journal } from './journal.js';
import { OutgoingPanel } from './outgoing-panel.js';
import { STYLES } from './panel-styles.js';
import { Tabs } from './tabs.js';
import { TimelinePanel } from './timeline-panel.js';
import type { Recorder } from './recording.js';

/** The content of the element's shadow tree. */
export class InspectorView {
  readonly #gate: ToolGate;
  readonly #recorder: Recorder;
  readonly #tabs: Tabs;
  readonly #frame: HTMLElement;
  readonly #status = h('span', { class: 'status', 'data-status': true });
  readonly #message = h('p', { class: 'note', role: 'status' });
  readonly #fold: HTMLButtonElement;
  readonly #export: HTMLButtonElement;
  readonly #subscriptions: (() => void)[];
  #isOpen: boolean;
  #frameRequest: number | undefined;

  /** `close` removes the inspector. */
  constructor(
    host: HTMLElement,
    gate: ToolGate,
    recorder: Recorder,
    { isOpen, isDocked, close }: { isOpen: boolean; isDocked: boolean; close: () => void },
  ) {
    this.#gate = gate;
    this.#recorder = recorder;
    this.#isOpen = isOpen;
    const journal = new Journal(gate);
    const outgoing = new OutgoingPanel(gate, (text) => this.#showMessage(text));
    const backends = new BackendsPanel(gate);
    this.#tabs = new Tabs([new TimelinePanel(journal), outgoing, backends, new ApprovalsPanel(gate)], () => {
      if (!this.#isOpen) this.#toggle();
      this.update();
    });
    const button = (label: string, click: () => void): HTMLButtonElement =>
      h('button', { type: 'button', on: { click } }, label);
    this.#fold = button('', () => this.#toggle());
    this.#fold.setAttribute('aria-controls', 'panel');
    this.#export = button('Export recording', () => this.#download());
    const head = h(
      'header',
      { class: 'head' },
      h('h2', {}, 'Toolgate'),
      this.#status,
      this.#tabs.strip,
      h('div', { class: 'buttons' }, this.#export, this.#fold, button('Close', close)),
    );
    this.#frame = h(
      'section',
      { class: 'frame', 'aria-label': 'Toolgate inspector' },
      isDocked && resizer(host, 320),
      head,
      this.#message,
      this.#tabs.body,
    );
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(this.#frame);
    const scheduleUpdate = (): void => this.#scheduleUpdate();
    const heard = gate.onEvent(() => {
      outgoing.note();
      scheduleUpdate();
    });
    this.#subscriptions = [gate.subscribe(scheduleUpdate), heard, () => journal.stop(), () => backends.stop()];
    if (isDocked) this.#subscriptions.push(keepRoom(host));
    outgoing.note();
    this.#show();
    this.update();
  }

  /** Renders the current state. */
  update(): void {
    this.#frameRequest = undefined;
    const { status, turn } = this.#gate.getSnapshot();
    setText(this.#status, `${status}, turn ${turn.status}${turn.ending ? ` (${turn.ending})` : ''}`);
    this.#export.disabled = status === 'crashed';
    this.#tabs.update(this.#isOpen);
  }

  /** Ends all subscriptions. */
  stop(): void {
    this.#subscriptions.splice(0).forEach((end) => end());
    if (this.#frameRequest !== undefined) cancelAnimationFrame(this.#frameRequest);
  }

  #scheduleUpdate(): void {
    this.#frameRequest ??= requestAnimationFrame(() => this.update());
  }

  #toggle(): void {
    this.#isOpen = !this.#isOpen;
    this.#show();
    this.update();
  }

  #show(): void {
    this.#frame.classList.toggle('open', this.#isOpen);
    this.#tabs.body.hidden = !this.#isOpen;
    this.#fold.textContent = this.#isOpen ? 'Collapse' : 'Expand';
    this.#fold.setAttribute('aria-expanded', String(this.#isOpen));
  }

  #showMessage(text: string): void {
    setText(this.#message, text);
  }

  #download(): void {
    let text: string | undefined;
    try {
      const recording = this.#recorder.recording();
      text = recording && JSON.stringify(recording, null, 1);
    } catch (error) {
      return this.#showMessage(`Export failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (text === undefined)
      return this.#showMessage(this.#recorder.problem ?? 'No recording yet. It starts when no request is in flight.');
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    const name = `toolgate-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
    h('a', { href: url, download: name }).click();
    // Revoke the URL later, because the browser is still reading it.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    this.#showMessage(`Saved as ${name}.`);
  }
}
