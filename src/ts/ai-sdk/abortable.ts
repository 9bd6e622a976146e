/** Waiting that ends with an abort signal, also where the other side ignores the signal. */

/** Why the waiting ended. */
export class AbortedError extends Error {
  override readonly name = 'AbortError';
}

/**
 * What the promise resolves to; rejects with {@link AbortedError} as soon as the signal is aborted. A value that comes
 * after that goes to `late`, a late rejection nowhere.
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
