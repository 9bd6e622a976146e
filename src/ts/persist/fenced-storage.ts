/**
 * The storage that a persister uses. A frozen tab may resume a write when another tab is the leader already. Storage
 * therefore knows the leader, and refuses writes of other tabs. This file contains only types.
 */
import type { ChangeRecord } from './change-record.js';
import type { ChatRecord } from './chat-record.js';
import type { Platform } from './platform.js';

type MaybePromise<T> = T | PromiseLike<T>;

/** The leader, as it is stored. The highest epoch counts. */
export interface LeaderEntry {
  readonly epoch: number;
  /** The id of the leader. */
  readonly tab: string;
}

/** What is stored of a chat: a snapshot, and the records of the journal, in the order of their keys. */
export interface StoredChat {
  readonly value: unknown;
  readonly changes: readonly unknown[];
}

/** What is stored next: a snapshot, which deletes the journal before it, and records that are added to the journal. */
export interface ChatWrite {
  readonly record?: ChatRecord | undefined;
  readonly changes: readonly ChangeRecord[];
}

/** A storage that knows the leader of each name. Its methods throw or reject with the reason of a failure. */
export interface FencedStorage {
  /** Whether it has a journal. Otherwise each write has a snapshot and no changes. */
  readonly hasJournal: boolean;
  /** What is stored of a chat. */
  readChat(name: string, signal: AbortSignal): MaybePromise<StoredChat>;
  /** The value under this name; `undefined` or `null` if there is none. */
  read(name: string, signal: AbortSignal): MaybePromise<unknown>;
  /**
   * Makes a tab the leader: writes of other tabs are refused from now on. Returns the stored chat and the new epoch.
   */
  takeOver(
    name: string,
    tab: string,
    minimum: number,
    signal: AbortSignal,
  ): MaybePromise<StoredChat & { readonly epoch: number }>;
  /**
   * Stores a snapshot, records of the journal, or both, as a whole. A record that is stored already is replaced.
   * Returns `false` and stores nothing if another tab is the leader.
   */
  write(name: string, write: ChatWrite, lead: LeaderEntry, signal: AbortSignal): MaybePromise<boolean>;
  /** Replaces a value by the result of `change`, atomically; `undefined` deletes it. */
  update(name: string, change: (value: unknown) => unknown, signal: AbortSignal): MaybePromise<void>;
  /** Deletes the value, its journal and its leader. */
  remove(name: string, signal: AbortSignal): MaybePromise<void>;
}

/** How a custom storage, which does not know the leader, finds out whether a tab may write. */
export interface LeaderCheck {
  readonly platform: Platform;
  /** Whether this tab is the leader. Asks the browser, unless it has answered recently. */
  readonly holdsLock: () => Promise<boolean>;
}
