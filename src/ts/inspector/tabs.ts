/** Tabs according to the ARIA pattern: one tab stop, arrow keys, Home and End; the tab labels its panel. */
import { h, setText } from './panel-dom.js';
import type { Panel } from './panel.js';

/** The tabs of the inspector. */
export class Tabs {
  readonly strip: HTMLElement;
  readonly body: HTMLElement;
  readonly #panels: readonly Panel[];
  readonly #buttons: readonly { readonly tab: HTMLButtonElement; readonly count: HTMLElement }[];
  #current: Panel;

  /** Calls `onChange` when the user selects another tab. */
  constructor(panels: readonly [Panel, ...Panel[]], onChange: () => void) {
    this.#panels = panels;
    this.#current = panels[0];
    this.#buttons = panels.map((panel) => {
      const count = h('span', { class: 'count' });
      const click = (): void => {
        this.#choose(panel);
        onChange();
      };
      const tab = h(
        'button',
        { type: 'button', role: 'tab', id: `tab-${panel.id}`, 'aria-controls': 'panel', on: { click } },
        panel.label,
        ' ',
        count,
      );
      return { tab, count };
    });
    const keys = (event: Event): void => this.#key(event as KeyboardEvent);
    this.strip = h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'Inspector', on: { keydown: keys } },
      ...this.#buttons.map(({ tab }) => tab),
    );
    this.body = h('div', { class: 'body', role: 'tabpanel', id: 'panel', tabindex: 0 });
    this.#choose(this.#current);
  }

  /** Updates the counts, and the selected panel if it is visible. */
  update(isVisible: boolean): void {
    this.#panels.forEach((panel, i) => {
      const count = panel.count();
      const element = this.#buttons[i]?.count;
      if (element) setText(element, count > 0 ? String(count) : '');
    });
    if (isVisible) this.#current.update();
  }

  #choose(panel: Panel): void {
    this.#current = panel;
    this.#panels.forEach((one, i) => {
      const tab = this.#buttons[i]?.tab;
      tab?.setAttribute('aria-selected', String(one === panel));
      tab?.setAttribute('tabindex', one === panel ? '0' : '-1');
    });
    this.body.setAttribute('aria-labelledby', `tab-${panel.id}`);
    this.body.replaceChildren(panel.element);
  }

  #key(event: KeyboardEvent): void {
    const at = this.#panels.indexOf(this.#current);
    const last = this.#panels.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const next = to === undefined ? undefined : this.#buttons[to]?.tab;
    if (!next) return;
    event.preventDefault();
    next.click();
    next.focus();
  }
}
