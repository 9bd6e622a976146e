/** `RecordStore`: what a database must do for `StoredRecord` and `respondOnce`; and the table of SQL databases. */

/**
 * A place for records that several processes share and that survives them: `redisStore`, `postgresStore`,
 * `sqliteStore`, `d1Store`, or your own. Keys have 43 letters, digits, `-` and `_`. A value expires `ttlMs` after it
 * was stored (`Infinity`: never). `get` does not return expired values, and `insert` replaces them.
 */
export interface RecordStore {
  /**
   * Stores a value under a key that has none. Returns `true` if this call stored it, and `false` if the key has a
   * value. Must be atomic: of several calls with one key, also in different processes, only one returns `true`.
   */
  insert(key: string, value: string, ttlMs: number): Promise<boolean>;
  /** Stores a value under a key, and replaces an earlier value. */
  put(key: string, value: string, ttlMs: number): Promise<void>;
  /** Returns the value of a key, or undefined. Must see every value that an earlier call in any process has stored. */
  get(key: string): Promise<string | undefined>;
}

/** A {@link RecordStore} in the table of {@link recordSchema}. */
export interface SqlRecordStore extends RecordStore {
  /** Deletes expired rows, and returns their number. Call it regularly in one process, for example once an hour. */
  deleteExpired(): Promise<number>;
}

/**
 * The table of `postgresStore`, `sqliteStore` and `d1Store`: two SQL statements that do nothing if it exists.
 * `expires_at` is in ms since 1970.
 */
export const recordSchema: string = `CREATE TABLE IF NOT EXISTS toolgate_records (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS toolgate_records_expires_at ON toolgate_records (expires_at);
`;
