/**
 * One empty list for all: a list that becomes empty again is the same object as before.
 */

/** A frozen empty list, of any type. */
export const NONE: readonly never[] = Object.freeze([]);
