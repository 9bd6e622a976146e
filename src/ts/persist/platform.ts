/**
 * What a keeper uses of its browser, in one place: a test can be a browser with as many tabs as it likes, whose clock, locks
 * and messages it holds in its hands.
 */
import { randomId } from '../json/random-id.js';

/** Web Locks, as far as they are used. */
export interface Locks {
  request(name: string, options: LockOptions, callback: (lock: unknown) => unknown): Promise<unknown>;
  query(): Promise<{
    held?: readonly { name?: string | undefined; clientId?: string | undefined }[];
    pending?: readonly { name?: string | undefined }[];
  }>;
}

/** A channel between tabs, of plain data. */
export interface RawChannel {
  post(data: unknown): void;
  close(): void;
}

/** A browser, as one tab sees it. */
export interface Platform {
  /** Absent where the browser has none, or the page may not have any. */
  readonly locks: Locks | undefined;
  /** Opens the channel of a name. Without one nothing is ever heard. */
  openChannel(name: string, listener: (data: unknown) => void): RawChannel;
  /** Calls back after `ms`. Returns a function that prevents it. */
  after(ms: number, call: () => void): () => void;
  /** A clock in ms, for how long something took. */
  elapsed(): number;
  /** Listens to the page, where there is one, before the app does. Returns a function that ends it. */
  listen(
    type: 'visibilitychange' | 'pagehide' | 'pageshow',
    listener: (event: { persisted?: boolean }) => void,
  ): () => void;
  /** Whether the user can see the page. */
  readonly isVisible: boolean;
  /** An id that no other tab has. */
  randomId(): string;
}

/** The browser that this code runs in. Nothing of it is touched before this is called. */
export function browserPlatform(): Platform {
  return {
    locks: (globalThis.navigator as Navigator | undefined)?.locks as Locks | undefined,
    openChannel(name, listener) {
      if (typeof BroadcastChannel === 'undefined') return { post: () => {}, close: () => {} };
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<unknown>) => listener(data);
      // Node would wait for messages for ever.
      (channel as { unref?: () => void }).unref?.();
      return { post: (data) => channel.postMessage(data), close: () => channel.close() };
    },
    after(ms, call) {
      const timer = setTimeout(call, ms);
      (timer as { unref?: () => void }).unref?.();
      return () => clearTimeout(timer);
    },
    elapsed: () => performance.now(),
    listen(type, listener) {
      if (typeof addEventListener !== 'function') return () => {};
      addEventListener(type, listener as EventListener, true);
      return () => removeEventListener(type, listener as EventListener, true);
    },
    get isVisible() {
      return typeof document === 'undefined' || document.visibilityState === 'visible';
    },
    randomId,
  };
}
