/**
 * What binds a decision to the input that was shown: a digest that is the same for equal inputs and for no others.
 *
 * SHA-256 over the UTF-8 of the canonical JSON (encode.ts), in hex: synchronous, because `respond` is, and the same in
 * every tab and after a restore. The machine only compares digests; this file makes them.
 */
import { canonical } from './encode.js';
import { isFixed } from './freeze.js';
import { sha256 } from './sha256.js';

export { canonical };

const known = new WeakMap<object, string>();

/**
 * The digest of a value: 64 hex digits. Computed once for an input that a gate has shown, and so frozen. Throws
 * `unserializable` for what has no canonical form. Lone surrogates are escaped in the text, so they stay distinct.
 */
export function digest(value: unknown): string {
  // Of what may still change, a digest says nothing later.
  const object = typeof value === 'object' && value !== null && isFixed(value) ? value : undefined;
  let result = object && known.get(object);
  if (result === undefined) {
    result = sha256(new TextEncoder().encode(canonical(value)));
    if (object) known.set(object, result);
  }
  return result;
}

/** The digest of a value, or an empty text for one that has none: showing a request must never throw. */
export function digestOf(value: unknown): string {
  try {
    return digest(value);
  } catch {
    return '';
  }
}
