/**
 * Runs before each of the AI SDK's test files: the core is loaded, as after `await init()` in an app, and snapshots
 * omit fields with the value `undefined`.
 */
import { expect } from 'vitest';

import { initFromFile } from '../../ai-sdk/support/init';

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

expect.addSnapshotSerializer({
  test: (value: unknown) => isPlain(value) && Object.values(value).includes(undefined),
  serialize: (value: object, config, indentation, depth, refs, printer) => {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    return printer(Object.fromEntries(entries), config, indentation, depth, refs);
  },
});

await initFromFile();
