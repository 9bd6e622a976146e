/**
 * Which tab leads: the one that holds the lock of the name, for as long as its page lives. The browser gives the lock to the
 * next tab when the page is gone, however it went; and a tab may take it from one that does not answer. Whether to do that is
 * not decided here.
 */
import { TimeoutError, within } from './deadline.js';
import type { Platform } from './platform.js';

/** How often the browser is asked whether a lock is held, while its answers are too old to count. */
const QUESTIONS = 3;

/** What an election works with. */
interface ElectionParts {
  readonly platform: Platform;
  readonly name: string;
  /** This page, as no other one is called. */
  readonly tab: string;
  /** How long the locks may take to answer, in ms. */
  readonly timeoutMs: number;
  /** This tab holds the lock now. */
  readonly onElected: () => void;
  /** The lock was taken away. */
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
}

/** A tab's part in it. */
export class Election {
  readonly #parts: ElectionParts;
  readonly #key: string;
  /** No locks: nobody can be kept from sending. */
  #isAlone = false;
  #isOver = false;
  /** The request that waits for its turn. */
  #waiting: AbortController | undefined;
  /** The lock is held. */
  #held: { readonly release: () => void } | undefined;
  /** When the browser was asked last, and said that it is. */
  #heldAt = -Infinity;

  constructor(parts: ElectionParts) {
    this.#parts = parts;
    this.#key = `toolgate:${parts.name}`;
  }

  /** Whether this tab is by itself, because there are no locks. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /**
   * Takes part. Resolves with whether this tab leads at once, or is alone because the browser has no locks or allows none. Where
   * the locks do not answer in time, another tab may lead: then it follows, until they do.
   */
  join(): Promise<'leader' | 'follower' | 'alone'> {
    const { platform, timeoutMs, onElected, onError } = this.#parts;
    return new Promise((resolve) => {
      const cancel = platform.after(timeoutMs, () => {
        onError(new TimeoutError(`persist: the locks of the browser did not answer within ${timeoutMs} ms`));
        resolve('follower');
      });
      const answered = (lock: unknown): boolean => {
        cancel();
        resolve(lock === null ? 'follower' : 'leader');
        if (lock === null) this.wait();
        return lock !== null;
      };
      const alone = (): void => {
        cancel();
        this.#isAlone = true;
        resolve('alone');
        if (!this.#isOver) onElected();
      };
      this.#request({ ifAvailable: true }, answered, alone);
    });
  }

  /** Waits for its turn, however long that takes; anew if it waited already. */
  wait(): void {
    if (this.#isOver || this.#isAlone || this.#held) return;
    this.#waiting?.abort();
    const { signal } = (this.#waiting = new AbortController());
    this.#request({ signal }, () => !signal.aborted);
  }

  /** Takes the lock from the tab that has it. */
  steal(): void {
    if (this.#isOver || this.#isAlone || this.#held) return;
    this.#waiting?.abort();
    this.#waiting = undefined;
    this.#request({ steal: true }, () => this.#held === undefined);
  }

  /**
   * Whether this tab still has the lock, asked of the browser: a page that stood still may not have heard yet that it was
   * taken. Rejects if the browser does not answer, or only so late that the answer may not be true any more.
   */
  async holds(): Promise<boolean> {
    const { platform, timeoutMs, tab } = this.#parts;
    if (this.#isAlone) return true;
    const { locks } = platform;
    const what = 'the locks of the browser';
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const at = platform.elapsed();
      if (!this.#held || !locks) return false;
      const { held = [] } = await within({ platform, ms: timeoutMs, what }, () => locks.query());
      const holder = held.find(({ name }) => name === this.#key)?.clientId;
      const own = held.find(({ name }) => name === this.#own(tab))?.clientId;
      // What was asked is old by now: it may have been taken since.
      if (this.#held === undefined || own === undefined || own !== holder) return false;
      this.#heldAt = at;
      // The answer to a page that stood still meanwhile is as old as that: another tab may have given up on it since.
      if (this.isSure) return true;
    }
    throw new TimeoutError(`${what} did not answer within ${timeoutMs / 2} ms`);
  }

  /** Whether another tab waits for the lock, asked of the browser. Rejects if it does not answer. */
  async hasOthers(): Promise<boolean> {
    const { platform, timeoutMs } = this.#parts;
    const { locks } = platform;
    if (this.#isAlone || !locks) return false;
    const { pending = [] } = await within({ platform, ms: timeoutMs, what: 'the locks of the browser' }, () =>
      locks.query(),
    );
    return pending.some(({ name }) => name === this.#key);
  }

  /** Whether the browser said so lately that it has the lock that no other tab can have given up on this one since. */
  get isSure(): boolean {
    const { platform, timeoutMs } = this.#parts;
    return this.#isAlone || (this.#held !== undefined && platform.elapsed() - this.#heldAt < timeoutMs / 2);
  }

  /** The lock was taken away, and the browser has not said so yet. */
  lose(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#heldAt = -Infinity;
    held?.release();
  }

  /** Gives the lock back, or waits for it no longer. */
  leave(): void {
    this.#isOver = true;
    this.#waiting?.abort();
    this.#held?.release();
    this.#held = undefined;
  }

  /** Asks for the lock. `mayHave` is told when there is an answer, and says whether the lock is still wanted. */
  #request(
    options: LockOptions,
    mayHave: (lock: unknown) => boolean,
    onError: (error: unknown) => void = () => {},
  ): void {
    const { platform, tab, onElected, onLost } = this.#parts;
    const { locks } = platform;
    if (!locks) return onError(new Error('this browser has no locks'));
    let held: { readonly release: () => void } | undefined;
    const take = (lock: unknown): Promise<void> | undefined => {
      if (!mayHave(lock) || this.#isOver) return undefined;
      let release!: () => void;
      const over = new Promise<void>((resolve) => (release = resolve));
      this.#held = held = { release };
      this.#waiting = undefined;
      // By the holder of this one, the page knows itself among the holders.
      locks.request(this.#own(tab), {}, () => over).catch(() => {});
      onElected();
      return over;
    };
    locks.request(this.#key, options, take).catch((error: unknown) => {
      if (!held) return onError(error);
      // Somebody took it: the promise of a lock is rejected for nothing else.
      held.release();
      if (this.#held !== held) return;
      this.#held = undefined;
      onLost();
    });
  }

  #own(tab: string): string {
    return `${this.#key}:${tab}`;
  }
}
