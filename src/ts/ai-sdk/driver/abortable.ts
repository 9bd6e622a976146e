/** Awaits a promise until an abort signal fires, even if the other side ignores the signal. */

/** The error of an aborted wait. */
export class AbortedError extends Error {
  override readonly name = 'AbortError';
}

/**
 * Resolves with the value of the promise; rejects with {@link AbortedError} as soon as the signal is aborted. Passes a
 * later value to `late`, and ignores a later rejection.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal, late?: (value: T) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(new AbortedError('stopped'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        if (signal.aborted) late?.(value);
        else resolve(value);
      },
      (error) => {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      },
    );
  });
}
