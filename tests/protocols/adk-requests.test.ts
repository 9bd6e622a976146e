/** ADK's requests with a payload, and sessions that other versions and servers have stored. */
import type { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';
import { callsOf, firstReply } from './first-reply';
import { gateFor, type Data } from './support';

const confirmation = (id: string, toolConfirmation: Data): Data => ({
  functionCall: {
    id,
    name: 'adk_request_confirmation',
    args: { originalFunctionCall: { id: 'c', name: 'pay', args: { to: 'Ann' } }, toolConfirmation },
  },
});
const PAY = { functionCall: { id: 'c', name: 'pay', args: { to: 'Ann' } } };
const responseIn = (gate: ToolGate): Data =>
  (gate.outgoing()[0]!.body as Data).new_message.parts.map(({ functionResponse }: Data) => [
    functionResponse.id,
    functionResponse.response,
  ]);

test('a payload that a tool asks for is shown as the request’s input, can be edited, and is sent', () => {
  for (const [input, payload] of [
    [undefined, { days: 0 }],
    [{ days: 3 }, { days: 3 }],
  ]) {
    const { gate, take, wrong } = firstReply('adk', { browserTools: [] });
    const parts = [PAY, confirmation('ask', { hint: 'How many?', confirmed: false, payload: { days: 0 } })];
    take(...parts.map((part) => ({ author: 'agent', content: { role: 'model', parts: [part] } })));
    gate.streamEnded({ status: 'finished' });
    expect(gate.pending()).toMatchObject([{ approvalId: 'ask', toolName: 'pay', input: { days: 0 } }]);
    expect(callsOf(gate)[1].approval.requestReason).toBe('How many?');
    gate.respond('ask', { approved: true, ...(input && { input }) });
    expect(responseIn(gate)).toEqual([['ask', { confirmed: true, payload }]]);
    gate.claim(gate.outgoing()[0]!.id);
    const result = { functionResponse: { id: 'c', name: 'pay', response: { result: 'paid' } } };
    take({ author: 'agent', content: { role: 'user', parts: [result] } });
    take({ author: 'agent', content: { role: 'model', parts: [{ text: 'Done.' }] } });
    gate.streamEnded({ status: 'finished' });
    expect(callsOf(gate)[0]).toMatchObject({ toolCallId: 'c', input: { to: 'Ann' }, output: 'paid' });
    expect([gate.getSnapshot().status, wrong]).toEqual(['idle', []]);
    // The request is no call of the model.
    expect(JSON.stringify(gate.assemble())).not.toContain('days');
  }
});

test('a denied request for a payload sends none', () => {
  const { gate, take } = firstReply('adk', { browserTools: [] });
  const parts = [PAY, confirmation('ask', { confirmed: false, payload: { days: 0 } })];
  take({ author: 'agent', content: { role: 'model', parts } });
  gate.streamEnded({ status: 'finished' });
  gate.respond('ask', { approved: false });
  expect(responseIn(gate)).toEqual([['ask', { confirmed: false }]]);
});

test('a stored session in which another call of the step has no response can be continued', () => {
  const gate = gateFor('adk', { browserTools: [] });
  const list = { functionCall: { id: 'l', name: 'list', args: {} } };
  gate.load([
    { author: 'user', content: { role: 'user', parts: [{ text: 'Pay.' }] } },
    { author: 'agent', content: { role: 'model', parts: [PAY, list] } },
    { author: 'agent', content: { role: 'model', parts: [confirmation('ask', { hint: 'Sure?' })] } },
  ]);
  gate.respond('ask', { approved: true });
  expect(responseIn(gate)).toEqual([['ask', { confirmed: true }]]);
});

test('events with the names of Python are read from a store', () => {
  const asked = {
    function_call: {
      id: 'ask',
      name: 'adk_request_confirmation',
      args: {
        original_function_call: { id: 'c', name: 'pay', args: { a_b: 1 } },
        tool_confirmation: { hint: 'Sure?' },
      },
    },
  };
  const events = [
    {
      author: 'agent',
      content: { role: 'model', parts: [{ function_call: { id: 'c', name: 'pay', args: { a_b: 1 } } }] },
    },
    { author: 'agent', content: { role: 'model', parts: [asked] }, long_running_tool_ids: ['ask'] },
    {
      author: 'agent',
      content: { role: 'user', parts: [{ function_response: { id: 'c', name: 'pay', response: { error: 'wait' } } }] },
      actions: { requested_tool_confirmations: { c: {} } },
    },
  ];
  const gate = gateFor('adk', { browserTools: [] });
  gate.load([{ author: 'user', content: { role: 'user', parts: [{ text: 'Pay.' }] } }, ...events]);
  expect(gate.pending()).toMatchObject([{ approvalId: 'ask', toolCallId: 'c', input: { a_b: 1 } }]);
});
