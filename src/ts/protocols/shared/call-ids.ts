/**
 * Ids in the alphabet and length that a provider takes, and ids that tell calls apart.
 */
import { digest } from '../../json/digest.js';

/** The id itself where a provider takes it, else one made from it: the same one every time. */
export function shortId(id: string, max = 64): string {
  return id && id.length <= max && !/[^\w-]/.test(id) ? id : `tg_${digest(id).slice(0, 32)}`;
}

/** The id, or the first one made from it that is not used yet. It is used from now on. What is no text stays as it is. */
export function unusedId(id: string, used: Set<string>): string {
  let free = id;
  for (let count = 2; used.has(free); count++) free = `${id}_${count}`;
  if (typeof id === 'string') used.add(free);
  return free;
}
