/**
 * Waiting that has an end: for a storage, or for locks, that may never answer.
 */
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';

/** How long something may take, and what it is called when it takes longer. */
export interface Deadline {
  readonly platform: Platform;
  readonly ms: number;
  readonly what: string;
}

/** It did not answer in time. */
export class TimeoutError extends PersistError {
  override readonly name = 'TimeoutError';

  constructor(message: string) {
    super('timeout', message);
  }
}

/**
 * What `call` returns or resolves to. Rejects with a {@link TimeoutError} when that takes too long; the signal that `call` got
 * is aborted then. What comes at once is returned at once.
 */
export function within<T>(
  { platform, ms, what }: Deadline,
  call: (signal: AbortSignal) => T | PromiseLike<T>,
): T | Promise<T> {
  const controller = new AbortController();
  const result = call(controller.signal);
  if (!isPromise(result)) return result;
  return new Promise<T>((resolve, reject) => {
    const cancel = platform.after(ms, () => {
      const error = new TimeoutError(`${what} did not answer within ${ms} ms`);
      reject(error);
      controller.abort(error);
    });
    result.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error as Error);
      },
    );
  });
}

/** Whether a value is to be awaited. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | undefined | null)?.then === 'function';
}
