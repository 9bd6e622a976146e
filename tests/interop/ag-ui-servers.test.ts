/**
 * The AG-UI servers of vendors with a gate: each in every scenario. Pydantic AI is in pydantic-ai.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agUiFor } from 'toolgate/protocols/ag-ui';
import { openVendor, type Vendor } from './ag-ui-servers.rig';
import { startPython, type PythonServer } from './python';
import type { Rig } from './rig';
import { runScenarios } from './scenarios';
import { THREE_CALLS } from './support';

const strands: Vendor = { environment: 'strands', script: 'strands_agents', protocol: agUiFor('strands') };
const microsoft: Vendor = { environment: 'microsoft', script: 'microsoft', protocol: agUiFor('microsoft') };

/** AG-UI's servers store the thread, with its interrupts. */
const NO_REQUEST = { savedOnly: 'AG-UI has no request for a stored thread' };

const agno: Vendor = { environment: 'agno', script: 'agno_os', protocol: agUiFor('agno'), path: '/agui' };
const langgraph: Vendor = { environment: 'langgraph', script: 'langgraph_agents', protocol: agUiFor('langgraph') };
const adk: Vendor = { environment: 'adk', script: 'adk', protocol: agUiFor('adk') };
const VENDORS = { strands, microsoft, agno, langgraph, adk };

const servers: Partial<Record<keyof typeof VENDORS, PythonServer>> = {};
beforeAll(async () => {
  for (const [name, { script, environment }] of Object.entries(VENDORS))
    servers[name as keyof typeof VENDORS] = await startPython(`ag_ui/${script}`, [], environment);
}, 120_000);
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

/** The rig of a vendor. */
const rig = (name: string, vendor: keyof typeof VENDORS, more: Partial<Rig> = {}, options?: object): Rig => ({
  name,
  protocol: 'ag-ui',
  waiting: NO_REQUEST,
  open: (replies, gateOptions) =>
    openVendor(servers[vendor] as PythonServer, { ...VENDORS[vendor], options }, replies, gateOptions),
  ...more,
});

describe('AWS Strands', () => runScenarios(rig('AWS Strands', 'strands')));
describe('Agno', () =>
  runScenarios(
    rig('Agno', 'agno', {
      closesLater: true,
      quirks: {
        'resume after a turn that failed': { why: 'it leaves a failed run out of the history', forgets: true },
      },
    }),
  ));
describe('LangGraph', () => runScenarios(rig('LangGraph behind AG-UI', 'langgraph')));
describe('LangGraph middleware', () =>
  runScenarios(rig('LangGraph behind AG-UI, middleware', 'langgraph', {}, { middleware: true })));
describe('Microsoft', () => {
  const refused = { why: 'it runs nothing if the decisions of one step differ', ran: ['read /r'] };
  runScenarios(
    rig('Microsoft Agent Framework', 'microsoft', {
      refusesMixed: true,
      losesReasons: true,
      quirks: {
        'deny one with a reason': refused,
        mixed: refused,
        'a message while approvals are pending': refused,
        'answers request fails, then a message': refused,
        'unconfirmed resume, then a message': { ...refused, unknown: ['remove /a', 'send /c'] },
        'reload of a waiting thread': refused,
        cancel: { why: 'a cancelled run does not run its other calls', ran: [] },
      },
    }),
  );
});
describe('ADK', () => runScenarios(rig('ADK behind AG-UI', 'adk', { losesReasons: true })));

test.each(['denials with a reason', 'a message instead of answers'])(
  'Microsoft Agent Framework: %s, and the chat continues',
  async (how) => {
    const replies = [THREE_CALLS, { text: 'Done.' }, { text: 'Bye.' }];
    const { gate, send, requests, ran, prompts } = await openVendor(
      servers.microsoft as PythonServer,
      microsoft,
      replies,
    );
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    if (how === 'denials with a reason') {
      gate.respondAll({ approved: false, reason: 'Keep them.' });
      await gate.deliver(send);
    }
    gate.sendUserMessage({ text: 'Thanks.' });
    await gate.deliver(send);
    expect(requests[1].resume.map(({ payload }: { payload: unknown }) => payload)).toEqual([
      { approved: false },
      { approved: false },
    ]);
    expect(ran).toEqual(['read /r']);
    expect(prompts).toHaveLength(3);
    expect(prompts[2]?.at(-1)).toEqual({ kind: 'user', text: 'Thanks.' });
    expect([gate.undelivered(), gate.pending(), gate.getSnapshot().turn.status]).toEqual([[], [], 'done']);
  },
);
