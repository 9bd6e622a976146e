/**
 * The public types of `toolgate/persist`: what `persist` takes and returns. No code.
 */

/** Options of `persist`. */
export interface PersistOptions {
  /**
   * Under which name the chat is stored: one name for one chat. Tabs that persist the same name are one chat, of which one
   * tab sends. It must not end with `.refused`, `.acts` or `.leader`.
   */
  readonly name: string;
  /** Where: IndexedDB (the default), `localStorage` (a few MB, and only for short chats), or a storage of the app's own. */
  readonly storage?: 'indexeddb' | 'localstorage' | PersistStorage;
  /**
   * How long the storage may take for one read or write, in ms; default 10,000. A request whose claim is not stored by then
   * is not sent: it has `failed`, and can be retried.
   */
  readonly storeTimeoutMs?: number;
  /**
   * How long the tab that sends may take to answer another one, in ms; default 5,000. After that another tab takes over, once
   * the user does something there. What was in flight is `unconfirmed` then, and nothing is sent a second time.
   */
  readonly leaderTimeoutMs?: number;
  /**
   * Called with what went wrong while nobody waited for it: what was stored could not be read (`bad-snapshot`), the chat
   * cannot be stored (`unserializable`, or what the storage threw), another tab decided first (`already-decided`), or the tab
   * that sends does not answer. Default: `console.error`.
   */
  readonly onError?: (error: Error) => void;
  /**
   * Called when the user stopped in another tab, and this one sends: end the request here. The chat of `toolgate/ai-sdk`
   * does so by itself.
   */
  readonly onStop?: () => void;
}

/**
 * Where chats are stored. Names are strings, values plain JSON, and a value is never changed after it was given. Methods
 * may return promises; what they reject with goes to `onError`. The signal is aborted when `storeTimeoutMs` is over: whatever
 * still comes of the call is ignored then.
 */
export interface PersistStorage {
  /** The value under this name; `undefined` or `null` if there is none. */
  read(name: string, signal?: AbortSignal): unknown;
  /** Stores a value in place of the one before. Of several that are under way the one that was started last must win. */
  write(name: string, value: unknown, signal?: AbortSignal): void | PromiseLike<void>;
  /** Deletes the value. There may be none. */
  remove(name: string, signal?: AbortSignal): void | PromiseLike<void>;
}

/** A chat that is persisted. */
export interface PersistedChat {
  /**
   * Whether this tab is the one that sends. When that changes, the gate's listeners are called. The other tabs follow:
   * they show the same, what the user does there is done here, `outgoing()` is empty there and `claim` returns `false`.
   */
  readonly isLeader: boolean;
  /**
   * This tab's part. The gate's listeners are called when it changes.
   * - `leader`: it sends
   * - `follower`: it shows what the leader does, and hands on what the user does
   * - `leaderless`: no tab sends. The one that did does not answer, and is replaced by this one as soon as the user does
   *   something here; or this one was elected, and the storage does not answer
   * - `closed`: by `close()`, or the gate was freed or failed
   */
  readonly state: 'leader' | 'follower' | 'leaderless' | 'closed';
  /**
   * How many of the user's acts wait in a follower for the tab that sends to confirm that it stored them. They are stored
   * here, outlive a reload, and can no longer be taken back. Decisions among them have the `delivery` `forwarded`, and
   * messages are in `queued`. The gate's listeners are called when it changes.
   */
  readonly waiting: number;
  /**
   * Whether other tabs are kept from sending. `false` where the browser has no Web Locks (old browsers, pages without
   * HTTPS, Node): then every tab takes itself for the one that sends.
   */
  readonly isExclusive: boolean;
  /**
   * Resolves when everything until now is stored: in a tab that follows, when the other tab has stored what was done
   * here. Rejects with what the storage threw, `unserializable`, or when it takes too long.
   */
  saved(): Promise<void>;
  /** Deletes what is stored under the name, refused copies too. The gate is not changed; its next change is saved again. */
  clear(): Promise<void>;
  /**
   * Saves the last state and ends: another tab may send from now on, so this gate sends nothing more until it is persisted
   * again. The other tab waits for what is stored, but no longer than `storeTimeoutMs`.
   */
  close(): void;
}
