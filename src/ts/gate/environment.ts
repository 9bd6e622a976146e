/**
 * The options, clock and ids that a gate gets from its app.
 *
 * If a function of the app throws, the error is reported as an uncaught error, and the gate uses a default value.
 */
import { guarded } from '../types/report-uncaught.js';
import { checkOptions } from '../types/option-checks.js';
import { GATE_OPTIONS } from './gate-options.js';
import { randomId } from '../json/random-id.js';
import type { ToolGateOptions } from '../types/index.js';

/** Returns options that override others: those in `below`. */
export type OptionLayer = (below: ToolGateOptions) => Partial<ToolGateOptions>;

/** The environment of one gate. */
export class Environment {
  /** The app's options with all layers. Functions are looked up here at each call. */
  options: ToolGateOptions;
  /** The app's options. */
  readonly given: ToolGateOptions;
  #layers: readonly OptionLayer[] = [];
  #chatId: string | undefined;
  #time: number | undefined;

  /** Throws a `TypeError` for an unknown option or an invalid value. */
  constructor(options: ToolGateOptions) {
    checkOptions('ToolGate', options, GATE_OPTIONS);
    this.given = this.options = options;
  }

  /**
   * Overrides options without mutating the app's object. `isFirst`: other layers override this one. Returns a function
   * that removes the layer.
   */
  override(layer: OptionLayer, isFirst = false): () => void {
    this.#setLayers(isFirst ? [layer, ...this.#layers] : [...this.#layers, layer]);
    return () => this.#setLayers(this.#layers.filter((other) => other !== layer));
  }

  /** The chat's id: from the app, from a snapshot, or a new one. */
  get chatId(): string {
    return (this.#chatId ??= this.#ownChatId ?? this.freshId());
  }

  /** Sets the chat id of a snapshot, unless the app passed one. */
  restoreChat(id: string): void {
    this.#chatId = this.#ownChatId ?? id;
  }

  /** The time in ms since 1970: from the app's clock, otherwise from the last `tick`, otherwise from the system. */
  now(): number {
    let now: unknown;
    guarded(() => (now = this.options.now?.()));
    return Number.isFinite(now) ? (now as number) : (this.#time ?? Date.now());
  }

  /**
   * Sets the time, in ms since 1970. A time that differs from the system's by a second or more applies until the next
   * call.
   */
  setTime(nowMs: number): void {
    // The app's clock takes precedence.
    if (this.given.now === undefined) this.#time = Math.abs(nowMs - Date.now()) < 1000 ? undefined : nowMs;
  }

  /** The app's chat id. Its value is checked here, because the option may be a getter that generates an id. */
  get #ownChatId(): string | undefined {
    const { chatId } = this.options;
    return typeof chatId === 'string' ? chatId : undefined;
  }

  /** A new id: from the app's function, otherwise a random one. */
  freshId(): string {
    let id: unknown;
    guarded(() => (id = this.options.generateId?.()));
    return typeof id === 'string' ? id : randomId();
  }

  #setLayers(layers: readonly OptionLayer[]): void {
    this.#layers = layers;
    const apply = (below: ToolGateOptions, layer: OptionLayer): ToolGateOptions =>
      Object.create(below, Object.getOwnPropertyDescriptors(layer(below))) as ToolGateOptions;
    this.options = layers.reduce(apply, this.given);
  }
}
