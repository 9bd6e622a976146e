/** Makes call ids that fit a provider's alphabet and length, and makes repeated ids unique. */
import { digest } from '../../json/digest.js';

/** Returns the id if the provider accepts it, otherwise an id derived from it, always the same one. */
export function shortId(id: string, max = 64): string {
  return id && id.length <= max && !/[^\w-]/.test(id) ? id : `tg_${digest(id).slice(0, 32)}`;
}

/**
 * Returns the id, or the first id derived from it that is not in `used`, and adds it to `used`. Returns values that are
 * not strings unchanged.
 */
export function unusedId(id: string, used: Set<string>): string {
  let free = id;
  for (let count = 2; used.has(free); count++) free = `${id}_${count}`;
  if (typeof id === 'string') used.add(free);
  return free;
}
