/**
 * Google's ADK in every scenario: with streamed and complete replies, with the model's own ids, and as a resumable app.
 */
import { afterAll, beforeAll } from 'vitest';
import { adk } from './adk.rig';
import { startPython, type PythonServer } from './python';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';

let server: PythonServer;
beforeAll(async () => {
  server = await startPython('adk');
}, 90_000);
afterAll(() => server.close());

runScenarios(adk('streamed', () => server));
runScenarios(adk('whole replies', () => server, { streams: false }));
runScenarios(adk('ids of the model', () => server, { ids: true }));
runScenarios(adk('resumable', () => server, { resumable: true }));
runInterruptions(adk('streamed', () => server));
runInterruptions(adk('resumable', () => server, { resumable: true }));
