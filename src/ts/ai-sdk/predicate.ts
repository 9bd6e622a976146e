/**
 * The chat's own `sendAutomaticallyWhen`: it is asked before a step's decisions are sent automatically, and can only
 * say no. Then they stay held until the user's next act, which never waits for an answer either.
 */
import type { Attempts, RequestItem } from './attempts.js';
import type { Ports } from './exchange.js';

/** The predicate, while it thinks about an item. */
interface Question {
  readonly item: RequestItem;
  /** Goes on without an answer: one that comes later counts for nothing. */
  readonly drop: () => void;
}

/** The predicate of one chat. */
export class Predicate {
  readonly #ports: Ports;
  readonly #attempts: Attempts;
  /** Holds what was vetoed. */
  readonly #hold: () => void;
  #question: Question | undefined;

  constructor(ports: Ports, attempts: Attempts, hold: () => void) {
    this.#ports = ports;
    this.#attempts = attempts;
    this.#hold = hold;
  }

  /** Whether it was asked and has not answered. */
  get isThinking(): boolean {
    return this.#question !== undefined;
  }

  /** Whether these are decisions that are sent because their step is complete, not because the user asked. */
  isAskedAbout(item: RequestItem): boolean {
    const { attempt, body } = item;
    return (
      attempt === 1 &&
      body.trigger === 'submit-message' &&
      body.messages.at(-1)?.role !== 'user' &&
      !this.#attempts.isAsked(item) &&
      !this.#ports.projection.hasWaiting
    );
  }

  /** Whether the item may be sent. Throws, or rejects, with what the predicate throws: that counts as no. */
  mayLeave(item: RequestItem): boolean | Promise<boolean> {
    const { chat, gate } = this.#ports;
    if (!chat.sendAutomaticallyWhen || !this.isAskedAbout(item)) return true;
    try {
      const verdict = chat.sendAutomaticallyWhen({ messages: gate.getSnapshot().messages });
      if (typeof verdict !== 'object' || verdict === null) return this.#conclude(item, verdict);
      return this.#answer(item, verdict);
    } catch (error) {
      this.#conclude(item, false);
      throw error;
    }
  }

  /** Goes on without an answer that is not needed any more: the item is gone, or the user asked for it. */
  review(listed: readonly RequestItem[]): void {
    if (!this.#question) return;
    const { item, drop } = this.#question;
    const now = listed.find(({ id, attempt }) => id === item.id && attempt === item.attempt);
    if (!now || !this.isAskedAbout(now)) drop();
  }

  /** Its answer, or `false` as soon as the user's next act makes it one to nothing. */
  #answer(item: RequestItem, verdict: PromiseLike<unknown>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const question: Question = { item, drop: () => over(() => resolve(false)) };
      const over = (then: () => void): void => {
        if (this.#question !== question) return;
        this.#question = undefined;
        try {
          then();
        } catch (error) {
          reject(error);
        }
      };
      this.#question = question;
      Promise.resolve(verdict).then(
        (value) => over(() => resolve(this.#conclude(item, value))),
        (error) =>
          over(() => {
            this.#conclude(item, false);
            reject(error);
          }),
      );
    });
  }

  /** Whether the item is sent, by what the predicate said. */
  #conclude(item: RequestItem, verdict: unknown): boolean {
    // The user may have asked for it while the predicate ran.
    if (verdict || this.#attempts.isAsked(item)) return true;
    this.#attempts.pass(item);
    this.#hold();
    return false;
  }
}
