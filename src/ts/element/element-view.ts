/**
 * The base class of both views: batches updates, follows the gate, and announces texts to screen readers.
 */
import { h, setText } from './card-dom.js';
import { adopt } from './card-styles.js';
import { textsWith, type CardTexts } from '../approval/texts.js';
import type { Host, View } from './host.js';
import type { CallStatus } from '../describe/call-status.js';

/**
 * Delay in ms before an announcement is written: screen readers ignore a live region that is filled when it is
 * inserted.
 */
const SPEAK_AFTER_MS = 150;

/** How long an announcement stays in the document, in ms. */
const FORGET_AFTER_MS = 10_000;

/** Renders one element. */
export abstract class ElementView<HOST extends Host = Host, TEXTS extends CardTexts = CardTexts> implements View {
  protected readonly host: HOST;
  protected readonly root: ShadowRoot;
  /** The texts to show: the app's, and the default ones for the rest. */
  protected words: TEXTS;
  readonly #css: string;
  readonly #live: HTMLElement;
  #unsubscribe: (() => void) | undefined;
  #isUpdateScheduled = false;
  #announcements: string[] = [];

  constructor(host: HOST, root: ShadowRoot, css: string) {
    this.host = host;
    this.root = root;
    this.#css = css;
    this.words = this.readTexts();
    adopt(root, css);
    this.#live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
    root.append(this.#live);
  }

  /** The status of the call; undefined for a list, and while there is none. */
  get status(): CallStatus | undefined {
    return undefined;
  }

  connect(): void {
    this.#startListening();
    this.update();
  }

  disconnect(): void {
    this.#stopListening();
  }

  adopt(): void {
    adopt(this.root, this.#css);
  }

  gateChanged(): void {
    this.#stopListening();
    if (this.host.isConnected) this.#startListening();
    this.reset();
  }

  textsChanged(): void {
    const words = this.readTexts();
    // Templates pass a new object on each render: rebuild only if a text changed.
    if (JSON.stringify(words) === JSON.stringify(this.words)) return;
    this.words = words;
    this.reset();
  }

  /** The texts for this view. */
  protected readTexts(): TEXTS {
    return textsWith(this.host.texts) as TEXTS;
  }

  changed(): void {
    this.scheduleUpdate();
  }

  /** Rebuilds the element after a property changed. */
  reset(): void {
    this.scheduleUpdate();
  }

  abstract focus(options?: FocusOptions): void;

  /** Renders the current state. */
  protected abstract update(): void;

  /** Schedules one update for all changes until the next microtask. */
  protected scheduleUpdate(): void {
    if (this.#isUpdateScheduled || !this.host.isConnected) return;
    this.#isUpdateScheduled = true;
    queueMicrotask(() => {
      this.#isUpdateScheduled = false;
      if (this.host.isConnected) this.update();
    });
  }

  /** Announces a text politely to screen readers. */
  protected announceText(text: string): void {
    this.#announcements.push(text);
    if (this.#announcements.length > 1) return;
    setTimeout(() => {
      const text = this.#announcements.splice(0).join(' ');
      setText(this.#live, text);
      // Screen readers must not find an old announcement in the page later.
      setTimeout(() => this.#live.textContent === text && setText(this.#live, ''), FORGET_AFTER_MS);
    }, SPEAK_AFTER_MS);
  }

  #startListening(): void {
    this.#unsubscribe ??= this.host.gate?.subscribe(() => this.scheduleUpdate());
  }

  #stopListening(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}
