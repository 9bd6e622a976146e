/**
 * The view of `<tool-approvals>`: a card for each call of the current step that needed an approval, in call order. A
 * card remains until the next step begins, so that nothing moves while the user decides several calls. After a decision
 * the next waiting card gets the focus.
 */
import type { ToolPart } from '../types/index.js';
import { elementView, type ElementView } from './element-view.js';
import type { CardHost, Host, View } from './host.js';
import { callsOfStep } from '../types/tool-part.js';
import { DECIDED } from '../approval/controls.js';
import { h, setAttribute } from './card-dom.js';
import { LIST_STYLES } from './card-styles.js';
import { fill } from '../describe/call-texts.js';
import { counted, setLanguage } from '../approval/texts.js';
import { decideAll, type DrawnButtons } from './decide-all.js';
import { briefName, labelOf } from '../approval/tool-names.js';

/** Draws the buttons of a list. */
type DrawList = (host: Host, list: ElementView, cards: HTMLElement, draw: typeof decideAll) => DrawnButtons;

/** Maximum number of cards at a time. */
const CARDS = 1000;

/**
 * Creates the view of a list. `css`: more rules. `draw` draws what decides several calls; it may take the element with
 * the cards into its own.
 */
export function listView(host: Host, root: ShadowRoot, css = '', draw: DrawList = decideAll): View {
  const list = h('div', { 'class part': 'list', role: 'group', tabindex: '-1' }, h('slot', {}));
  const cards = new Map<string, CardHost>();
  /** The approvals that were announced. */
  let announced = new Set<string>();
  /** True if the cards have outdated settings. */
  let areCardsStale = false;

  const view = elementView(host, root, LIST_STYLES + css, {
    update,
    reset: () => (areCardsStale = true),
    disconnect: () => all.stop(),
    focus,
  });
  const all = draw(host, view, list, decideAll);
  root.prepend(all.element);
  // The cards of another view.
  host.querySelectorAll('tool-approval').forEach((card) => card.remove());
  if (!list.parentNode) root.prepend(list);
  host.addEventListener('decision', focusNext);
  // The buttons for what is held disappear.
  all.element.addEventListener(DECIDED, () => focus({ preventScroll: true }));

  /** Focuses the first waiting card, or the list if no card waits. */
  function focus(options?: FocusOptions): void {
    ([...cards.values()].find(({ status, hidden }) => status === 'waiting' && !hidden) ?? list).focus(options);
  }

  /** The focused element of the tree that contains the list. */
  const active = (): Element | null => (host.getRootNode() as Document | ShadowRoot).activeElement;

  function update(): void {
    setAttribute(list, 'aria-label', view.words.list);
    setLanguage(list, view.words);
    const ids = new Set(shownOf(calls()));
    const hadFocus = active() !== host && host.contains(active());
    for (const [id, card] of cards) {
      if (ids.has(id)) continue;
      card.remove();
      cards.delete(id);
    }
    const shown: CardHost[] = [];
    for (const id of ids) {
      const card = cardOf(id);
      const place = shown.length > 0 ? shown.at(-1)!.nextElementSibling : host.firstElementChild;
      if (place !== card) host.insertBefore(card, place);
      shown.push(card);
    }
    areCardsStale = false;
    if (hadFocus && !host.contains(active())) focus({ preventScroll: true });
    // The approvals of these calls that can be decided.
    const approvals = [...ids].map((id) => host.gate?.approval(id));
    all.update(
      approvals.filter((pending) => pending !== undefined),
      shown,
    );
    announceNew();
  }

  /** The calls to show: of very many, those around the first one that waits. */
  function shownOf(all: readonly ToolPart[]): string[] {
    const first = all.findIndex(({ toolCallId }) => host.gate?.approval(toolCallId) !== undefined);
    const from = Math.max(0, first - (first % CARDS));
    return all.slice(from, from + CARDS).map(({ toolCallId }) => toolCallId);
  }

  function cardOf(id: string): CardHost {
    let card = cards.get(id);
    if (!card) {
      card = document.createElement('tool-approval') as CardHost;
      card.announce = 'none';
      card.toolCallId = id;
      cards.set(id, card);
    } else if (!areCardsStale) {
      return card;
    }
    const { remember, headingLevel, texts, tools, gate } = host;
    const validateInput = (input: unknown): string | undefined => host.validateInput?.(input);
    setAttribute(card, 'theme', host.getAttribute('theme') ?? undefined);
    return Object.assign(card, { remember, headingLevel, texts, validateInput, tools, gate });
  }

  /** The calls of the last step that have an approval (not an automatic one), or already have a card. */
  function calls(): ToolPart[] {
    const all = host.gate ? callsOfStep(host.gate.getSnapshot()) : [];
    return all.filter(
      ({ approval, toolCallId }) => (approval && approval.isAutomatic !== true) || cards.has(toolCallId),
    );
  }

  function announceNew(): void {
    const pending = host.gate?.getSnapshot().pending ?? [];
    const unannounced = pending.filter(({ approvalId }) => !announced.has(approvalId));
    announced = new Set(pending.map(({ approvalId }) => approvalId));
    const [first] = unannounced;
    if (!first) return;
    const part = host.gate?.part(first.toolCallId);
    const tool = part ? labelOf(part) : briefName(first.toolName);
    view.announce(
      unannounced.length === 1
        ? fill(view.words.arrived, { tool })
        : counted(view.words, 'arrivedMany', unannounced.length),
    );
  }

  /**
   * Focuses the next waiting card if a card of this list has the focus. A decision made elsewhere must not move the
   * focus.
   */
  function focusNext(): void {
    const all = [...host.querySelectorAll<CardHost>(':scope > tool-approval')];
    const at = list.isConnected ? all.findIndex((card) => card === active()) : -1;
    if (at >= 0) [...all.slice(at + 1), ...all.slice(0, at)].find(({ status }) => status === 'waiting')?.focus();
  }

  return {
    ...view,
    changed() {
      for (const card of cards.values()) card.tools = host.tools;
      view.changed();
    },
  };
}
