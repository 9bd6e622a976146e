/**
 * The public ids of outgoing items and remembered decisions, which the core knows as numbers.
 */

/** The prefix of an outgoing item's id. */
export const OUTGOING = 'out-';

/** The prefix of a remembered decision's id. */
export const REMEMBERED = 'mem-';

/** A number that no item has, which the core refuses. 0 is not suitable: it means an item that was forgotten. */
const NO_ITEM = 0xffff_ffff;

/** The core's number in an id; undefined for an invalid id. Numbers of ten or more digits are invalid. */
export function numberIn(prefix: string, id: string): number | undefined {
  const digits = id.startsWith(prefix) ? /^[1-9]\d{0,8}$/.exec(id.slice(prefix.length)) : null;
  return digits ? Number(digits[0]) : undefined;
}

/** The core's number of an outgoing item; for an invalid id, a number that no item has. */
export const itemNumber = (id: string): number => numberIn(OUTGOING, id) ?? NO_ITEM;
