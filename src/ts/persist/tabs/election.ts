/**
 * Elects the leader: the tab that holds the Web Lock of the chat's name. The browser gives the lock to the next tab
 * when the page is gone, even after a crash. A tab can also steal the lock from a leader that does not answer;
 * persister.ts decides when.
 */
import { TimeoutError, withTimeout } from './deadline.js';
import type { Platform } from './platform.js';
import { RELEASE } from './tab-messages.js';
import { say } from '../../types/say.js';

/** How many times the lock manager is queried at most, if its answers are outdated when they arrive. */
const QUESTIONS = 3;

/** What the names of the tabs' own locks begin with. No chat's lock has such a name. */
const OWN = 'toolgate-tab:';

/** What did not answer, for an error. */
const LOCKS = "the browser's locks";

/** The dependencies of an election. */
interface ElectionDeps {
  readonly platform: Platform;
  readonly name: string;
  /** The id of this tab. */
  readonly tab: string;
  /** The time limit for an answer of the lock manager, in ms. */
  readonly timeoutMs: number;
  /** Called when this tab gets the lock. */
  readonly onElected: () => void;
  /** Called when another tab has stolen the lock. */
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
  /** Called when the leader does not answer, but has another release. */
  readonly onOtherRelease: () => void;
}

/** One tab's part in the election. */
export class Election {
  readonly #deps: ElectionDeps;
  readonly #key: string;
  /** Whether the browser has no locks, so that no tab can be prevented from sending. */
  #hasNoLocks = false;
  #hasLeft = false;
  /** The pending request for the lock. */
  #waiting: AbortController | undefined;
  /** The pending attempt to steal the lock, and when it began. */
  #stealing: { readonly since: number; readonly controller: AbortController } | undefined;
  /** The lock, while this tab holds it. */
  #held: { readonly release: () => void } | undefined;
  /** The time of the last query that confirmed the lock. */
  #confirmedAt = -Infinity;

  constructor(deps: ElectionDeps) {
    this.#deps = deps;
    this.#key = `toolgate:${deps.name}`;
  }

  /** Whether the browser has no locks. Then the tabs elect the leader by their messages, and by the stored leader. */
  get hasNoLocks(): boolean {
    return this.#hasNoLocks;
  }

  /**
   * Requests the lock. Resolves with whether this tab gets it at once, or with `no-locks` if the browser has no locks
   * or allows none. If the lock manager does not answer in time, another tab may be the leader: this one is a follower
   * until there is an answer.
   */
  join(): Promise<'leader' | 'follower' | 'no-locks'> {
    const { platform, timeoutMs, onError } = this.#deps;
    return new Promise((resolve) => {
      const cancel = platform.after(timeoutMs, () => {
        onError(new TimeoutError(say`persist: the browser's locks did not answer within ${timeoutMs} ms`));
        resolve('follower');
      });
      const answered = (lock: unknown): boolean => {
        cancel();
        resolve(lock === null ? 'follower' : 'leader');
        if (lock === null) this.wait();
        return lock !== null;
      };
      const without = (): void => {
        cancel();
        this.#hasNoLocks = true;
        resolve('no-locks');
      };
      this.#request({ ifAvailable: true }, answered, without);
    });
  }

