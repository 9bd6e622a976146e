/** Cloudflare's chat agents, through every scenario. */
import { afterAll, beforeAll } from 'vitest';
import { cloudflare, startCloudflare } from './cloudflare.rig';
import { runScenarios } from './scenarios';

let worker: Awaited<ReturnType<typeof startCloudflare>>;
beforeAll(async () => {
  worker = await startCloudflare();
}, 60_000);
afterAll(() => worker.close());

runScenarios(cloudflare(() => worker));
