/**
 * Waiting without a clock: by turns of the event loop, each loop bounded.
 */

/** Waits a few turns of the event loop: enough for whatever leaves by itself. */
export async function turns(count = 30): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the condition holds: as closely as the event loop allows at first, then a few seconds at most. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    if (condition()) return;
    await new Promise((resolve) => (turn < 2_000 ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  throw new Error(`this never became true: ${condition.toString()}`);
}
