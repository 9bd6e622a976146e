/** What the values of several options of `toolgate/server` must be. */
import type { Check } from '../types/option-checks.js';

/** A positive integer. */
export const aCount: Check = (value) =>
  Number.isInteger(value) && (value as number) > 0 ? undefined : 'a positive integer';

/** The maximum delay of a timer, in ms. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/** A number of ms. */
export const aDuration: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'a positive number of ms, or Infinity';

/** True or false. */
export const aBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');

/** Any value. */
export const anything: Check = () => undefined;
