/**
 * Pydantic AI behind a gate, by both of its adapters.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { pydanticRig } from './pydantic-ai.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';
import '../codecs/support';

let server: PythonServer;
beforeAll(async () => {
  server = await startPython('pydantic_server');
}, 90_000);
afterAll(() => server?.close());

describe('the adapter for the AI SDK', () => runScenarios(pydanticRig('vercel', () => server)));
describe('the adapter for AG-UI', () => runScenarios(pydanticRig('ag-ui', () => server)));
