/**
 * The AG-UI servers of vendors with a gate, each with `agUiFor`. Pydantic AI is in pydantic-ai.test.ts.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { agUiFor, type AgUiServer } from 'toolgate/protocols/ag-ui';
import { openVendor, type Vendor } from './ag-ui-servers.rig';
import { startPython, type PythonServer } from './python';
import type { Rig } from './rig';
import { runScenarios } from './scenarios';

const vendor = (environment: AgUiServer, script: string, more?: Partial<Vendor>): Vendor => ({
  environment,
  script,
  protocol: agUiFor(environment),
  ...more,
});

/** Each rig without its function, and its server. */
const RIGS: readonly (Omit<Rig, 'open' | 'protocol'> & { readonly vendor: Vendor })[] = [
  { name: 'Microsoft Agent Framework', vendor: vendor('microsoft', 'microsoft') },
  { name: 'AWS Strands', vendor: vendor('strands', 'strands_agents') },
  { name: 'Agno', vendor: vendor('agno', 'agno_os', { path: '/agui' }) },
  { name: 'LangGraph, interrupts of tools', vendor: vendor('langgraph', 'langgraph_agents') },
  {
    name: 'LangGraph, human-in-the-loop middleware',
    vendor: vendor('langgraph', 'langgraph_agents', { options: { middleware: true } }),
  },
  { name: 'ADK', vendor: vendor('adk', 'adk') },
];

describe.each(RIGS)('$name', ({ vendor, ...rig }) => {
  let server: PythonServer;
  beforeAll(async () => {
    server = await startPython(`ag_ui/${vendor.script}`, [], vendor.environment);
  }, 90_000);
  afterAll(() => server?.close());
  runScenarios({ ...rig, protocol: 'ag-ui', open: (replies, options) => openVendor(server, vendor, replies, options) });
});
