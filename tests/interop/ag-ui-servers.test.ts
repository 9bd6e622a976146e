/** The AG-UI servers of vendors with a gate. */
import { afterAll, beforeAll, describe } from 'vitest';
import { agUi } from 'toolgate/protocols/ag-ui';
import { openVendor, type Vendor } from './ag-ui-servers.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';

const VENDORS: Record<string, Vendor> = {
  Microsoft: { environment: 'microsoft', script: 'microsoft', protocol: agUi },
  Strands: { environment: 'strands', script: 'strands_agents', protocol: agUi },
  LangGraph: { environment: 'langgraph', script: 'langgraph_agents', protocol: agUi },
  middleware: { environment: 'langgraph', script: 'langgraph_agents', protocol: agUi, options: { middleware: true } },
  ADK: { environment: 'adk', script: 'adk', protocol: agUi },
};

describe.each(Object.entries(VENDORS))('%s', (name, vendor) => {
  let server: PythonServer;
  beforeAll(async () => {
    server = await startPython(`ag_ui/${vendor.script}`, [], vendor.environment);
  }, 90_000);
  afterAll(() => server?.close());
  runScenarios({ name, protocol: 'ag-ui', open: (replies, options) => openVendor(server, vendor, replies, options) });
});
