/**
 * Ids in the alphabet and length that a provider takes.
 */
import { digest } from '../digest.js';
import type { Context } from './codec.js';

/** The id itself where the provider takes it, else one made from it: the same one every time. */
export function idFor(id: string, max: number, context: Context): string {
  if (id && id.length <= max && !/[^\w-]/.test(id)) return id;
  context.lose('id', id);
  return `tg_${digest(id).slice(0, 32)}`;
}
