/**
 * Steps while they are made, and the arguments of calls as a recording has them.
 */
import { encode } from '../encode.js';
import type { JSONValue, PendingApproval, ResponseToAll } from '../types.js';
import type { Step } from './types.js';

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
  return Object.fromEntries(Object.entries(step).filter(([key, value]) => key === 'args' || !Array.isArray(value) || value.length > 0)) as unknown as Step;
}

/** The arguments of `respondAll`, and the list of those it picks. */
export function choosing(given: readonly unknown[]): { args: readonly unknown[]; chosen?: string[] } {
  const [response, ...rest] = given as [ResponseToAll | undefined, ...unknown[]];
  const where = response?.where;
  if (typeof where !== 'function') return { args: given };
  const chosen: string[] = [];
  const noting = (approval: PendingApproval): boolean => {
    const isChosen = Boolean(where(approval));
    if (isChosen) chosen.push(approval.approvalId);
    return isChosen;
  };
  return { args: [{ ...response, where: noting }, ...rest], chosen };
}

/** The arguments of a call as plain JSON. Throws `unserializable`. */
export function plainArgs(name: string, given: readonly unknown[]): JSONValue[] {
  return given.map((value, i) => {
    const { where: _, ...rest } = (name === 'respondAll' && typeof value === 'object' && value !== null ? value : {}) as ResponseToAll;
    return encode(name === 'respondAll' && i === 0 ? rest : value, `${name}: argument ${i + 1}`);
  });
}
