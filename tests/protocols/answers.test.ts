/**
 * Requests with decisions contain nothing else if the backend takes decisions before messages. The result of a call
 * without an approval is sent as a result, never as a decision.
 */
import { describe, expect, test } from 'vitest';
import type { Call, ItemDecision, Entry, RequestContext } from '../../src/ts/protocols/shared/codec';
import { codecFor, contextOf } from './codecs';
import { DECLINE, PAGE_CALLS } from './page-calls.js';
import { gateFor, type Data } from './support';
import { type ProtocolName, capabilitiesOf } from './all.js';

const call: Call = { type: 'tool-call', toolCallId: 'a', toolName: 'edit', input: { path: '/a' } };
const ENTRIES: readonly Entry[] = [
  { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
  { role: 'assistant', content: [call] },
  { role: 'user', content: [{ type: 'text', text: 'Never mind.' }] },
];

/** The approval of `a` in each protocol's format. */
const APPROVAL: Data = {
  adk: { id: 'adk-1' },
  'openai-agents': { id: 'a' },
  'ag-ui': { id: 'i', 'ag-ui': { id: 'i', toolCallId: 'a', reason: 'tool_call' } },
  tanstack: { id: 'i', 'ag-ui': { id: 'i', toolCallId: 'a', reason: 'tool_call' } },
  langgraph: {
    id: 'i:0',
    langgraph: { interrupt: 'i', position: 0, count: 1, allowed: ['approve', 'reject'], edit: ['edited_action'] },
  },
};

describe.each(Object.keys(APPROVAL) as Exclude<ProtocolName, 'ai-sdk'>[])(
  '%s takes decisions before messages',
  (protocol) => {
    const decision = (outcome: ItemDecision['outcome']): ItemDecision => ({
      approvalId: APPROVAL[protocol].id,
      toolCallId: 'a',
      toolName: 'edit',
      input: call.input,
      outcome,
      approval: APPROVAL[protocol],
      metadata: undefined,
    });
    const body = async (decisions: readonly ItemDecision[], history: 'client' | 'server'): Promise<string> => {
      const context = {
        chatId: 'chat',
        history,
        item: { id: 'out-2', key: 'key' },
        request: { id: 'chat', messages: [] },
        decisions,
        newMessages: ENTRIES.slice(2),
        reportLoss() {},
        reportRepair() {},
      };
      return JSON.stringify((await codecFor(protocol)).body(ENTRIES, context as unknown as RequestContext));
    };

    test.each(['client', 'server'] as const)(
      'a request never has decisions and a message (history: %s)',
      async (history) => {
        expect((await codecFor(protocol)).answersBeforeMessages).toBe(true);
        for (const outcome of ['approved', 'denied', 'cancelled'] as const)
          expect(await body([decision(outcome)], history)).not.toContain('Never mind.');
        expect(await body([], history)).toContain('Never mind.');
      },
    );
  },
);

test('langgraph: each answer names its interrupt; without an interrupt id, the request is marked as unsafe to repeat', async () => {
  const codec = await codecFor('langgraph');
  const body = (approval: Data): Data =>
    codec.body(ENTRIES.slice(0, 2), {
      chatId: 'chat',
      history: 'server',
      item: { key: 'key' },
      request: { messages: [] },
      newMessages: [],
      decisions: [{ ...call, outcome: 'approved', approval }],
      reportLoss() {},
    } as unknown as RequestContext);
  const { langgraph } = APPROVAL.langgraph;
  expect(body({ langgraph })).toMatchObject({ command: { resume: { i: { decisions: [{ type: 'approve' }] } } } });
  expect(body({ langgraph: { ...langgraph, interrupt: undefined } })).toMatchObject({
    command: { resume: { decisions: [{ type: 'approve' }] } },
  });
  const requests = (id: Data): Data[] => {
    const chunks: Data[] = [];
    const shown: Data[] = [];
    const read = codec.createReader(contextOf({ emit: (chunk) => void chunks.push(chunk), calls: () => shown }));
    read({
      event: 'updates',
      data: {
        model: {
          messages: [{ type: 'ai', id: 'm', content: '', tool_calls: [{ id: 'a', name: 'edit', args: call.input }] }],
        },
      },
    });
    shown.push({ toolCallId: 'a', toolName: 'edit', input: call.input });
    read({
      event: 'updates',
      data: { __interrupt__: [{ id, value: { action_requests: [{ name: 'edit', args: call.input }] } }] },
    });
    return chunks.filter(({ type }) => type === 'tool-approval-request');
  };
  expect(requests('i')).toMatchObject([{ approvalId: 'i:0', toolCallId: 'a' }]);
  expect(requests('i')[0]).not.toHaveProperty('repeatUnsafe');
  expect(requests(undefined)).toMatchObject([{ approvalId: 'm:0', toolCallId: 'a', repeatUnsafe: true }]);
});

test('langgraph: if the allowed decisions are not readable, approve and reject are used', async () => {
  const gate = gateFor('langgraph');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]?.id as string);
  const value = {
    action_requests: [{ name: 'edit', args: {} }],
    review_configs: [{ action_name: 'edit', allowed_decisions: -1 }],
  };
  gate.receive({
    event: 'updates',
    data: {
      model: { messages: [{ type: 'ai', id: 'm', content: '', tool_calls: [{ id: 'a', name: 'edit', args: {} }] }] },
    },
  });
  gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'i', value }] } });
  gate.streamEnded({ status: 'finished' });
  expect(gate.pending()[0]?.editable).toBe(false);
  gate.respond('i:0', { approved: true });
  expect(gate.outgoing()[0]?.body).toMatchObject({ command: { resume: { i: { decisions: [{ type: 'approve' }] } } } });
});

const ANSWERING = PAGE_CALLS.filter(([protocol]) => capabilitiesOf(protocol).kind === 'answering');

describe.each(ANSWERING)('%s: a browser tool without an approval', (protocol, events) => {
  const begun = () => {
    const gate = gateFor(protocol, { browserTools: ['pick'] });
    gate.sendUserMessage({ text: 'Go.' });
    gate.markSent(gate.outgoing()[0]?.id as string);
    for (const event of events) gate.receive(event);
    return gate;
  };
  const sent = (gate: ReturnType<typeof begun>): string => {
    const bodies = gate.outgoing().map(({ body }) => body);
    return JSON.stringify(bodies);
  };

  test.each([true, false])('when it is cancelled (while its reply is arriving: %s), no refusal is sent', (isOpen) => {
    const gate = begun();
    if (!isOpen) gate.streamEnded({ status: 'finished' });
    gate.cancel();
    expect(sent(gate)).not.toMatch(DECLINE);
    expect(gate.assemble()).toBeInstanceOf(Array);
    gate.sendUserMessage({ text: 'Go on.' });
    expect(sent(gate)).not.toMatch(DECLINE);
  });

  test('sends its result as a result', () => {
    const gate = begun();
    gate.addToolOutput('a', { output: { colour: 'red' } });
    expect(sent(gate)).toContain('red');
    expect(sent(gate)).not.toMatch(DECLINE);
  });
});
