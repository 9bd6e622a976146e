/** Errors that no caller gets: the app's `onError` does, and by default the server's log. */
import { ResolveError } from './resolve/resolve-errors.js';

/** Writes an error to the console. Refusals are one line each, because anybody can cause them. */
export function logError(error: unknown): void {
  const isRefusal = error instanceof ResolveError && error.cause === undefined;
  console.error('toolgate:', isRefusal ? `${error.code}: ${error.message}` : error);
}

/** Returns a function that calls `onError` and never throws. */
export const reporter =
  <ERROR>(onError: (error: ERROR) => void = logError) =>
  (error: ERROR): undefined => {
    try {
      onError(error);
    } catch (thrown) {
      logError(thrown);
    }
  };
