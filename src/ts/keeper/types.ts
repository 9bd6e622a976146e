/**
 * The public types of `toolgate/keeper`: what `keep` takes and returns. No code.
 */

/** What {@link keep} is told. */
export interface KeepOptions {
  /**
   * Under which name the chat is stored: one name for one chat. Tabs that keep the same name are one chat, of which one
   * tab sends. It must not end with `.refused`.
   */
  readonly name: string;
  /** Where: IndexedDB (the default), `localStorage` (a few MB, and only for short chats), or a storage of the app's own. */
  readonly storage?: 'indexeddb' | 'localstorage' | KeepStorage;
  /**
   * Told of what went wrong while nobody waited for it: what was stored could not be read (`bad-snapshot`), the chat
   * cannot be stored (`unserializable`, or what the storage threw), or another tab decided first (`already-decided`).
   * Default: `console.error`.
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
 * may return promises; what they reject with goes to `onError`.
 */
export interface KeepStorage {
  /** The value under this name; `undefined` or `null` if there is none. */
  read(name: string): unknown;
  /** Stores a value in place of the one before. Of several that are under way the one that was started last must win. */
  write(name: string, value: unknown): void | PromiseLike<void>;
  /** Deletes the value. There may be none. */
  remove(name: string): void | PromiseLike<void>;
}

/** A gate that is kept. */
export interface Kept {
  /**
   * Whether this tab is the one that sends. When that changes, the gate's listeners are called. The other tabs follow:
   * they show the same, what the user does there is done here, `outgoing()` is empty there and `claim` returns `false`.
   */
  readonly isLeader: boolean;
  /**
   * Whether other tabs are kept from sending. `false` where the browser has no Web Locks (old browsers, pages without
   * HTTPS, Node): then every tab takes itself for the one that sends.
   */
  readonly isExclusive: boolean;
  /**
   * Resolves when everything until now is stored: in a tab that follows, when the other tab has stored what was done
   * here. Rejects with what the storage threw, or `unserializable`.
   */
  saved(): Promise<void>;
  /** Deletes what is stored under the name, refused copies too. The gate is not changed; its next change is stored again. */
  forget(): Promise<void>;
  /**
   * Stores the last state and ends: another tab may send from now on, so this gate sends nothing more, until it is kept
   * again.
   */
  close(): void;
}
