/**
 * The view of `<tool-approvals view="review">`: the calls of the step beside the open one. The form of each card makes
 * the decisions; the review holds them as marks, and one button gives all of them to the gate. A mark belongs to the
 * request that was shown: it is dropped if the request changes, ends or is answered elsewhere, and if the user changes
 * what they have entered.
 */
import type { HeldDecision } from '../approval/form-types.js';
import type { CardTexts } from '../approval/texts.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { DrawnButtons } from './decide-all.js';
import type { ElementView } from './element-view.js';
import type { CardHost, Host, View } from './host.js';
import { REVIEW_STYLES } from './review-styles.js';
import { ownTexts, type OwnTexts } from './review-texts.js';

type Views = typeof import('./views.js');

/** Typing there is not a shortcut. */
const FIELDS = 'input, textarea, select';

/** What is shown of a call beside its card. */
interface Row {
  readonly item: HTMLElement;
  readonly opener: HTMLElement;
  readonly name: HTMLElement;
  readonly about: HTMLElement;
  readonly state: HTMLElement;
  /** The input and the tools that `about` was made of. */
  input?: unknown;
  tools?: unknown;
}

/** Returns what creates the view, from the script of the cards. */
export const reviewView =
  ({ listView, shared }: Views) =>
  (host: Host, root: ShadowRoot): View =>
    listView(host, root, REVIEW_STYLES, (_host, list, cards, decideAll) =>
      review(shared, host, list, cards, decideAll(host, list)),
    );

