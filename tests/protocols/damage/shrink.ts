/** Shrinks a failing input: removes acts as long as it still fails. */
import type { Act, Recording } from '../../interop/recorder';
import { Broken, playTwice } from './play';

/** The maximum number of attempts. */
const TRIES = 2_000;

function failureOf(recording: Recording, acts: readonly Act[]): string | undefined {
  try {
    playTwice(recording, acts);
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
}

/** Returns the smallest failing input as JSON, and its failure. */
export function shrunk(recording: Recording, given: readonly Act[]): string {
  let acts = [...given];
  let tries = TRIES;
  for (let size = Math.ceil(acts.length / 2); size > 0; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let from = acts.length - size; from > -size && tries > 0; from -= size, tries--) {
      const fewer = acts.toSpliced(Math.max(0, from), from < 0 ? size + from : size);
      if (failureOf(recording, fewer) !== undefined) acts = fewer;
    }
  }
  const { protocol, options } = recording;
  return `${failureOf(recording, acts) ?? ''}\nby ${JSON.stringify({ protocol, options, acts })}`;
}
