/**
 * Steps while they are made, and the arguments of calls as a recording has them.
 */
import { encode } from '../json/encode.js';
import type { JSONValue } from '../types/index.js';
import type { Step } from './recording.js';

/** A step that is not over. */
export type Draft = { -readonly [K in keyof Step]: Step[K] } & {
  events: JSONValue[];
  taken: JSONValue[];
  ids: string[];
  asked: boolean[];
  rewrites: (string | number | null)[];
};

/** A step that begins. */
export function draft(at: number, call: string, args: JSONValue[], isInside = false): Draft {
  return { at, call, args, ...(isInside && { inside: true }), events: [], taken: [], ids: [], asked: [], rewrites: [] };
}

/** A step without what is empty. */
export function trimmed(step: Draft): Step {
  return Object.fromEntries(
    Object.entries(step).filter(([key, value]) => key === 'args' || !Array.isArray(value) || value.length > 0),
  ) as unknown as Step;
}

/** The arguments of a command as plain JSON, without what was left out at the end. Throws `unserializable`. */
export function plainArgs(name: string, given: readonly unknown[]): JSONValue[] {
  const args = given.slice(0, given.findLastIndex((value) => value !== undefined) + 1);
  return args.map((value, i) => encode(value, `${name}: argument ${i + 1}`));
}
