/**
 * Expiry never deletes what was renewed meanwhile. Two connections to a real Postgres: one renews expired entries and
 * has not committed yet when the other deletes what has expired, which then waits for the first.
 */
import pg from 'pg';
import { postgresStore } from 'toolgate/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startDatabase, type Database } from './databases.js';

const DAY_MS = 86_400_000;

let database: Database;
const clients: pg.Client[] = [];
beforeAll(async () => {
  database = await startDatabase('postgres');
  for (let i = 0; i < 3; i++) {
    const client = new pg.Client({ host: database.place, user: 'toolgate', database: 'postgres' });
    await client.connect();
    clients.push(client);
  }
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await database?.stop();
});

test.each(['put', 'insert'] as const)('an entry that %s renews is kept, and others are deleted', async (how) => {
  const [renewing, deleting, watching] = clients as [pg.Client, pg.Client, pg.Client];
  const [a, b] = [postgresStore(renewing), postgresStore(deleting)];
  for (const key of ['renewed', 'over']) await a.put(`${how} ${key}`, 'old', 1);
  const isExpired = async (): Promise<boolean> => (await b.get(`${how} over`)) === undefined;
  for (let round = 0; !(await isExpired()); round++) if (round > 10_000) throw new Error('it does not expire');

  await renewing.query('BEGIN');
  await a[how](`${how} renewed`, 'new', DAY_MS);
  const deleted = b.deleteExpired();
  // The row has expired for all that is committed, so deleting it waits for the other connection.
  const waits = async (): Promise<boolean> =>
    (await watching.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length > 0;
  for (let round = 0; !(await waits()); round++) if (round > 10_000) throw new Error('nothing waits');
  await renewing.query('COMMIT');

  expect(await deleted).toBe(1);
  expect(await b.get(`${how} renewed`)).toBe('new');
  const { rows } = await watching.query('SELECT key FROM toolgate_records WHERE key = $1', [`${how} over`]);
  expect(rows).toEqual([]);
});
