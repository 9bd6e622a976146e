/**
 * The AG-UI servers of vendors with a gate. Pydantic AI is in pydantic-ai.test.ts. The scripts of Agno, LangGraph and
 * ADK are in tests/interop/python/ag_ui; tests/protocols/ag-ui-servers.test.ts has the shape of their events.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agUiFor } from 'toolgate/protocols/ag-ui';
import { openVendor, type Vendor } from './ag-ui-servers.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';
import { THREE_CALLS } from './support';

const strands: Vendor = { environment: 'strands', script: 'strands_agents', protocol: agUiFor('strands') };
const microsoft: Vendor = { environment: 'microsoft', script: 'microsoft', protocol: agUiFor('microsoft') };

/** AG-UI's servers store the thread, with its interrupts. */
const NO_REQUEST = { savedOnly: 'AG-UI has no request for a stored thread' };

let servers: Record<'strands' | 'microsoft', PythonServer>;
beforeAll(async () => {
  const start = ({ script, environment }: Vendor): Promise<PythonServer> =>
    startPython(`ag_ui/${script}`, [], environment);
  const [one, other] = await Promise.all([start(strands), start(microsoft)]);
  servers = { strands: one, microsoft: other };
}, 120_000);
afterAll(() => Promise.all(Object.values(servers ?? {}).map((server) => server.close())));

describe('AWS Strands', () =>
  runScenarios({
    name: 'AWS Strands',
    protocol: 'ag-ui',
    waiting: NO_REQUEST,
    open: (replies, options) => openVendor(servers.strands, strands, replies, options),
  }));

test.each(['denials with a reason', 'a message instead of answers'])(
  'Microsoft Agent Framework: %s, and the chat continues',
  async (how) => {
    const replies = [THREE_CALLS, { text: 'Done.' }, { text: 'Bye.' }];
    const { gate, send, requests, ran, prompts } = await openVendor(servers.microsoft, microsoft, replies);
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
