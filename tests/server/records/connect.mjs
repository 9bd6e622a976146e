/** Connects to a database of the record tests with the client that an app would use. */
import { join } from 'node:path';

/**
 * @typedef {'redis' | 'ioredis' | 'postgres' | 'sqlite' | 'd1'} DatabaseName
 *
 * @typedef {object} Connected
 * @property {import('toolgate/server').RecordStore & { deleteExpired?: () => Promise<number> }} store
 * @property {() => Promise<unknown>} createTable makes the table of an SQL database
 * @property {() => Promise<unknown>} close
 */

/** The package under test: the build, or that of a mutation. */
const dist = process.env.TOOLGATE_DIST ?? join(import.meta.dirname, '../../../pkg/dist');
const { d1Store, postgresStore, recordSchema, redisStore, sqliteStore } = await import(join(dist, 'server/index.js'));

/** Cloudflare's runtime, by the folder of its data. @type {Record<string, { workers: any, users: number }>} */
const runtimes = {};

async function startWorkers(place) {
  const { Miniflare } = await import('miniflare');
  const script = 'export default { fetch: () => new Response() }';
  return { workers: new Miniflare({ modules: true, script, d1Databases: ['DB'], d1Persist: place }), users: 0 };
}

const connections = {
  redis: async (place) => {
    const { createClient } = await import('redis');
    const client = createClient({ socket: { path: place, reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return { store: redisStore(client), createTable: async () => {}, close: () => client.close() };
  },
  ioredis: async (place) => {
    const { Redis } = await import('ioredis');
    const client = new Redis({ path: place, lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    await client.connect();
    return { store: redisStore(client), createTable: async () => {}, close: async () => void (await client.quit()) };
  },
  postgres: async (place) => {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ host: place, user: 'toolgate', database: 'postgres', max: 4 });
    pool.on('error', () => {});
    await pool.query('SELECT 1');
    return { store: postgresStore(pool), createTable: () => pool.query(recordSchema), close: () => pool.end() };
  },
  sqlite: async (place) => {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(place);
    database.pragma('journal_mode = WAL');
    return {
      store: sqliteStore(database),
      createTable: async () => void database.exec(recordSchema),
      close: async () => void database.close(),
    };
  },
  d1: async (place) => {
    // D1 has one primary database, so all connections share the runtime.
    const runtime = (runtimes[place] ??= await startWorkers(place));
    runtime.users++;
    const database = await runtime.workers.getD1Database('DB');
    // `exec` of D1 takes one statement in each line.
    const statements = recordSchema.split(';').filter((text) => text.trim() !== '');
    const createTable = () => database.batch(statements.map((text) => database.prepare(text)));
    const close = async () => {
      if (--runtime.users > 0) return;
      delete runtimes[place];
      await runtime.workers.dispose();
    };
    return { store: d1Store(database), createTable, close };
  },
};

/**
 * Resolves to a store, and to functions that make the table and close the connection.
 *
 * @param {DatabaseName} name
 * @param {string} place a socket, or a folder with one, or a file
 * @returns {Promise<Connected>}
 */
export const connectTo = (name, place) => connections[name](place);
