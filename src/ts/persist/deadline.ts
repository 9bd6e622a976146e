/**
 * Time limits for storage and locks, which may never answer.
 */
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';

/** A time limit, and the name of the operation for the error. */
export interface Deadline {
  readonly platform: Platform;
  readonly ms: number;
  readonly what: string;
}

/** An operation took too long. */
export class TimeoutError extends PersistError {
  override readonly name = 'TimeoutError';

  constructor(message: string) {
    super('timeout', message);
  }
}

/**
 * Returns the result of `call`, or a promise of it. Rejects with a {@link TimeoutError} after the time limit, and
 * aborts the signal that `call` got. A result that is not a promise is returned at once.
 */
export function withTimeout<T>(
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

/** Whether a value is a promise. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | undefined | null)?.then === 'function';
}
