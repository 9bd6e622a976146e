/**
 * The base class of the elements: their properties and attributes. It can be imported without a document, applies
 * properties that were set before the element was defined, and follows a chat whose core is loading. A view draws the
 * content. Its script is loaded as soon as there is something to show.
 */
import { gateIn, onReady, type GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateView } from '../types/index.js';
import type { ApprovalTexts } from '../approval/texts.js';
import type { RememberChoice } from '../approval/form-types.js';
import type { InputCheck } from '../approval/edited-input.js';
import type { Host, Script, View } from './host.js';
import { LOAD_TEXTS } from '../approval/load-texts.js';
import type { ToolCards } from '../approval/tool-cards.js';
import { say } from '../types/say.js';

/** Servers have no `HTMLElement`: the classes exist there but are never instantiated. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** Properties that are attributes of the same name, too. */
const REFLECTED = ['remember', 'announce', 'view'];

/** The other properties: attributes of these names have no effect. */
const NOT_ATTRIBUTES = [
  'gate',
  'texts',
  'validateInput',
  'tools',
  'headingLevel',
  'approvalId',
  'toolCallId',
  'messageId',
  'question',
];

/** An element that shows approvals of a gate. */
export abstract class GateElement extends Base implements Host {
  /** Attributes that trigger a new rendering. */
  static readonly observedAttributes: readonly string[] = [
    'approval-id',
    'tool-call-id',
    'message-id',
    'remember',
    'heading-level',
  ];

  /** The view that is drawn. */
  protected drawn: View | undefined;
  readonly #isRendered: boolean;
  readonly #root: ShadowRoot;
  #gate: ToolGate | undefined;
  #texts: Partial<ApprovalTexts> | undefined;
  #check: InputCheck | undefined;
  #tools: ToolCards | undefined;
  /** Ends the wait for the gate of a chat whose core is loading. */
  #stopWaiting: (() => void) | undefined;
  /** Ends the wait for something to show. */
  #stopLooking: (() => void) | undefined;
  #isLoading = false;

  constructor() {
    super();
    // An element from server-rendered HTML is already connected here. Its framework sets the properties later.
    this.#isRendered = this.isConnected;
    this.#root = this.attachShadow({ mode: 'open' });
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
    if (this.drawn) this.drawn.gateChanged();
    else this.#look();
  }

  /** Replacements for the element's texts. Omitted keys keep the English default. */
  get texts(): Partial<ApprovalTexts> | undefined {
    return this.#texts;
  }

  set texts(texts: Partial<ApprovalTexts> | undefined | null) {
    this.#texts = texts ?? undefined;
    this.drawn?.textsChanged();
  }

  /** The app's validation of an edited input. */
  get validateInput(): InputCheck | undefined {
    return this.#check;
  }

  set validateInput(check: InputCheck | undefined | null) {
    this.#check = check ?? undefined;
  }

  /** What the app knows about its tools: summaries of their calls, and which are dangerous. By tool name. */
  get tools(): ToolCards | undefined {
    return this.#tools;
  }

  set tools(tools: ToolCards | undefined | null) {
    if (tools === this.#tools) return;
    this.#tools = tools ?? undefined;
    this.drawn?.changed();
  }

  /** For which calls a decision can be remembered: attribute `remember`. Default `'chat'`. */
  get remember(): RememberChoice {
    const value = this.getAttribute('remember');
    return value === 'none' || value === 'always' ? value : 'chat';
  }

  set remember(choice: RememberChoice | undefined | null) {
    this.setOrRemove('remember', choice);
  }

  /** The level of the heading that names a call, 1 to 6: attribute `heading-level`. Default 3. */
  get headingLevel(): number {
    const level = Number(this.getAttribute('heading-level'));
    return Number.isInteger(level) && level >= 1 && level <= 6 ? level : 3;
  }

  set headingLevel(level: number | undefined | null) {
    this.setOrRemove('heading-level', level);
  }

  connectedCallback(): void {
    // Properties that were set before the element was defined are own properties and shadow the accessors.
    const own = this as unknown as Record<string, unknown>;
    for (const name of [...REFLECTED, ...NOT_ATTRIBUTES]) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
    for (const name of NOT_ATTRIBUTES) {
      if (this.#isRendered || !this.hasAttribute(name) || (name === 'gate' && this.#gate)) continue;
      console.error(
        say`<${this.localName}>: \`${name}\` is a property, not an attribute. In React 18, use the components of
          toolgate/react.`,
      );
    }
    if (this.drawn) this.drawn.connect();
    else this.#look();
  }

  adoptedCallback(): void {
    this.drawn?.adopt();
  }

  disconnectedCallback(): void {
    this.#stopLooking?.();
    this.drawn?.disconnect();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.drawn) return;
    if (name !== 'view') return this.drawn.reset();
    this.drawn.disconnect();
    this.drawn = undefined;
    this.#look();
  }

  /**
   * Focuses the card itself, or the first waiting card of a list; not a button: a key that is held down must not
   * approve a call that the user has not read.
   */
  override focus(options?: FocusOptions): void {
    this.drawn?.focus(options);
  }

  /** Sets an attribute; null and undefined remove it. */
  protected setOrRemove(name: string, value: string | number | undefined | null): void {
    if (value === undefined || value === null) this.removeAttribute(name);
    else if (this.getAttribute(name) !== String(value)) this.setAttribute(name, String(value));
  }

  /** The script with the view. */
  protected abstract readonly script: Script;

  /** Shows the view if its script is loaded; otherwise loads it as soon as the gate has something to show. */
  #look(): void {
    this.#stopLooking?.();
    if (!this.isConnected) return;
    const create = this.script.create();
    if (create) {
      this.#root.replaceChildren();
      this.drawn = create(this as never, this.#root);
      this.drawn.connect();
      return;
    }
    const gate = this.#gate;
    if (!gate || this.#isLoading) return;
    const hasCalls = callFinder();
    if (hasCalls(gate.getSnapshot())) void this.#load();
    else this.#stopLooking = gate.subscribe(() => hasCalls(gate.getSnapshot()) && void this.#load());
  }

  async #load(): Promise<void> {
    this.#stopLooking?.();
    this.#isLoading = true;
    const isLoaded = await this.script.load().then(
      () => true,
      () => false,
    );
    this.#isLoading = false;
    if (!isLoaded) this.#root.replaceChildren(this.#problem());
    else if (!this.drawn) this.#look();
  }

  /** What is shown if the script of the view cannot be loaded. */
  #problem(): HTMLElement {
    const { notLoaded = LOAD_TEXTS.notLoaded, loadAgain = LOAD_TEXTS.loadAgain } = this.#texts ?? {};
    const [problem, again] = [document.createElement('p'), document.createElement('button')];
    again.type = 'button';
    again.textContent = loadAgain;
    again.addEventListener('click', () => {
      this.#root.replaceChildren();
      void this.#load();
    });
    problem.setAttribute('role', 'alert');
    problem.append(notLoaded, ' ', again);
    return problem;
  }
}

/**
 * Returns a function that says whether a view has tool calls. If the list of messages has only grown, the function
 * searches only the last message that it knew and the new ones.
 */
function callFinder(): (view: GateView) => boolean {
  let [first, length]: [unknown, number] = [undefined, 0];
  return ({ messages, pending }) => {
    const from = messages[0] === first && messages.length >= length ? Math.max(0, length - 1) : 0;
    [first, length] = [messages[0], messages.length];
    return pending.length > 0 || messages.slice(from).some(({ parts }) => parts.some((part) => 'toolCallId' in part));
  };
}
