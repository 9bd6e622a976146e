/**
 * The base class of both elements. It can be imported without a document, applies properties that were set before the
 * element was defined, batches updates, and announces texts to screen readers.
 */
import { gateIn, onReady, type GateSource } from '../gate/gate-source.js';
import { internalsOf } from '../gate/internals.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { InputCheck } from './editor.js';
import type { RememberChoice } from './decision-form.js';
import { adopt } from './card-styles.js';
import { textsWith, type ApprovalTexts } from './card-texts.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { Watcher } from './watcher.js';

/** Servers have no `HTMLElement`: the classes exist there but are never instantiated. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** Properties that may be set before the element is defined. */
const PROPERTIES = [
  'gate',
  'texts',
  'validateInput',
  'remember',
  'headingLevel',
  'approvalId',
  'toolCallId',
  'messageId',
  'announce',
] as const;

/**
 * Delay in ms before an announcement is written: screen readers ignore a live region that is filled when it is
 * inserted.
 */
const SPEAK_AFTER_MS = 150;

/** How long an announcement stays in the document, in ms. */
const FORGET_AFTER_MS = 10_000;

/** An element that shows approvals of a gate. */
export abstract class GateElement extends Base {
  /** Attributes that trigger a new rendering. */
  static readonly observedAttributes: readonly string[] = [
    'approval-id',
    'tool-call-id',
    'message-id',
    'remember',
    'heading-level',
  ];

  protected readonly root: ShadowRoot;
  protected watcher: Watcher | undefined;
  /** The texts to show: the app's, and the default ones for the rest. */
  protected words: ApprovalTexts = textsWith(undefined);
  readonly #css: string;
  readonly #live: HTMLElement;
  #gate: ToolGate | undefined;
  /** Ends the wait for the gate of a chat whose core is loading. */
  #stopWaiting: (() => void) | undefined;
  #texts: Partial<ApprovalTexts> | undefined;
  #check: InputCheck | undefined;
  #unsubscribe: (() => void) | undefined;
  #isUpdateScheduled = false;
  #announcements: string[] = [];

  constructor(css: string) {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    this.#css = css;
    adopt(this.root, css);
    this.#live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
    this.root.append(this.#live);
  }

  /**
   * The gate: a `ToolGate`, or a chat that `guard` returned; null and undefined for none. While the core of a chat is
   * loading, it is undefined, and the element shows nothing. Not an attribute. Throws a `TypeError` for anything else,
   * such as a chat that is not guarded.
   */
  get gate(): ToolGate | undefined {
    return this.#gate;
  }

  set gate(source: GateSource) {
    const gate = gateIn(source);
    this.#stopWaiting?.();
    this.#stopWaiting = onReady(source, () => (this.gate = source));
    if (gate === this.#gate) return;
    this.#gate = gate;
    this.#stopListening();
    this.watcher = this.#gate && Watcher.of(this.#gate);
    if (this.isConnected) this.#startListening();
    this.reset();
  }

  /** Replacements for the element's texts. Omitted keys keep the English default. */
  get texts(): Partial<ApprovalTexts> | undefined {
    return this.#texts;
  }

  set texts(texts: Partial<ApprovalTexts> | undefined | null) {
    this.#texts = texts ?? undefined;
    const words = textsWith(this.#texts);
    // Templates pass a new object on each render: rebuild only if a text changed.
    if (Object.entries(words).every(([key, text]) => this.words[key as keyof ApprovalTexts] === text)) return;
    this.words = words;
    this.reset();
  }

  /** The app's validation of an edited input. */
  get validateInput(): InputCheck | undefined {
    return this.#check;
  }

  set validateInput(check: InputCheck | undefined | null) {
    this.#check = check ?? undefined;
  }

  /** For which calls a decision can be remembered: attribute `remember`. Default `'chat'`. */
  get remember(): RememberChoice {
    const value = this.getAttribute('remember');
    return value === 'none' || value === 'always' ? value : 'chat';
  }

  set remember(choice: RememberChoice | undefined | null) {
    setAttribute(this, 'remember', choice ?? undefined);
  }

  /** The level of the heading that names a call, 1 to 6: attribute `heading-level`. Default 3. */
  get headingLevel(): number {
    const level = Number(this.getAttribute('heading-level'));
    return Number.isInteger(level) && level >= 1 && level <= 6 ? level : 3;
  }

  set headingLevel(level: number | undefined | null) {
    setAttribute(this, 'heading-level', level === undefined || level === null ? undefined : String(level));
  }

  connectedCallback(): void {
    // Properties that were set before the element was defined are own properties and shadow the accessors.
    const own = this as unknown as Record<string, unknown>;
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
    if (!this.#gate && this.hasAttribute('gate')) {
      const how = 'React before 19 sets it by a ref: ref={(card) => { if (card) card.gate = chat; }}';
      console.error(`<${this.localName}>: \`gate\` is a property, not an attribute. ${how}`);
    }
    this.#startListening();
    this.update();
  }

  /**
   * Called when the element moves to another document, such as a picture-in-picture window. A style sheet belongs to
   * one document.
   */
  adoptedCallback(): void {
    adopt(this.root, this.#css);
  }

  disconnectedCallback(): void {
    this.#stopListening();
  }

  attributeChangedCallback(_name: string, before: string | null, now: string | null): void {
    if (before !== now) this.reset();
  }

  /** The current time by the gate's clock, in ms since 1970. Deadlines use the same clock. */
  protected readonly now = (): number => (this.#gate && internalsOf(this.#gate)?.env.now()) ?? Date.now();

  /** Rebuilds the element after a property changed. */
  protected reset(): void {
    this.scheduleUpdate();
  }

  /** Renders the current state. */
  protected abstract update(): void;

  /** Schedules one update for all changes until the next microtask. */
  protected scheduleUpdate(): void {
    if (this.#isUpdateScheduled || !this.isConnected) return;
    this.#isUpdateScheduled = true;
    queueMicrotask(() => {
      this.#isUpdateScheduled = false;
      if (this.isConnected) this.update();
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
    this.#unsubscribe ??= this.watcher?.listen(() => this.scheduleUpdate());
  }

  #stopListening(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}
