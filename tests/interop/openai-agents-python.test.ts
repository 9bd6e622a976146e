/**
 * The OpenAI Agents SDK in Python in every scenario, and interrupted in every way.
 */
import { afterAll, beforeAll } from 'vitest';
import { runInterruptions } from './interruptions';
import { openaiAgentsPython } from './openai-agents-python.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';

let server: PythonServer | undefined;
beforeAll(async () => {
  server = await startPython('openai_agents_server');
}, 60_000);
afterAll(() => server?.close());

runScenarios(openaiAgentsPython(() => server as PythonServer));
runInterruptions(openaiAgentsPython(() => server as PythonServer));
