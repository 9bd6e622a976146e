/**
 * What a gate asks of its app while it runs: its options, the time, ids for what is new.
 *
 * A function of the app that fails is the app's own failure, reported as an uncaught error: the gate goes on with a value
 * of its own.
 */
import { guarded } from './listeners.js';
import { checkOptions } from '../types/option-checks.js';
import { GATE_OPTIONS } from './gate-options.js';
import { randomId } from '../json/random-id.js';
import type { ToolGateOptions } from '../types/index.js';

/** Options that are laid over others: `below` are those that are under them. */
export type OptionLayer = (below: ToolGateOptions) => Partial<ToolGateOptions>;

/** The app of one gate, as the gate sees it. */
export class Environment {
  /** The app's options, and what is laid over them. Functions are looked up here at each call. */
  options: ToolGateOptions;
  readonly #given: ToolGateOptions;
  #layers: readonly OptionLayer[] = [];
  #chatId: string | undefined;
  #time: number | undefined;

  /** Throws a `TypeError` for an option that does not exist or has a wrong value. */
  constructor(options: ToolGateOptions) {
    checkOptions('ToolGate', options, GATE_OPTIONS);
    this.#given = this.options = options;
  }

  /** Lays options over the app's, which are not written to. Returns a function that takes them away. */
  cover(layer: OptionLayer): () => void {
    this.#lay([...this.#layers, layer]);
    return () => this.#lay(this.#layers.filter((other) => other !== layer));
  }

  /** The chat's id: the app's, that of a snapshot, or a new one. */
  get chatId(): string {
    return (this.#chatId ??= this.#ownChatId ?? this.freshId());
  }

  /** The chat is the one of a snapshot, unless the app says which it is. */
  restoreChat(id: string): void {
    this.#chatId = this.#ownChatId ?? id;
  }

  /** The time in ms since 1970: by the app's clock, else what `tick` set last, else the machine's. */
  now(): number {
    let now: unknown;
    guarded(() => (now = this.options.now?.()));
    return Number.isFinite(now) ? (now as number) : (this.#time ?? Date.now());
  }

  /** The app sets the time, in ms since 1970. One that is not the present one is the time until the next. */
  setTime(nowMs: number): void {
    // By the app's own clock there is nothing to set.
    if (this.#given.now === undefined) this.#time = Math.abs(nowMs - Date.now()) < 1000 ? undefined : nowMs;
  }

  /** The app's, which may have a getter: what that makes up is not checked before. */
  get #ownChatId(): string | undefined {
    const { chatId } = this.options;
    return typeof chatId === 'string' ? chatId : undefined;
  }

  /** An id for something new: by the app's function, else a random one. */
  freshId(): string {
    let id: unknown;
    guarded(() => (id = this.options.generateId?.()));
    return typeof id === 'string' ? id : randomId();
  }

  #lay(layers: readonly OptionLayer[]): void {
    this.#layers = layers;
    const cover = (below: ToolGateOptions, layer: OptionLayer): ToolGateOptions =>
      Object.create(below, Object.getOwnPropertyDescriptors(layer(below))) as ToolGateOptions;
    this.options = layers.reduce(cover, this.#given);
  }
}
