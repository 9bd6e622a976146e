/**
 * A short storm on each database, and with `STORM` the long one of `./pkg-scripts/records`: each approved call runs
 * once, or its outcome is reported as unknown because its process died. Processes die at each point of an approval.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDatabase, type Database } from './databases.js';
import { POINTS, storm, type Route } from './storm.js';

const { STORM: report, STORM_APPROVALS: approvals = '40', STORM_SEED: seed = '1' } = process.env;
const LONG_MS = 3_600_000;

describe.each(['redis', 'postgres', 'sqlite', 'd1'] as const)('%s', (name) => {
  let database: Database;
  beforeAll(async () => void (database = await startDatabase(name)));
  afterAll(() => database?.stop());

  test.each(['record', 'once'] as Route[])(
    '%s: a call runs once, or its outcome is unknown because its process died',
    async (route) => {
      const began = Date.now();
      const counts = await storm(database, route, Number(approvals), Number(seed));
      if (report) appendFileSync(report, `${JSON.stringify({ name, route, ms: Date.now() - began, ...counts })}\n`);
      expect(counts.failures).toEqual([]);
      expect(counts.ran + counts.unknown).toBe(counts.approvals);
      expect(counts.approvals).toBeGreaterThanOrEqual(Number(approvals));
      expect(counts.ran).toBeGreaterThan(0);
      for (const point of [...POINTS, 'any'] as const) expect(counts.kills[point], point).toBeGreaterThan(0);
    },
    report ? LONG_MS : 180_000,
  );
});
