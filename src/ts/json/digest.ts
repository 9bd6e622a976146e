/**
 * The digest that binds a decision to the input that was shown: equal inputs have equal digests, different inputs have
 * different ones.
 *
 * The digest is the hex SHA-256 of the UTF-8 of the canonical JSON (encode.ts). It is synchronous, because `respond`
 * is, and it is the same in every tab and after a restore. The core only compares digests; this file computes them.
 */
import { canonical } from './encode.js';
import { isFixed } from './freeze.js';
import { hexDigest } from './sha256.js';

export { canonical };

const known = new WeakMap<object, string>();

/**
 * Returns the digest of a value: 64 hex digits. The digest of a frozen input is computed once and cached. Throws
 * `unserializable` for values without a canonical form. Lone surrogates are escaped, so they stay distinct.
 */
export function digest(value: unknown): string {
  // Only a frozen object's digest is cached, because other objects can still change.
  const object = typeof value === 'object' && value !== null && isFixed(value) ? value : undefined;
  let result = object && known.get(object);
  if (result === undefined) {
    result = hexDigest(canonical(value));
    if (object) known.set(object, result);
  }
  return result;
}

/** Returns the digest of a value, or an empty string for values without one: showing a request must never throw. */
export function digestOf(value: unknown): string {
  try {
    return digest(value);
  } catch {
    return '';
  }
}
