/**
 * The chat's `sendAutomaticallyWhen`: called before a step's decisions are sent automatically, and before a reply is
 * continued after a step limit. Can only veto.
 * Vetoed decisions are held until the user's next command, which does not wait for a pending predicate.
 */
import { abortable } from './abortable.js';
import type { Attempts, RequestItem } from './attempts.js';
import type { Ports } from './exchange.js';

/** A pending call of the predicate. Aborted if its result is not needed any more. */
interface PendingCall {
  readonly item: RequestItem;
  readonly controller: AbortController;
}

/** The predicate of one chat. */
export class Predicate {
  readonly #ports: Ports;
  readonly #attempts: Attempts;
  /** Holds vetoed decisions. */
  readonly #hold: (item: RequestItem) => void;
  #pendingCall: PendingCall | undefined;

  constructor(ports: Ports, attempts: Attempts, hold: (item: RequestItem) => void) {
    this.#ports = ports;
    this.#attempts = attempts;
    this.#hold = hold;
  }

  /** Whether a call of the predicate is pending. */
  get isPending(): boolean {
    return this.#pendingCall !== undefined;
  }

  /** Whether the item contains decisions that are sent because their step is complete, not at the user's request. */
  appliesTo(item: RequestItem): boolean {
    const { attempt, body } = item;
    return (
      attempt === 1 &&
      body.trigger === 'submit-message' &&
      body.messages.at(-1)?.role !== 'user' &&
      !this.#attempts.isRequested(item) &&
      !this.#ports.projection.hasWaiting
    );
  }

  /** Whether the item may be sent. Throws or rejects with the predicate's error, which counts as a veto. */
  maySend(item: RequestItem): boolean | Promise<boolean> {
    const { chat, gate } = this.#ports;
    if (!chat.sendAutomaticallyWhen || !this.appliesTo(item)) return true;
    try {
      const result = chat.sendAutomaticallyWhen({ messages: gate.getSnapshot().messages });
      if (typeof result !== 'object' || result === null) return this.#conclude(item, result);
      return this.#awaitResult(item, result);
    } catch (error) {
      this.#conclude(item, false);
      throw error;
    }
  }

  /** Ends the wait if the result is not needed any more: the item was withdrawn, or the user requested it. */
  review(listed: readonly RequestItem[]): void {
    if (!this.#pendingCall) return;
    const { item, controller } = this.#pendingCall;
    const now = listed.find(({ id, attempt }) => id === item.id && attempt === item.attempt);
    if (now && this.appliesTo(now)) return;
    this.#pendingCall = undefined;
    controller.abort();
  }

  /** Resolves with the predicate's result, or with false when the wait is ended. */
  async #awaitResult(item: RequestItem, result: PromiseLike<unknown>): Promise<boolean> {
    const controller = new AbortController();
    const pendingCall = (this.#pendingCall = { item, controller });
    const conclude = (value: unknown): boolean => {
      if (this.#pendingCall !== pendingCall) return false;
      this.#pendingCall = undefined;
      return this.#conclude(item, value);
    };
    try {
      return conclude(await abortable(Promise.resolve(result), controller.signal));
    } catch (error) {
      conclude(false);
      if (controller.signal.aborted) return false;
      throw error;
    }
  }

  /** Applies the predicate's result. Returns whether the item is sent. */
  #conclude(item: RequestItem, result: unknown): boolean {
    // The user may have requested the item meanwhile.
    if (result || this.#attempts.isRequested(item)) return true;
    this.#attempts.skip(item);
    this.#hold(item);
    return false;
  }
}
