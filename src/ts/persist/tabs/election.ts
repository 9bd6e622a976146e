/**
 * Elects the leader: the tab that holds the Web Lock of the chat's name. The browser gives the lock to the next tab
 * when the page is gone, even after a crash. A tab can also steal the lock from a leader that does not answer;
 * tabs/roles.ts decides when.
 */
import { say } from '../../types/say.js';
import { PersistError } from '../persist-error.js';
import { Deferred, withTimeout, type Platform } from './platform.js';
import type { TabBase } from './tab-base.js';
import { RELEASE } from './tab-channel.js';

/** How many times the lock manager is queried at most, if its answers are outdated when they arrive. */
const QUESTIONS = 3;

/** What the names of the tabs' own locks begin with. No chat's lock has such a name. */
const OWN = 'toolgate-tab:';

/** What did not answer, for an error. */
const LOCKS = "the browser's locks";

export class Election {
  readonly #tab: TabBase;
  /** The names of the chat's lock, and of this tab's own. */
  readonly #key: string;
  readonly #own: string;
  /**
   * Whether the browser has locks. If not, the tabs elect the leader by their messages, and by the stored leader. Only
   * this class sets it.
   */
  isExclusive = true;
  #hasLeft = false;
  /** The pending request for the lock. */
  #waiting: AbortController | undefined;
  /** The pending attempt to steal the lock, and when it began. */
  #stealing: { readonly since: number; readonly controller: AbortController } | undefined;
  /** The lock, while this tab holds it. */
  #held: Deferred | undefined;
  /** The time of the last query that confirmed the lock. */
  #confirmedAt = -Infinity;

  constructor(tab: TabBase) {
    this.#tab = tab;
    this.#key = `toolgate:${tab.name}`;
    this.#own = `${OWN}${RELEASE}:${tab.id}`;
  }

