/**
 * Time limits for storage and locks, which may never answer.
 */
import { PersistError } from '../persist-error.js';
import type { Platform } from './platform.js';

/** A time limit, and the name of the operation for the error. */
interface Deadline {
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
 * Resolves with the result of `call`. Rejects with a {@link TimeoutError} after the time limit, and aborts the signal
 * that `call` got.
 */
export async function withTimeout<T>(
  { platform, ms, what }: Deadline,
  call: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const controller = new AbortController();
  let cancel!: () => void;
  const late = new Promise<never>((_, reject) => {
    cancel = platform.after(ms, () => {
      const error = new TimeoutError(`${what} did not answer within ${ms} ms`);
      reject(error);
      controller.abort(error);
    });
  });
  try {
    return await Promise.race([call(controller.signal), late]);
  } finally {
    cancel();
  }
}
