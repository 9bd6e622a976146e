/**
 * Waits for turns of the event loop instead of a time, with a limit.
 */

/** Waits a few turns of the event loop, in which automatic requests would be sent. */
export async function turns(count = 30): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Waits until the condition is true. It is checked at every turn of the event loop, and later every millisecond. Throws
 * after a few seconds.
 */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    if (condition()) return;
    await new Promise((resolve) => (turn < 2_000 ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  throw new Error(`this never became true: ${condition.toString()}`);
}
