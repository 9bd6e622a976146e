/**
 * What the views of all elements do: they batch updates, follow the gate, and announce texts to screen readers.
 */
import { h, setText } from './card-dom.js';
import { adopt } from './card-styles.js';
import { textsWith, type CardTexts } from '../approval/texts.js';
import type { Host, View } from './host.js';

/**
 * Delay in ms before an announcement is written: screen readers ignore a live region that is filled when it is
 * inserted.
 */
const SPEAK_AFTER_MS = 150;

/** How long an announcement stays in the document, in ms. */
const FORGET_AFTER_MS = 10_000;

/** What one kind of view does. */
interface Drawing extends Pick<View, 'focus'> {
  /** Renders the current state. */
  readonly update: () => void;
  /** Called before everything is rendered again. */
  readonly reset: () => void;
  readonly disconnect?: () => void;
}

/** A view in which one kind draws. */
export interface ElementView<TEXTS extends CardTexts = CardTexts> extends View {
  /** The texts to show: the app's, and the default ones for the rest. */
  words: TEXTS;
  /** Announces a text politely to screen readers. */
  readonly announce: (text: string) => void;
}

/** Creates the view of an element in its shadow root. `readTexts` returns its texts, from those of the app. */
export function elementView<TEXTS extends CardTexts = CardTexts>(
  host: Host,
  root: ShadowRoot,
  css: string,
  { update, reset, disconnect, focus }: Drawing,
  readTexts: (given: Host['texts']) => TEXTS = textsWith as (given: Host['texts']) => TEXTS,
): ElementView<TEXTS> {
  const live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  let unsubscribe: (() => void) | undefined;
  let isUpdateScheduled = false;
  const announcements: string[] = [];

  /** Schedules one update for all changes until the next microtask. */
  const schedule = (): void => {
    if (isUpdateScheduled || !host.isConnected) return;
    isUpdateScheduled = true;
    queueMicrotask(() => {
      isUpdateScheduled = false;
      if (host.isConnected) update();
    });
  };
  const follow = (): void => void (unsubscribe ??= host.gate?.subscribe(schedule));
  const leave = (): void => {
    unsubscribe?.();
    unsubscribe = undefined;
  };

  adopt(root, css);
  root.append(live);
  const view: ElementView<TEXTS> = {
    words: readTexts(host.texts),
    status: undefined,
    focus,
    connect() {
      follow();
      update();
    },
    disconnect() {
      leave();
      disconnect?.();
    },
    adopt: () => adopt(root, css),
    gateChanged() {
      leave();
      if (host.isConnected) follow();
      view.reset();
    },
    textsChanged() {
      const words = readTexts(host.texts);
      // Templates pass a new object on each render: rebuild only if a text changed.
      if (JSON.stringify(words) === JSON.stringify(view.words)) return;
      view.words = words;
      view.reset();
    },
    changed: schedule,
    reset() {
      reset();
      schedule();
    },
    announce(text) {
      announcements.push(text);
      if (announcements.length > 1) return;
      setTimeout(() => {
        const said = announcements.splice(0).join(' ');
        setText(live, said);
        // Screen readers must not find an old announcement in the page later.
        setTimeout(() => live.textContent === said && setText(live, ''), FORGET_AFTER_MS);
      }, SPEAK_AFTER_MS);
    },
  };
  return view;
}