  /** Waits until the lock is free. An earlier wait is replaced. */
  wait(): void {
    if (this.#hasLeft || this.#hasNoLocks || this.#held) return;
    this.#waiting?.abort();
    const { signal } = (this.#waiting = new AbortController());
    this.#request({ signal }, () => !signal.aborted);
  }

  /**
   * Takes the lock from a holder that does not answer. One tab at a time does this: two tabs that notice the silence
   * together would otherwise steal from each other, and interrupt what the first one sends. `isSilent` asks the holder
   * again when it is this tab's turn. A call is ignored while an earlier one is pending; after the time limit it
   * replaces the earlier one, and no longer waits for its turn, because the tab whose turn it is may be frozen.
   */
  steal(isSilent: () => Promise<boolean>): void {
    const { platform, timeoutMs, onElected } = this.#deps;
    if (this.#hasLeft || this.#held) return;
    if (this.#hasNoLocks || !platform.locks) {
      void isSilent().then((isWanted) => isWanted && !this.#hasLeft && onElected());
      return;
    }
    const earlier = this.#stealing;
    const since = platform.elapsed();
    if (earlier && since - earlier.since < timeoutMs) return;
    earlier?.controller.abort();
    const controller = new AbortController();
    const { signal } = controller;
    this.#stealing = { since, controller };
    const turn = async (): Promise<void> => {
      const isWanted = !signal.aborted && (await isSilent());
      if (isWanted && !signal.aborted && !this.#held && !(await this.#isOfOtherRelease())) await this.#stealNow();
      if (!signal.aborted) this.#stealing = undefined;
    };
    platform.locks
      .request(this.#key.replace('toolgate', 'toolgate-turn'), earlier ? { steal: true } : { signal }, turn)
      .catch(() => {});
  }

  /** Whether a tab of another release holds the lock. Such a tab does not understand this one, and may be healthy. */
  async #isOfOtherRelease(): Promise<boolean> {
    const { onOtherRelease } = this.#deps;
    const { held = [] } = await this.#query();
    const holder = held.find(({ name }) => name === this.#key)?.clientId;
    const own = held.filter(({ name, clientId }) => clientId === holder && name?.startsWith(OWN));
    const isOther = own.length > 0 && !own.some(({ name }) => name?.startsWith(`${OWN}${RELEASE}:`));
    if (isOther) onOtherRelease();
    return isOther;
  }

  /** Resolves when the browser has given this tab the lock. */
  #stealNow(): Promise<void> {
    this.#waiting?.abort();
    this.#waiting = undefined;
    return new Promise((resolve) => {
      const mayHave = (): boolean => {
        resolve();
        return this.#held === undefined;
      };
      this.#request({ steal: true }, mayHave, () => {
        resolve();
        this.wait();
      });
    });
  }

  /**
   * Asks the browser whether this tab still holds the lock: a page that was frozen may not know yet that the lock was
   * stolen. A delayed answer is not used, and the browser is asked again. Rejects if no answer comes in time.
   */
  async holdsLock(): Promise<boolean> {
    const { platform, timeoutMs, tab } = this.#deps;
    if (this.#hasNoLocks) return true;
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const at = platform.elapsed();
      if (!this.#held) return false;
      const { held = [] } = await this.#query();
      const holder = held.find(({ name }) => name === this.#key)?.clientId;
      const own = held.find(({ name }) => name === this.#own(tab))?.clientId;
      // The lock may have been stolen while the query was under way.
      if (this.#held === undefined || own === undefined || own !== holder) return false;
      this.#confirmedAt = at;
      // An answer that was delayed, for instance by a freeze, is outdated: the lock may have been stolen since.
      if (this.hasLease) return true;
    }
    throw new TimeoutError(`${LOCKS} did not answer within ${timeoutMs / 2} ms`);
  }

  /** Asks the browser whether another tab waits for the lock. Rejects if there is no answer in time. */
  async hasCompetitors(): Promise<boolean> {
    if (this.#hasNoLocks) return false;
    const { pending = [] } = await this.#query();
    return pending.some(({ name }) => name === this.#key);
  }

  /** The locks of all tabs; none without a lock manager. Rejects if there is no answer in time. */
  #query(): ReturnType<NonNullable<Platform['locks']>['query']> {
    const { platform, timeoutMs: ms } = this.#deps;
    return withTimeout({ platform, ms, what: LOCKS }, async () => (await platform.locks?.query()) ?? {});
  }

  /** Whether the browser confirmed the lock so recently that no other tab can have given up on this one since. */
  get hasLease(): boolean {
    const { platform, timeoutMs } = this.#deps;
    return this.#hasNoLocks || (this.#held !== undefined && platform.elapsed() - this.#confirmedAt < timeoutMs / 2);
  }

  /** Gives the lock up after it was stolen, before the browser has reported that. */
  lose(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#confirmedAt = -Infinity;
    held?.release();
  }

  /** Releases the lock, or stops waiting for it. */
  leave(): void {
    this.#hasLeft = true;
    this.#waiting?.abort();
    this.#stealing?.controller.abort();
    this.#held?.release();
    this.#held = undefined;
  }

  /** Requests the lock. `mayHave` is called with the browser's answer, and returns whether the lock is still wanted. */
  #request(
    options: LockOptions,
    mayHave: (lock: unknown) => boolean,
    onError: (error: unknown) => void = () => {},
  ): void {
    const { platform, tab, onElected, onLost } = this.#deps;
    const { locks } = platform;
    if (!locks) return onError(new Error('this browser has no locks'));
    let held: { readonly release: () => void } | undefined;
    const take = (lock: unknown): Promise<void> | undefined => {
      if (!mayHave(lock) || this.#hasLeft) return undefined;
      let release!: () => void;
      const over = new Promise<void>((resolve) => (release = resolve));
      this.#held = held = { release };
      this.#waiting = undefined;
      // The holder of this second lock is this page. A query finds the client id of this page by this lock's name.
      locks.request(this.#own(tab), {}, () => over).catch(() => {});
      onElected();
      return over;
    };
    locks.request(this.#key, options, take).catch((error: unknown) => {
      if (!held) return onError(error);
      // The lock was stolen: the request of a held lock rejects for no other reason.
      held.release();
      if (this.#held !== held) return;
      this.#held = undefined;
      onLost();
    });
  }

  #own(tab: string): string {
    return `${OWN}${RELEASE}:${tab}`;
  }
}
