/**
 * Ids in the alphabet and length that a provider takes.
 */
import { digest } from '../digest.js';

/** The id itself where a provider takes it, else one made from it: the same one every time. */
export function shortId(id: string, max = 64): string {
  return id && id.length <= max && !/[^\w-]/.test(id) ? id : `tg_${digest(id).slice(0, 32)}`;
}
