/**
 * The storage that a persister uses. A frozen tab may resume a write when another tab is the leader already, or when
 * the user has logged out. Storage therefore knows the leader, and refuses writes of other tabs. This file contains
 * only types.
 */
import type { ChangeRecord } from './change-record.js';
import type { ChatRecord } from './chat-record.js';

type MaybePromise<T> = T | PromiseLike<T>;

/** The leader, as it is stored. The highest epoch counts. */
export interface LeaderEntry {
  readonly epoch: number;
  /** The id of the leader. Empty after `clear()`, until the leader stores the chat again. */
  readonly tab: string;
}

/** What is stored of a chat. */
export interface StoredChat {
  /** The snapshot. */
  readonly value: unknown;
  /** The records of the journal, in the order of their numbers. */
  readonly changes: readonly unknown[];
  /** The leader; absent if none was ever stored, or if everything was deleted. */
  readonly leader: LeaderEntry | undefined;
  /** The epoch up to which `logOut` has ended the chat; 0 if it has not. */
  readonly ended: number;
}

/** What is stored next: a snapshot, which deletes the journal before it, and records that are added to the journal. */
export interface ChatWrite {
  readonly record?: ChatRecord | undefined;
  readonly changes: readonly ChangeRecord[];
}

/** What a write came to. `refused`: another tab is the leader. `missing`: no leader is stored, so all was deleted. */
export type Written = 'stored' | 'refused' | 'missing';

/** A storage that knows the leader of each name. Its methods throw or reject with the reason of a failure. */
export interface FencedStorage {
  /** Whether it has a journal. Otherwise each write has a snapshot and no changes. */
  readonly hasJournal: boolean;
  /** What is stored of a chat. */
  read(name: string, signal: AbortSignal): MaybePromise<StoredChat>;
  /** The stored actions of followers. */
  readActions(name: string, signal: AbortSignal): MaybePromise<unknown>;
  /**
   * Makes a tab the leader if `mayLead` returns true for what is stored: writes of other tabs are refused from now on.
   * Returns what was stored, with an epoch above all earlier ones and `minimum`.
   */
  takeOver(
    name: string,
    lead: { readonly tab: string; readonly minimum: number; readonly mayLead: (stored: StoredChat) => boolean },
    signal: AbortSignal,
  ): MaybePromise<StoredChat & { readonly epoch: number }>;
  /**
   * Stores a snapshot, records of the journal, or both, as a whole, if this tab leads since `epoch`. A record that is
   * stored already is replaced. The page may be gone before storage answers anything.
   */
  write(name: string, write: ChatWrite, lead: LeaderEntry, signal: AbortSignal): MaybePromise<Written>;
  /**
   * Replaces the actions by the result of `change`, atomically; `undefined` deletes them. Returns false and changes
   * nothing if `logOut` has ended the chat in epoch `born` or later.
   */
  updateActions(
    name: string,
    change: (actions: unknown) => unknown,
    born: number,
    signal: AbortSignal,
  ): MaybePromise<boolean>;
  /** Deletes what is stored. The leader stays known, without its tab, so that it stores the chat again. */
  clear(name: string, signal: AbortSignal): MaybePromise<void>;
}
