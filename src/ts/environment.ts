/**
 * What a gate asks of its app while it runs: its options, the time, ids for what is new.
 *
 * A function of the app that fails is the app's own failure, reported as an uncaught error: the gate goes on with a value
 * of its own.
 */
import { guarded } from './listeners.js';
import { checkOptions } from './options.js';
import { randomId } from './random-id.js';
import type { ToolGateOptions } from './types.js';

/** The app of one gate, as the gate sees it. */
export class Environment {
  /** An object over the app's own: what is put here does not change that. Functions are looked up here at each call. */
  readonly options: ToolGateOptions;
  #chatId: string | undefined;
  #time: number | undefined;

  /** Throws a `TypeError` for an option that does not exist. */
  constructor(options: ToolGateOptions) {
    checkOptions(options);
    this.options = Object.create(options) as ToolGateOptions;
  }

  /** The chat's id: the app's, that of a snapshot, or a new one. */
  get chatId(): string {
    return (this.#chatId ??= this.options.chatId ?? this.freshId());
  }

  /** The chat is the one of a snapshot, unless the app says which it is. */
  restoreChat(id: string): void {
    this.#chatId = this.options.chatId ?? id;
  }

  /** The time in ms since 1970: by the app's clock, else what it told last, else the machine's. */
  now(): number {
    let now: unknown;
    guarded(() => (now = this.options.now?.()));
    return typeof now === 'number' ? now : (this.#time ?? Date.now());
  }

  /** The app tells the time, in ms since 1970. One that is not the present one is the time until the next. */
  setTime(nowMs: number): void {
    this.#time = Math.abs(nowMs - Date.now()) < 1000 ? undefined : nowMs;
  }

  /** An id for something new: by the app's function, else a random one. */
  freshId(): string {
    let id: unknown;
    guarded(() => (id = this.options.generateId?.()));
    return typeof id === 'string' ? id : randomId();
  }
}
