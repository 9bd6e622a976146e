/** The keys of a record store, and the checks that `StoredRecord` and `respondOnce` share. */
import type { RecordStore } from './record-store.js';
import { digestOf } from '../resolve/signature.js';

/** One day in ms. */
export const DAY_MS = 86_400_000;

/**
 * Returns the key of an entry. The texts are hashed, because ids come from clients: they may be long, or contain
 * characters that a database rejects, or does not distinguish.
 */
export function storeKey(
  kind: 'request' | 'call' | 'once' | 'reply' | 'lease',
  texts: readonly string[],
): Promise<string> {
  return digestOf(['toolgate-record-v2', kind, ...texts]);
}

/** Stores `id` under a key that has no value. Returns whether this claim stored it. */
export async function claimKey(store: RecordStore, key: string, id: string, ttlMs: number): Promise<boolean> {
  // A client that lost its connection may send the command again (ioredis does). The second command then finds this
  // id.
  return (await store.insert(key, id, ttlMs)) || (await store.get(key)) === id;
}

/**
 * Returns the names in this order. Throws a `TypeError` for a missing or empty one, because it would let different
 * chats or requests share a key.
 */
export function checkNames<NAME extends string>(
  where: string,
  given: Readonly<Record<NAME, string>>,
  names: readonly NAME[],
): readonly string[] {
  return names.map((name) => {
    const value: unknown = (given as Partial<Record<NAME, string>> | undefined)?.[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new TypeError(`${where}: invalid \`${name}\`. Expected a non-empty string.`);
  });
}
