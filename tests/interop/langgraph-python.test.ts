/**
 * LangGraph in Python in every scenario, in both modes of its middleware.
 */
import { afterAll, beforeAll } from 'vitest';
import { langgraphPython } from './langgraph-python.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';

let server: PythonServer | undefined;
beforeAll(async () => {
  server = await startPython('langgraph_server');
}, 60_000);
afterAll(() => server?.close());

runScenarios(langgraphPython('batched', () => server as PythonServer));
runScenarios(langgraphPython('per_call', () => server as PythonServer));
