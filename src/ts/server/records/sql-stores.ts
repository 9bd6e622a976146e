/** Record stores in SQL databases: Postgres, SQLite and Cloudflare D1. Their table is `recordSchema`. */
import type { RecordStore, SqlRecordStore } from './record-store.js';

/** The app's Postgres client: a `Pool` of `pg`, or another client with this method. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The app's SQLite database: that of `node:sqlite`, `libsql`, `better-sqlite3`, or `bun:sqlite`. */
export interface SqliteDatabase {
  prepare(sql: string): { all(...values: (string | number)[]): readonly unknown[] };
}

/** A binding of Cloudflare D1. */
export interface D1Binding {
  prepare(sql: string): {
    bind(...values: unknown[]): { all(): Promise<{ readonly results: readonly unknown[] }> };
  };
}

type Value = string | number;

/** The time of the database in ms. Thus the clocks of several servers don't matter. */
const POSTGRES_NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';
const SQLITE_NOW = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

/** Stored for `ttlMs: Infinity`: about 250,000 years. Added to the present time it is still an exact integer. */
const FOREVER_MS = 8e15;

/** The number of rows that one statement deletes, so that it does not lock the table for long. */
const BATCH = 1000;

/**
 * Returns a record store in Postgres. Pass a pool, or a client that is not in a transaction: a claim that is rolled
 * back would allow a second run. Keep `synchronous_commit` on.
 */
export function postgresStore(client: PostgresClient): SqlRecordStore {
  return sqlStore(async (sql, values) => {
    let n = 0;
    const text = sql.replace(/\?/g, () => `$${++n}`);
    return (await client.query(text, values)).rows;
  }, POSTGRES_NOW);
}

/**
 * Returns a record store in a SQLite file, which several processes of one machine can share. Set `journal_mode = WAL`,
 * `synchronous = FULL`, and a busy timeout. Without `FULL` a power failure may lose the last claims; it is not the
 * default of `better-sqlite3` in WAL mode.
 */
export function sqliteStore(database: SqliteDatabase): SqlRecordStore {
  return sqlStore(async (sql, values) => database.prepare(sql).all(...values), SQLITE_NOW);
}

/** Returns a record store in a database of Cloudflare D1. */
export function d1Store(database: D1Binding): SqlRecordStore {
  return sqlStore(
    async (sql, values) =>
      (
        await database
          .prepare(sql)
          .bind(...values)
          .all()
      ).results,
    SQLITE_NOW,
  );
}

/** `now`: the SQL expression of the database's time. All statements return rows, because some clients require it. */
function sqlStore(rowsOf: (sql: string, values: Value[]) => Promise<readonly unknown[]>, now: string): SqlRecordStore {
  const upsert = `INSERT INTO toolgate_records (key, value, expires_at) VALUES (?, ?, ${now} + ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
  const values = (key: string, value: string, ttlMs: number): Value[] => [
    key,
    value,
    Math.min(Math.ceil(ttlMs), FOREVER_MS),
  ];
  const isExpired = `toolgate_records.expires_at <= ${now}`;
  const store: RecordStore = {
    insert: async (...given) =>
      (await rowsOf(`${upsert} WHERE ${isExpired} RETURNING key`, values(...given))).length > 0,
    put: async (...given) => void (await rowsOf(`${upsert} RETURNING key`, values(...given))),
    get: async (key) => {
      const sql = `SELECT value FROM toolgate_records WHERE key = ? AND expires_at > ${now}`;
      const [row] = (await rowsOf(sql, [key])) as { value: string }[];
      return row?.value;
    },
  };
  return {
    ...store,
    deleteExpired: async () => {
      // The second condition keeps a row that was stored again since it was found.
      const expired = `SELECT key FROM toolgate_records WHERE ${isExpired} LIMIT ${BATCH}`;
      let deleted = 0;
      for (let count = BATCH; count > 0; deleted += count) {
        const sql = `DELETE FROM toolgate_records WHERE key IN (${expired}) AND ${isExpired} RETURNING key`;
        count = (await rowsOf(sql, [])).length;
      }
      return deleted;
    },
  };
}
