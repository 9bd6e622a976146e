/** Errors of an app that are reported as uncaught, in Node.js. */

/** Runs a function and returns the uncaught errors that it causes: those of the app, after which the gate continues. */
export async function uncaughtIn(act: () => unknown): Promise<unknown[]> {
  const errors: unknown[] = [];
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => errors.push(error));
  try {
    await act();
    await new Promise((resolve) => setTimeout(resolve));
  } finally {
    process.removeAllListeners('uncaughtException');
    before.forEach((listener) => process.on('uncaughtException', listener));
  }
  return errors;
}
