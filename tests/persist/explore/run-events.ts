/** Runs chosen events of a world, in the order of their queues. */
import type { World } from './world.js';

/**
 * Runs the pending events of the queues whose names match, and then up to this many of their timers, each with what
 * follows from it.
 */
export async function runEvents(world: World, which: RegExp, timers = 0): Promise<void> {
  for (let events = 0; events < 1_000; events++) {
    const names = world.enabled.filter((name) => which.test(name));
    let name = names.find((each) => world.due(each) === undefined);
    if (name === undefined && timers-- > 0) [name] = names.sort((a, b) => world.due(a)! - world.due(b)!);
    if (name === undefined) return;
    await world.happen(name);
  }
  throw new Error('the events of the browser do not end');
}