/** `held`: the buttons for decisions that a stopped reply holds, as in a list. */
function review(
  [
    brief,
    button,
    fill,
    findCall,
    guardPresses,
    h,
    jsonOf,
    replaced,
    setText,
    toolNameOf,
    wordsOf,
    counted,
    descriptorOf,
    summaryOf,
  ]: Views['shared'],
  host: Host,
  list: ElementView,
  cardList: HTMLElement,
  held: DrawnButtons,
): DrawnButtons {
  const marks = new Map<CardHost, HeldDecision>();
  const rows = new Map<CardHost, Row>();
  let cards: readonly CardHost[] = [];
  let open: CardHost | undefined;
  let gate: ToolGate | undefined;
  let texts: CardTexts & OwnTexts;

  const calls = h('ol', { class: 'calls stack', part: 'calls', role: 'list' });
  const heading = h('div', { id: 'call-at', class: 'call-at', part: 'call-at', role: 'heading' });
  const decision = h('p', { part: 'marked', dir: 'auto' });
  const unmark = button('unmark', '', () => {
    drop(open!);
    open!.focus();
  });
  const mark = h('div', { class: 'mark bar', part: 'mark' }, decision, unmark);
  const region = h(
    'section',
    { class: 'open-call stack', part: 'open-call', 'aria-labelledby': 'call-at' },
    heading,
    mark,
    cardList,
  );
  const result = h('p', { class: 'result', part: 'all-result', tabindex: '-1' });
  const problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  const send = button('send-marked', '', submit) as HTMLButtonElement;
  const bottom = h('div', { class: 'send bar', part: 'send', role: 'group' }, send, result, problem);
  const split = h('div', { class: 'split stack' }, calls, region);
  const element = h('div', { class: 'review stack', part: 'review' }, split, held.element, bottom);

  guardPresses(element, () => setText(problem, texts.tooSoon));
  // A press that counts takes the last problem back.
  element.addEventListener('click', () => setText(problem, ''));
  element.addEventListener('keydown', onKey);
  // What the user enters after a mark is not what the mark sends.
  element.addEventListener('input', ({ target }) => drop(target as CardHost));
  element.addEventListener(
    'click',
    (event) => {
      const pressed = (event.composedPath()[0] as Element).closest?.('[data-act=edit], [data-act=reasonToggle]');
      if (pressed) drop(event.target as CardHost);
    },
    true,
  );
  // While a reason is open, nothing is sent: no key after the reason may approve a call.
  new MutationObserver(draw).observe(host, { subtree: true, attributeFilter: ['denying'] });

  const pendingOf = (card: CardHost) => host.gate?.approval(card.toolCallId!);
  const isDenying = (): boolean => cards.some((card) => card.hasAttribute('denying'));

  /** Opens a call, and focuses its card: not a button, for a key that is held down. */
  function show(card: CardHost | undefined): void {
    if (!card) return;
    open = card;
    draw();
    rows.get(card)!.item.scrollIntoView({ block: 'nearest' });
    card.focus();
  }

  function onKey(event: KeyboardEvent): void {
    const { key, code } = event;
    const target = event.composedPath()[0] as HTMLElement;
    // A key that is held down is pressed once.
    if (key === 'Enter' && event.repeat) event.preventDefault();
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches(FIELDS) || target.isContentEditable) return;
    // Keyboards of other scripts have other letters on these keys.
    const letter = /^[a-z]$/i.test(key) || key.length > 1 ? key.toUpperCase() : code.slice(3);
    if (letter === 'J' || letter === 'K') show(cards[cards.indexOf(open!) + (letter === 'J' ? 1 : -1)]);
  }

  /** Marks a decision, and opens the next call without one if the user is in the card. */
  function hold(card: CardHost, made: HeldDecision): void {
    marks.set(card, made);
    setText(result, '');
    list.announce(`${brief(made.approval.toolName)}: ${made.label}. ${texts.notSent}.`);
    draw();
    const isHere = (host.getRootNode() as Document).activeElement === card;
    const at = cards.indexOf(card);
    const after = [...cards.slice(at), ...cards.slice(0, at)].find((each) => !marks.has(each) && pendingOf(each));
    // The form draws first.
    if (isHere) queueMicrotask(() => show(after));
  }

  function drop(card: CardHost): void {
    if (marks.delete(card)) draw();
  }

  /** Gives the marked decisions to the gate, in the order of the calls. */
  function submit(): void {
    if (isDenying()) return;
    const given = cards.filter((card) => marks.has(card)).map((card) => [card, marks.get(card)!] as const);
    marks.clear();
    const accepted = given.filter(([, made]) => made.give());
    say(sentences(accepted.map(([, made]) => made), 'approvedAll', 'deniedAll').join(' ')); // prettier-ignore
    // The card says why the gate refuses.
    const refused = given.find((each) => !accepted.includes(each));
    if (refused) return show(refused[0]);
    draw();
    result.focus({ preventScroll: true });
  }

  /** The numbers of approvals and denials in words; none for none. */
  const sentences = (all: readonly HeldDecision[], yes: string, no: string): readonly string[] =>
    [true, false].flatMap((approved) => {
      const count = all.filter((made) => made.approved === approved).length;
      return count > 0 ? [counted(texts, (approved ? yes : no) as never, count)] : [];
    });

  function say(text: string): void {
    setText(result, text);
    if (text) list.announce(text);
  }

  /** Drops the marks whose request has changed or ended. */
  function dropOld(): void {
    const old = [...marks].filter(([card, { approval }]) => {
      const now = pendingOf(card);
      const isSame = now?.inputDigest === approval.inputDigest && now.shownRevision === approval.shownRevision;
      return !cards.includes(card) || (now !== approval && !isSame);
    });
    old.forEach(([card]) => marks.delete(card));
    const tools = old.map(([, { approval }]) => brief(approval.toolName)).join(', ');
    if (old.length > 0) say(`${counted(texts, 'notAll', old.length)} (${brief(tools, 200)})`);
  }

  function draw(): void {
    if (!open) return;
    element.lang = cardList.lang;
    element.dir = cardList.dir;
    calls.ariaLabel = texts.list;
    bottom.ariaLabel = texts.all;
    cards.forEach(drawRow);
    heading.ariaLevel = String(host.headingLevel);
    setText(heading, `${texts.list} ${cards.indexOf(open) + 1}/${cards.length}`);
    const made = marks.get(open);
    mark.hidden = !made;
    setText(decision, made ? [made.label, answerOf(open, made), texts.notSent].filter(Boolean).join(' · ') : '');
    decision.className = made?.approved ? 'yes' : 'no';
    setText(unmark, texts.unmark);
    const decisions = sentences([...marks.values()], 'approvals', 'denials');
    const label = { decisions: new Intl.ListFormat(texts.tag).format(decisions) };
    setText(send, made || decisions.length > 0 ? fill(texts.sendMarked, label) : texts.sendNow);
    send.disabled = decisions.length === 0 || isDenying();
    send.className = send.disabled ? '' : 'main';
  }

  /** The reason of a denial, or the answer to the backend's question. */
  function answerOf(card: CardHost, { approved, reason }: HeldDecision): string {
    if (!reason) return '';
    const { options } = descriptorOf(host.gate?.part(card.toolCallId!)?.approval as never);
    const label = approved ? options.find(({ id }) => id === reason)?.label : undefined;
    return fill(texts.reasonGiven, { reason: brief(label ?? reason, 200) });
  }

  function drawRow(card: CardHost): void {
    const row = rows.get(card)!;
    card.hidden = card !== open;
    const found = host.gate && findCall(host.gate, card.toolCallId!);
    if (!found) return;
    const { part, approval } = found;
    const { input } = approval ?? part;
    const name = toolNameOf(part);
    if (row.input !== input || row.tools !== host.tools || !row.name.textContent) {
      setText(row.name, brief(name));
      setText(row.about, brief(summaryOf(host.tools, name, input) || jsonOf(input)));
    }
    Object.assign(row, { input, tools: host.tools });
    const made = card.hasAttribute('denying') ? undefined : marks.get(card);
    const verb = made && (made.approved ? texts.approve : texts.deny);
    const { label } = wordsOf(part, found, texts);
    setText(row.state, verb ?? (card.hasAttribute('denying') ? texts.reason : label));
    row.state.className = made ? (made.approved ? 'yes' : 'no') : 'about';
    row.opener.ariaCurrent = card === open ? 'true' : null;
  }

  function newRow(card: CardHost): Row {
    const name = h('span', { class: 'name', part: 'call-name', dir: 'ltr' });
    const state = h('span', { part: 'call-state' });
    const about = h('span', { class: 'about short-input', part: 'short-input', dir: 'auto' });
    const opener = button('call', '', () => show(card));
    opener.append(name, ' ', state, ' ', about);
    return { item: h('li', {}, opener), opener, name, about, state };
  }

  return {
    element,
    update(_approvals, now = []) {
      if (gate !== host.gate) marks.clear();
      gate = host.gate;
      texts = replaced({ ...list.words, ...ownTexts(list.words.language) }, host.texts, (text) => !!text?.other);
      cards = now;
      // Rows that are inserted again would lose the focus.
      if (now.length !== rows.size || now.some((card) => !rows.has(card))) {
        const old = new Map(rows);
        rows.clear();
        for (const card of now) rows.set(card, old.get(card) ?? newRow(card));
        calls.replaceChildren(...[...rows.values()].map(({ item }) => item));
      }
      for (const card of cards) {
        card.hold = (made) => hold(card, made);
        card.headingLevel = Math.min(6, host.headingLevel + 1);
      }
      dropOld();
      if (!open || !cards.includes(open)) open = cards.find(pendingOf) ?? cards[0];
      element.hidden = !open;
      held.update([]);
      draw();
    },
    stop: () => held.stop(),
  };
}
