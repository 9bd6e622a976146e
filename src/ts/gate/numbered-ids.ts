/**
 * Ids that the core's numbers have outside: those of outgoing items and of remembered decisions.
 */

/** What an outgoing item's id begins with. */
export const OUTGOING = 'out-';

/** What the id of a remembered decision begins with. */
export const REMEMBERED = 'mem-';

/** The number of no item, for the core to refuse. 0 is none: it stands for items that are long forgotten. */
export const NO_ITEM = 0xffff_ffff;

/** The core's number in an id; undefined for a text that is no such id. Numbers of ten digits and more are none. */
export function numberIn(prefix: string, id: string): number | undefined {
  const digits = id.startsWith(prefix) ? /^[1-9]\d{0,8}$/.exec(id.slice(prefix.length)) : null;
  return digits ? Number(digits[0]) : undefined;
}
