/** Steps in progress, and the arguments of commands as stored in a recording. */
import { encode } from '../json/encode.js';
import type { JSONValue } from '../types/index.js';
import type { Step } from './recording.js';

/** A step in progress. */
export type Draft = { -readonly [K in keyof Step]: Step[K] } & {
  events: JSONValue[];
  taken: JSONValue[];
  ids: string[];
  asked: boolean[];
  rewrites: (string | number | null)[];
};

/** Starts a step. */
export function draft(at: number, call: string, args: JSONValue[], isInside = false): Draft {
  return { at, call, args, ...(isInside && { inside: true }), events: [], taken: [], ids: [], asked: [], rewrites: [] };
}

/** Returns the step without empty lists. */
export function trimmed(step: Draft): Step {
  return Object.fromEntries(
    Object.entries(step).filter(([key, value]) => key === 'args' || !Array.isArray(value) || value.length > 0),
  ) as unknown as Step;
}

/** Returns the arguments of a command as plain JSON, without trailing undefined ones. Throws `unserializable`. */
export function plainArgs(name: string, given: readonly unknown[]): JSONValue[] {
  const args = given.slice(0, given.findLastIndex((value) => value !== undefined) + 1);
  return args.map((value, i) => encode(value, `${name}: argument ${i + 1}`));
}
