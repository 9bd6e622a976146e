/** Connects to a database of the record tests with the client that an app would use. */
import { join } from 'node:path';

/**
 * @typedef {'redis' | 'ioredis' | 'postgres' | 'sqlite' | 'd1' | 'd1-binding'} DatabaseName
 *
 * @typedef {object} Connected
 * @property {import('toolgate/server').RecordStore & { deleteExpired?: () => Promise<number> }} store
 * @property {() => Promise<unknown>} createTable makes the table of an SQL database
 * @property {() => Promise<unknown>} close
 */

/** The package under test: the build, or that of a mutation. */
const dist = process.env.TOOLGATE_DIST ?? join(import.meta.dirname, '../../../pkg/dist');
const { d1Store, postgresStore, recordSchema, redisStore, sqliteStore } = await import(join(dist, 'server/index.js'));

/** The bindings of the D1s that this process has started, by the address of their runtime. */
const runtimes = new Map();

/** A worker that lets all processes use its D1. */
const WORKER = `export default {
  async fetch(request, { DB }) {
    const { sql, values } = await request.json();
    return Response.json(await DB.prepare(sql).bind(...values).all());
  },
}`;

/**
 * Starts Cloudflare's runtime with a D1 in this folder. Resolves to its address, and to a function that stops it.
 *
 * @param {string} folder
 */
export async function startWorkers(folder) {
  const { Miniflare } = await import('miniflare');
  const workers = new Miniflare({ modules: true, script: WORKER, d1Databases: ['DB'], d1Persist: folder });
  const { href } = await workers.ready;
  runtimes.set(href, await workers.getD1Database('DB'));
  return { place: href, stop: () => workers.dispose() };
}

/** A D1 that is used through its worker, which is faster than miniflare's binding. */
const bindingAt = (address) => ({
  prepare: (sql) => ({
    bind: (...values) => ({
      async all() {
        const send = () => fetch(address, { method: 'POST', body: JSON.stringify({ sql, values }) });
        // The runtime closes connections that are idle, perhaps when a statement is just being sent. Clients send it
        // again then, as ioredis does.
        const response = await send().catch(send);
        if (!response.ok) throw new Error(await response.text());
        return response.json();
      },
    }),
  }),
});

async function connectD1(database) {
  const statements = recordSchema.split(';').filter((text) => text.trim() !== '');
  const createTable = async () => {
    for (const text of statements) await database.prepare(text).bind().all();
  };
  return { store: d1Store(database), createTable, close: async () => {} };
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
  d1: async (place) => connectD1(bindingAt(place)),
  'd1-binding': async (place) => connectD1(runtimes.get(place)),
};

/**
 * Resolves to a store, and to functions that make the table and close the connection.
 *
 * @param {DatabaseName} name
 * @param {string} place a socket, or a folder with one, or a file, or an address
 * @returns {Promise<Connected>}
 */
export const connectTo = (name, place) => connections[name](place);