  /**
   * Requests the lock. Resolves with whether this tab gets it at once, or with `no-locks` if the browser has no locks
   * or allows none. If the lock manager does not answer in time, another tab may be the leader: this one is a follower
   * until there is an answer.
   */
  join(): Promise<'leader' | 'follower' | 'no-locks'> {
    const { platform, leaderMs: ms, onError } = this.#tab;
    const { promise, resolve } = new Deferred<'leader' | 'follower' | 'no-locks'>();
    const answered = (lock: unknown): boolean => {
      resolve(lock === null ? 'follower' : 'leader');
      if (lock === null) this.wait();
      return lock !== null;
    };
    this.#request({ ifAvailable: true }, answered, () => {
      this.isExclusive = false;
      resolve('no-locks');
    });
    return withTimeout({ platform, ms, what: LOCKS }, () => promise).catch((error: unknown) => {
      onError(error);
      return 'follower';
    });
  }

  /** Waits until the lock is free. An earlier wait is replaced. */
  wait(): void {
    if (this.#hasLeft || !this.isExclusive || this.#held) return;
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
    const { platform, leaderMs, onElected } = this.#tab;
    if (this.#hasLeft || this.#held) return;
    if (!this.isExclusive) {
      void isSilent().then((isWanted) => isWanted && !this.#hasLeft && onElected());
      return;
    }
    const earlier = this.#stealing;
    const since = platform.elapsed();
    if (earlier && since - earlier.since < leaderMs) return;
    earlier?.controller.abort();
    const controller = new AbortController();
    const { signal } = controller;
    this.#stealing = { since, controller };
    const turn = async (): Promise<void> => {
      const isWanted = !signal.aborted && (await isSilent());
      if (isWanted && !signal.aborted && !this.#held && !(await this.isOtherRelease())) await this.#stealNow();
      if (!signal.aborted) this.#stealing = undefined;
    };
    platform
      .locks!.request(this.#key.replace('toolgate', 'toolgate-turn'), earlier ? { steal: true } : { signal }, turn)
      .catch(() => {});
  }

  /** Takes the lock, because the user chose this tab. */
  async take(): Promise<void> {
    if (!this.isExclusive) return this.#tab.onElected();
    this.#stealing?.controller.abort();
    if (!this.#held && !this.#hasLeft) await this.#stealNow();
  }

  /** Whether a tab of another release holds the lock, which is reported. It may be healthy, but not understand us. */
  async isOtherRelease(): Promise<boolean> {
    const own = (await this.#namesOfHolder()).filter((name) => name.startsWith(OWN));
    const releases = own.map((name) => Number.parseInt(name.slice(OWN.length), 10));
    if (own.length === 0 || releases.includes(RELEASE)) return false;
    this.#tab.onOtherRelease(releases.some((release) => release > RELEASE));
    return true;
  }

  /** Resolves when the browser has given this tab the lock. */
  #stealNow(): Promise<void> {
    this.#waiting?.abort();
    this.#waiting = undefined;
    const { promise, resolve } = new Deferred();
    const mayHave = (): boolean => {
      resolve();
      return this.#held === undefined;
    };
    this.#request({ steal: true }, mayHave, () => {
      resolve();
      this.wait();
    });
    return promise;
  }

  /**
   * Asks the browser whether this tab still holds the lock: a page that was frozen may not know yet that the lock was
   * stolen. A delayed answer is not used, and the browser is asked again. Rejects if no answer comes in time.
   */
  async holdsLock(): Promise<boolean> {
    const { platform, leaderMs } = this.#tab;
    if (!this.isExclusive) return true;
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const at = platform.elapsed();
      if (!this.#held) return false;
      const isHolder = (await this.#namesOfHolder()).includes(this.#own);
      // The lock may have been stolen while the query was under way.
      if (this.#held === undefined || !isHolder) return false;
      this.#confirmedAt = at;
      // An answer that was delayed, for instance by a freeze, is outdated: the lock may have been stolen since.
      if (this.hasLease) return true;
    }
    throw new PersistError('timeout', say`${LOCKS} did not answer within ${leaderMs / 2} ms`);
  }

  /** Asks the browser whether another tab waits for the lock. Rejects if there is no answer in time. */
  async hasCompetitors(): Promise<boolean> {
    if (!this.isExclusive) return false;
    const { pending = [] } = await this.#query();
    return pending.some(({ name }) => name === this.#key);
  }

  /** The names of the locks that the page with the chat's lock holds. */
  async #namesOfHolder(): Promise<readonly string[]> {
    const { held = [] } = await this.#query();
    const holder = held.find(({ name }) => name === this.#key)?.clientId;
    return held.flatMap(({ name, clientId }) => (holder !== undefined && clientId === holder ? [name ?? ''] : []));
  }

  /** The locks of all tabs; none without a lock manager. Rejects if there is no answer in time. */
  #query(): ReturnType<NonNullable<Platform['locks']>['query']> {
    const { platform, leaderMs: ms } = this.#tab;
    return withTimeout({ platform, ms, what: LOCKS }, async () => (await platform.locks?.query()) ?? {});
  }

  /** Whether the browser confirmed the lock so recently that no other tab can have given up on this one since. */
  get hasLease(): boolean {
    const { platform, leaderMs } = this.#tab;
    return !this.isExclusive || (this.#held !== undefined && platform.elapsed() - this.#confirmedAt < leaderMs / 2);
  }

  /** Gives the lock up after it was stolen, before the browser has reported that. */
  lose(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#confirmedAt = -Infinity;
    held?.resolve();
  }

  /** Releases the lock, or stops waiting for it. */
  leave(): void {
    this.#hasLeft = true;
    this.#waiting?.abort();
    this.#stealing?.controller.abort();
    this.lose();
  }

  /** Requests the lock. `mayHave` is called with the browser's answer, and returns whether the lock is still wanted. */
  #request(options: LockOptions, mayHave: (lock: unknown) => boolean, onError = (): void => {}): void {
    const { platform, onElected, onLost } = this.#tab;
    const { locks } = platform;
    if (!locks) return onError();
    let held: Deferred | undefined;
    const take = (lock: unknown): Promise<void> | undefined => {
      if (!mayHave(lock) || this.#hasLeft) return undefined;
      const { promise } = (this.#held = held = new Deferred());
      this.#waiting = undefined;
      // The holder of this second lock is this page. A query finds the client id of this page by this lock's name.
      locks.request(this.#own, {}, () => promise).catch(() => {});
      onElected();
      return promise;
    };
    locks.request(this.#key, options, take).catch(() => {
      if (!held) return onError();
      // The lock was stolen: the request of a held lock rejects for no other reason.
      held.resolve();
      if (this.#held !== held) return;
      this.#held = undefined;
      onLost();
    });
  }
}
