/** Errors of functions of the app that must not end the work that called them. */

/** Calls a function of the app. An error that it throws is reported as an uncaught error. */
export function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportUncaught(error);
  }
}

/** Reports an error of the app as an uncaught error. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
