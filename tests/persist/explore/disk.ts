/**
 * What is stored, in two kinds: a database of the browser, whose transactions take effect in the order in which they were asked
 * for and know who leads; and a storage of the app's own, which takes its time and knows nothing. Either may fail, or never
 * answer.
 */
import type { FencedStorage } from '../../../src/ts/persist/fenced-storage.js';
import { leaderKey } from '../../../src/ts/persist/storage-names.js';
import { epochOf } from '../../../src/ts/persist/chat-record.js';
import type { PersistStorage } from '../../../src/ts/persist/persist-options.js';

/** What the exploration does to the next thing that a tab asks. */
export type Trouble = 'fails' | 'hangs';

/** Puts an event into a queue: the tab's own, or one of the disk's, which goes on if the tab stands still or is gone. */
type Post = (tab: string, isOfDisk: boolean, label: string, call: () => void) => void;

/** A disk. */
export class Disk {
  readonly values = new Map<string, string>();
  readonly #post: Post;
  readonly #trouble = new Map<string, Trouble>();

  constructor(post: Post) {
    this.#post = post;
  }

  /** The next thing that this tab asks has trouble. */
  spoil(tab: string, trouble: Trouble): void {
    this.#trouble.set(tab, trouble);
  }

  /** No trouble any more. */
  heal(): void {
    this.#trouble.clear();
  }

  toJSON(): unknown {
    return [[...this.values].sort(), [...this.#trouble]];
  }

  /** A value. */
  get(name: string): unknown {
    const text = this.values.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  set(name: string, value: unknown): void {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, JSON.stringify(value));
  }

  /** The database, as a tab uses it. */
  database(tab: string): FencedStorage {
    const run = <T>(label: string, call: () => T): Promise<T> => this.#answer(tab, label, call);
    return {
      read: (name) => run(`read ${name}`, () => this.get(name)),
      takeOver: (name, page, minimum) =>
        run('takes over', () => {
          const value = this.get(name);
          const epoch = Math.max(epochOf(value), epochOf(this.get(leaderKey(name))), minimum) + 1;
          this.set(leaderKey(name), { epoch, tab: page });
          return { value, epoch };
        }),
      write: (name, value, lead) =>
        run('stores', () => {
          const stored = this.get(leaderKey(name)) as { tab: string } | undefined;
          if (stored && stored.tab !== lead.tab) return false;
          this.set(name, value);
          return true;
        }),
      update: (name, change) => run('changes the acts', () => this.set(name, change(this.get(name)))),
      remove: (name) => run('removes', () => this.set(name, undefined)),
    };
  }

  /** The app's own storage, as a tab uses it. */
  own(tab: string): PersistStorage {
    const run = <T>(label: string, call: () => T): Promise<T> => this.#answerLate(tab, label, call);
    return {
      read: (name) => run(`read ${name}`, () => this.get(name)),
      write: (name, value) => {
        // As it is now: values are never changed after they were given, but the gate goes on.
        const text = JSON.stringify(value);
        return run(`write ${name}`, () => void this.values.set(name, text));
      },
      remove: (name) => run('remove', () => this.set(name, undefined)),
    };
  }

  /** It takes effect at once, and the tab hears of it later. */
  #answer<T>(tab: string, label: string, call: () => T): Promise<T> {
    return this.#troubled(tab, label) ?? this.#heard(tab, label, call());
  }

  /** It takes effect later, also if the tab is gone by then, and the tab hears of it still later. */
  #answerLate<T>(tab: string, label: string, call: () => T): Promise<T> {
    const trouble = this.#troubled<T>(tab, label);
    if (trouble) return trouble;
    return new Promise((resolve) => {
      this.#post(tab, true, `${label} arrives`, () => {
        const result = call();
        this.#post(tab, false, `${label} is done`, () => resolve(result));
      });
    });
  }

  #troubled<T>(tab: string, label: string): Promise<T> | undefined {
    const trouble = this.#trouble.get(tab);
    this.#trouble.delete(tab);
    if (trouble === 'hangs') return new Promise(() => {});
    if (trouble !== 'fails') return undefined;
    return new Promise((_, reject) =>
      this.#post(tab, false, `${label} fails`, () => reject(new Error('the disk is full'))),
    );
  }

  #heard<T>(tab: string, label: string, result: T): Promise<T> {
    return new Promise((resolve) => this.#post(tab, false, `${label} is done`, () => resolve(result)));
  }
}
