/**
 * The one empty list: a value that is empty again is the same object as before.
 */

/** A frozen empty list, of any type. */
export const NONE: readonly never[] = Object.freeze([]);
