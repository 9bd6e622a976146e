/** Time limits for storage and locks, which may never answer. */
import { PersistError } from '../persist-error.js';
import type { Platform } from './platform.js';

/** A time limit, and the name of the operation for the error. */
interface Deadline {
  readonly platform: Platform;
  readonly ms: number;
  readonly what: string;
}

/**
 * Resolves with the result of `call`. Rejects with `timeout` after the time limit, and aborts the signal that `call`
 * got.
 */
export async function withTimeout<T>(
  { platform, ms, what }: Deadline,
  call: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = deferred<never>();
  const cancel = platform.after(ms, () => {
    const error = new PersistError('timeout', `${what} did not answer within ${ms} ms`);
    late.reject(error);
    controller.abort(error);
  });
  try {
    return await Promise.race([call(controller.signal), late.promise]);
  } finally {
    cancel();
  }
}

/** A promise, with the functions that settle it. */
export interface Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a promise that the caller settles. */
export function deferred<T = void>(): Deferred<T> {
  let [resolve, reject]: [Deferred<T>['resolve'], Deferred<T>['reject']] = [() => {}, () => {}];
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
