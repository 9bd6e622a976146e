/** A record store in Redis, for the clients `redis` and `ioredis`. */
import type { RecordStore } from './record-store.js';

/** The app's connected Redis client: that of `redis` (`sendCommand`), or that of `ioredis` (`call`). */
export type RedisClient =
  { sendCommand(args: string[]): Promise<unknown> } | { call(command: string, ...args: string[]): Promise<unknown> };

/**
 * Returns a record store in Redis, or in Valkey. Its keys begin with `toolgate:` and expire by themselves.
 *
 * Redis must not lose a key before it expires, or a call may run twice: set `maxmemory-policy noeviction`, and
 * `appendonly yes` with `appendfsync always`. Without `always`, a crash of Redis loses the last second.
 */
export function redisStore(client: RedisClient): RecordStore {
  const send = (command: string, key: string, ...args: string[]): Promise<unknown> => {
    const rest = [`toolgate:${key}`, ...args];
    return 'call' in client ? client.call(command, ...rest) : client.sendCommand([command, ...rest]);
  };
  const set = (key: string, value: string, ttlMs: number, ...flags: string[]): Promise<unknown> => {
    const expiry = ttlMs === Infinity ? [] : ['PX', String(Math.ceil(ttlMs))];
    return send('SET', key, value, ...expiry, ...flags);
  };
  return {
    insert: async (key, value, ttlMs) => String(await set(key, value, ttlMs, 'NX')) === 'OK',
    put: async (key, value, ttlMs) => void (await set(key, value, ttlMs)),
    get: async (key) => {
      const value = await send('GET', key);
      return value === null || value === undefined ? undefined : String(value);
    },
  };
}
