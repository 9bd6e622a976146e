/**
 * What both elements have in common: they can be imported where there is no document, take properties that were set before
 * they were defined, render once for many changes, and say things to screen readers.
 */
import { gateIn, type GateSource } from '../gate/gate-source.js';
import { internalsOf } from '../gate/internals.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { InputCheck } from './editor.js';
import type { RememberChoice } from './decision.js';
import { adopt } from './card-styles.js';
import { textsWith, type ApprovalTexts } from './card-texts.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { Watcher } from './watcher.js';

/** On a server there are no elements: the classes exist there, and are never made. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** What may have been set before the element was defined. */
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

/** After how many ms a live region that is new in the page is filled: what was in it from the start is not read out. */
const SPEAK_AFTER_MS = 150;

/** How long an announcement stays in the page, in ms. */
const FORGET_AFTER_MS = 10_000;

/** An element that shows something of a gate. */
export abstract class GateElement extends Base {
  /** Attributes that change what is shown. */
  static readonly observedAttributes: readonly string[] = [
    'approval-id',
    'tool-call-id',
    'message-id',
    'remember',
    'heading-level',
  ];

  protected readonly root: ShadowRoot;
  protected watcher: Watcher | undefined;
  /** The words in force. */
  protected words: ApprovalTexts = textsWith(undefined);
  readonly #css: string;
  readonly #live: HTMLElement;
  #gate: ToolGate | undefined;
  #texts: Partial<ApprovalTexts> | undefined;
  #check: InputCheck | undefined;
  #end: (() => void) | undefined;
  #isDue = false;
  #says: string[] = [];

  constructor(css: string) {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    this.#css = css;
    adopt(this.root, css);
    this.#live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
    this.root.append(this.#live);
  }

  /**
   * The gate: a `ToolGate`, or a chat that `guard` returned; null and undefined for none. Not an attribute. Throws a
   * `TypeError` for anything else, such as a chat that is not guarded.
   */
  get gate(): ToolGate | undefined {
    return this.#gate;
  }

  set gate(source: GateSource) {
    const gate = gateIn(source);
    if (gate === this.#gate) return;
    this.#gate = gate;
    this.#unlisten();
    this.watcher = this.#gate && Watcher.of(this.#gate);
    if (this.isConnected) this.#listen();
    this.reset();
  }

  /** Other words for what the element says. Keys that are left out stay English. */
  get texts(): Partial<ApprovalTexts> | undefined {
    return this.#texts;
  }

  set texts(texts: Partial<ApprovalTexts> | undefined | null) {
    this.#texts = texts ?? undefined;
    const words = textsWith(this.#texts);
    // An object that a template writes anew each time is no reason to begin anew.
    if (Object.entries(words).every(([key, text]) => this.words[key as keyof ApprovalTexts] === text)) return;
    this.words = words;
    this.reset();
  }

  /** The app's own check of an input that the user edited. */
  get validateInput(): InputCheck | undefined {
    return this.#check;
  }

  set validateInput(check: InputCheck | undefined | null) {
    this.#check = check ?? undefined;
  }

  /** How far decisions may reach: attribute `remember`. Default `'chat'`. */
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
    // Set before the element was defined, they stand in the way of the accessors.
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
    this.#listen();
    this.update();
  }

  /** Another document, such as a picture-in-picture window's: styles belong to one document each. */
  adoptedCallback(): void {
    adopt(this.root, this.#css);
  }

  disconnectedCallback(): void {
    this.#unlisten();
  }

  attributeChangedCallback(_name: string, before: string | null, now: string | null): void {
    if (before !== now) this.reset();
  }

  /** The time by the gate's own clock, in ms since 1970: its deadlines are in that time. */
  protected readonly now = (): number => (this.#gate && internalsOf(this.#gate)?.env.now()) ?? Date.now();

  /** Something was set: all of it has to be made anew. */
  protected reset(): void {
    this.later();
  }

  /** Brings what is shown up to date. */
  protected abstract update(): void;

  /** Updates soon, once for all that changes until then. */
  protected later(): void {
    if (this.#isDue || !this.isConnected) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) this.update();
    });
  }

  /** Announces a text politely to screen readers. */
  protected say(text: string): void {
    this.#says.push(text);
    if (this.#says.length > 1) return;
    setTimeout(() => {
      const said = this.#says.splice(0).join(' ');
      setText(this.#live, said);
      // Who reads the page later must not find an old announcement.
      setTimeout(() => this.#live.textContent === said && setText(this.#live, ''), FORGET_AFTER_MS);
    }, SPEAK_AFTER_MS);
  }

  #listen(): void {
    this.#end ??= this.watcher?.listen(() => this.later());
  }

  #unlisten(): void {
    this.#end?.();
    this.#end = undefined;
  }
}
