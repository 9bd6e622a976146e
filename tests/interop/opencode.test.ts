/** opencode's server in every scenario. */
import { afterAll, beforeAll, vi } from 'vitest';
import { opencode, startOpencode } from './opencode.rig';
import { runScenarios } from './scenarios';

// Each of opencode's turns takes a second or two.
vi.setConfig({ testTimeout: 30_000 });

let server: Awaited<ReturnType<typeof startOpencode>>;
beforeAll(async () => {
  server = await startOpencode();
}, 60_000);
afterAll(() => server.close());

runScenarios(opencode(() => server));
