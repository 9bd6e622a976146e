/** Fields of a vendor that have no place in the gate's messages: they are kept beside a part, and sent back with it. */
import type { Fields } from './lane.js';

/** The fields without those that say nothing: missing ones, `null` and empty lists; undefined if none are left. */
export function present(fields: Fields): Fields | undefined {
  const left = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return left.length ? Object.fromEntries(left) : undefined;
}
