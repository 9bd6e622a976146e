/** The public types of `toolgate/persist`. */

/** Options of `persist`. */
export interface PersistOptions {
  /**
   * The name under which the chat is stored. Each chat needs its own name; tabs that persist the same name share one
   * chat, and one of them, the leader, sends. A name must not end with `.actions` or `.fresh`. `[name, 'fresh']` is the
   * chat beside this one: see `outdated`.
   */
  readonly name: string | readonly [name: string, beside: 'fresh'];
  /** The storage: IndexedDB (the default), or the app's own. */
  readonly storage?: 'indexeddb' | PersistStorage;
  /**
   * The time limit of one read or write, in ms; default 10,000. A request whose claim is not stored in time is not
   * sent: it has `failed`, and can be retried.
   */
  readonly storeTimeoutMs?: number;
  /**
   * The time limit for an answer of the leader to another tab, in ms; default 5,000. After that another tab takes over
   * as soon as the user does something there. Requests that were in flight are `unconfirmed` then, and are not sent
   * again.
   */
  readonly leaderTimeoutMs?: number;
  /**
   * What happens if a newer release of the page has stored the chat, for example before a deployment was rolled back.
   * It is never overwritten, and `onError` is called with `outdated`. `wait` (the default): this tab is `closed`.
   * `fresh`: if it shows nothing of the chat yet, it continues with another chat, `[name, 'fresh']`.
   */
  readonly outdated?: 'wait' | 'fresh';
  /**
   * Called with errors that no call can reject with: the stored state could not be read (`bad-snapshot`; it stays until
   * the user's next action), the chat cannot be stored (`unserializable`, or the error of the storage), what was stored
   * is deleted (`emptied`), another release uses the chat (`outdated`, `older-leader`), another tab decided first
   * (`already-decided`), or the leader does not answer.
   * Default: `console.error`.
   */
  readonly onError?: (error: Error) => void;
  /**
   * Called in the leader when the user stopped in another tab: abort the request here. A guarded chat of
   * `toolgate/ai-sdk` does this itself.
   */
  readonly onStop?: () => void;
}

/**
 * A storage for chats. Names are strings, values are plain JSON and are never changed after they were passed. Methods
 * may return promises; their errors are passed to `onError`. The signal is aborted after `storeTimeoutMs`, and the
 * result of the call is ignored from then on.
 *
 * The leader reads a chat before each write of it, and does not replace what was deleted or what a newer release has
 * written. So `read` must return what was written last, and to delete a chat is to remove the value under its name.
 */
export interface PersistStorage {
  /** Returns the value that was written last under this name; `undefined` or `null` if there is none. */
  read(name: string, signal?: AbortSignal): unknown;
  /** Stores a value, and replaces an earlier one. Of several writes, the one that was started last must win. */
  write(name: string, value: unknown, signal?: AbortSignal): void | PromiseLike<void>;
  /** Deletes the value, if there is one. */
  remove(name: string, signal?: AbortSignal): void | PromiseLike<void>;
}

/** A persisted chat. */
export interface PersistedChat {
  /**
   * The role of this tab. The gate's listeners are called when it changes.
   * - `leader`: it sends
   * - `follower`: it shows the leader's state and forwards the user's actions. Its `outgoing()` is empty, and `claim`
   *   returns `false`
   * - `leaderless`: this tab has no leader. Either the leader does not answer, and this tab replaces it as soon as the
   *   user does something here; or the leader is of another release; or this tab was elected, and storage does not
   *   answer. Offer "Use here" then, which calls `lead`
   * - `closed`: `close()` or `logOut()` was called, here or for all tabs; a newer release has stored the chat; or the
   *   gate was freed or has crashed
   */
  readonly state: 'leader' | 'follower' | 'leaderless' | 'closed';
  /**
   * How many actions of the user in followers the leader has not confirmed as stored. Until then each follower stores
   * its own, so that they survive a reload. Actions that it cannot store are undone (`not-stored`). Decisions among
   * them have the `delivery` `forwarded`, and messages are in `queued`. The gate's listeners are called when this
   * changes.
   */
  readonly waiting: number;
  /**
   * Whether other tabs are prevented from sending. `false` if the browser has no Web Locks (old browsers, pages without
   * HTTPS, Node): then a tab follows the leader that answers it, and a leader whose writes are refused.
   */
  readonly isExclusive: boolean;
  /**
   * Resolves when the present state is stored; in a follower, when the leader has stored the actions of this tab.
   * Rejects with the error of the storage, with `unserializable`, after the time limit, and while nothing is stored
   * before the user's next action (`emptied`, `bad-snapshot`, `journal-damaged`).
   */
  flush(): Promise<void>;
  /**
   * Deletes what is stored of the chat. The gate is not changed, here or in other tabs. It is stored again, as a whole,
   * with the user's next action; requests that the chat sends by itself until then are not recorded. When the user logs
   * out, call `logOut`.
   */
  clear(): Promise<void>;
  /**
   * Makes this tab the leader, because the user chose it ("Use here"). No tab takes the lead from one of an earlier
   * release by itself. Requests that the other tab had in flight are `unconfirmed` here. Rejects with `outdated` if a
   * newer release has stored the chat, and if this tab does not get the lead in time.
   */
  lead(): Promise<void>;
  /**
   * Stores the last state and ends persisting. Another tab may send from now on, so this gate sends nothing until it is
   * persisted again. The other tab waits until the state is stored, but not longer than `storeTimeoutMs`.
   */
  close(): void;
}

/** Options of `logOut`. */
export interface LogOutOptions {
  /** The names of the chats. Default: all that IndexedDB has. */
  readonly names?: readonly string[] | undefined;
  /** The app's own storage of these chats. `names` is required then. */
  readonly storage?: PersistStorage | undefined;
}
