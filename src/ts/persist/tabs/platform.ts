/**
 * The browser features that a persister uses, in one place, and promises that end in time. Tests simulate a browser
 * with several tabs, and control its clock, locks and messages.
 */
import { randomId } from '../../json/random-id.js';
import { say } from '../../types/say.js';
import { PersistError } from '../persist-error.js';

/** The part of Web Locks that is used. */
export interface Locks {
  request(name: string, options: LockOptions, callback: (lock: unknown) => unknown): Promise<unknown>;
  query(): Promise<{
    held?: readonly { name?: string | undefined; clientId?: string | undefined }[];
    pending?: readonly { name?: string | undefined }[];
  }>;
}

/** A channel between tabs, for plain data. */
export interface RawChannel {
  post(data: unknown): void;
  close(): void;
}

/** A browser, as one tab sees it. */
export interface Platform {
  /** Absent if the browser has no locks, or if the page may not use them. */
  readonly locks: Locks | undefined;
  /** Opens the channel of a name. Without BroadcastChannel it never receives anything. */
  openChannel(name: string, listener: (data: unknown) => void): RawChannel;
  /** Calls back after `ms`. Returns a function that cancels this. */
  after(ms: number, call: () => void): () => void;
  /** A clock in ms, for durations. */
  elapsed(): number;
  /** The time in ms since 1970. */
  now(): number;
  /** Listens to an event of the page, if there is one, before the app does. Returns an unsubscribe function. */
  listen(
    type: 'visibilitychange' | 'pagehide' | 'pageshow',
    listener: (event: { persisted?: boolean }) => void,
  ): () => void;
  /** Whether the page is visible. */
  readonly isVisible: boolean;
  /** Generates an id that no other tab has. */
  randomId(): string;
}

/** The browser that this code runs in. Nothing of it is used before this is called. */
export function browserPlatform(): Platform {
  return {
    locks: (globalThis.navigator as Navigator | undefined)?.locks as Locks | undefined,
    openChannel(name, listener) {
      if (!globalThis.BroadcastChannel) return { post: () => {}, close: () => {} };
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<unknown>) => listener(data);
      // Otherwise the channel would keep Node running.
      (channel as { unref?: () => void }).unref?.();
      return { post: (data) => channel.postMessage(data), close: () => channel.close() };
    },
    after(ms, call) {
      const timer = setTimeout(call, ms);
      (timer as { unref?: () => void }).unref?.();
      return () => clearTimeout(timer);
    },
    elapsed: () => performance.now(),
    now: () => Date.now(),
    listen(type, listener) {
      globalThis.addEventListener?.(type, listener as EventListener, true);
      return () => globalThis.removeEventListener?.(type, listener as EventListener, true);
    },
    get isVisible() {
      return globalThis.document?.visibilityState !== 'hidden';
    },
    randomId,
  };
}

/**
 * Resolves with the result of `call`. Rejects with `timeout` after the time limit, and aborts the signal that `call`
 * got. `what`: the name of the operation for the error.
 */
export async function withTimeout<T>(
  { platform, ms, what }: { readonly platform: Platform; readonly ms: number; readonly what: string },
  call: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = new Deferred<never>();
  const cancel = platform.after(ms, () => {
    const error = new PersistError('timeout', say`${what} did not answer within ${ms} ms`);
    late.reject(error);
    controller.abort(error);
  });
  try {
    return await Promise.race([call(controller.signal), late.promise]);
  } finally {
    cancel();
  }
}

/** A promise that the caller settles. */
export class Deferred<T = void> {
  resolve!: (value: T) => void;
  reject!: (error: unknown) => void;
  readonly promise = new Promise<T>((resolve, reject) => Object.assign(this, { resolve, reject }));
}
