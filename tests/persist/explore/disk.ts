/**
 * Two kinds of storage: a database of the browser, whose transactions take effect in the order of the calls and check
 * which tab is the leader; and a custom storage, which is slow and makes no such check. Either may fail, or never
 * answer.
 */
import { actionsName } from '../../../src/ts/persist/storage/custom-storage.js';
import type { FencedStorage, LeaderEntry, StoredChat } from '../../../src/ts/persist/storage/fenced-storage.js';
import { epochOf } from '../../../src/ts/persist/storage/chat-record.js';
import type { PersistStorage } from '../../../src/ts/persist/persist-options.js';

/** The fault of the next call of a tab. */
export type Trouble = 'fails' | 'hangs';

/**
 * Adds an event to a queue: the tab's own, or one of the disk's, whose events also happen if the tab is frozen or
 * closed.
 */
type Post = (tab: string, isOfDisk: boolean, label: string, call: () => void) => void;

/** Where the disk has the leader of a chat, and the epoch in which the chat was ended. */
export const leaderKey = (name: string): string => `${name} leader`;
const endedKey = (name: string): string => `${name} ended`;

/** What the keys of the journal's records begin with, and the key of one. */
const changePrefix = (name: string): string => `${name} journal `;
const changeKey = (name: string, number: number): string => changePrefix(name) + String(number).padStart(9, '0');

/** A disk. */
export class Disk {
  readonly values = new Map<string, string>();
  readonly #post: Post;
  readonly #trouble = new Map<string, Trouble>();

  constructor(post: Post) {
    this.#post = post;
  }

  /** Makes the next call of this tab fail or hang. */
  spoil(tab: string, trouble: Trouble): void {
    this.#trouble.set(tab, trouble);
  }

  /** Removes the faults. */
  heal(): void {
    this.#trouble.clear();
  }

  toJSON(): unknown {
    return [[...this.values].sort(), [...this.#trouble]];
  }

  /** A stored value. */
  get(name: string): unknown {
    const text = this.values.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  set(name: string, value: unknown): void {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, JSON.stringify(value));
  }

  /** The stored values of a chat. */
  chat(name: string): StoredChat {
    return {
      value: this.get(name),
      changes: this.#changeKeys(name).map((key) => this.get(key)),
      leader: this.get(leaderKey(name)) as LeaderEntry | undefined,
      ended: epochOf(this.get(endedKey(name))),
    };
  }

  /** Deletes everything, as a browser does with a site's data. */
  empty(): void {
    this.values.clear();
  }

  /** Ends a chat, as `logOut` does. */
  endChat(name: string, now: number): void {
    this.empty();
    this.set(endedKey(name), { epoch: now });
  }

  #changeKeys(name: string): string[] {
    return [...this.values.keys()].filter((key) => key.startsWith(changePrefix(name))).sort();
  }

  /** The database's interface for a tab. */
  database(tab: string): FencedStorage {
    const run = <T>(label: string, call: () => T): Promise<T> => this.#answer(tab, label, call);
    return {
      hasJournal: true,
      read: (name) => run(`read ${name}`, () => this.chat(name)),
      readActions: (name) => run('read of the actions', () => this.get(actionsName(name))),
      takeOver: (name, { tab: page, minimum, mayLead }) =>
        run('takeover', () => {
          const chat = this.chat(name);
          const epoch = Math.max(...[chat.value, chat.leader, ...chat.changes].map(epochOf), chat.ended, minimum) + 1;
          if (mayLead(chat)) this.set(leaderKey(name), { epoch, tab: page });
          return { ...chat, epoch };
        }),
      write: (name, { record, changes }, { tab: page }) =>
        run('write', () => {
          const leader = this.get(leaderKey(name)) as LeaderEntry | undefined;
          if (leader?.tab !== page) return leader ? 'refused' : 'missing';
          if (record) {
            for (const key of this.#changeKeys(name)) this.values.delete(key);
            this.set(name, record);
          }
          for (const change of changes) this.set(changeKey(name, change.number), change);
          return 'stored';
        }),
      updateActions: (name, change, born) =>
        run('update of the actions', () => {
          if (epochOf(this.get(endedKey(name))) >= born) return false;
          this.set(actionsName(name), change(this.get(actionsName(name))));
          return true;
        }),
      clear: (name) =>
        run('clear', () => {
          const leader = this.get(leaderKey(name)) as LeaderEntry | undefined;
          for (const key of [name, actionsName(name), ...this.#changeKeys(name)]) this.values.delete(key);
          this.set(leaderKey(name), leader && { ...leader, tab: '' });
        }),
    };
  }

  /** The custom storage's interface for a tab. */
  custom(tab: string): PersistStorage {
    const run = <T>(label: string, call: () => T): Promise<T> => this.#answerLate(tab, label, call);
    return {
      read: (name) => run(`read ${name}`, () => this.get(name)),
      write: (name, value) => {
        // Copied, because the gate continues to change while the stored value must not.
        const text = JSON.stringify(value);
        return run(`write ${name}`, () => void this.values.set(name, text));
      },
      remove: (name) => run('remove', () => this.set(name, undefined)),
    };
  }

  /** Takes effect at once; the tab receives the answer later. */
  #answer<T>(tab: string, label: string, call: () => T): Promise<T> {
    return this.#troubled(tab, label) ?? this.#heard(tab, label, call());
  }

  /** Takes effect later, even if the tab was closed. The answer arrives after that. */
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
