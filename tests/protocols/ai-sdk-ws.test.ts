/**
 * The AI SDK over a WebSocket: the frames that are read, and those that are sent. tests/interop/ai-sdk-ws.rig.ts runs a
 * server.
 */
import { expect, test } from 'vitest';
import { aiSdkWs as aiSdkWsProtocol } from '../../src/ts/protocols/ai-sdk-ws';
import type { ItemDecision, RequestContext } from '../../src/ts/protocols/shared/codec';
import { gateFor, loaded, type Data } from './support';
import { capabilitiesOf } from './all.js';
import { codecOf } from './codecs.js';

const aiSdkWs = codecOf(aiSdkWsProtocol);

test('other frames are passed through, and text that is not valid JSON is malformed', () => {
  const gate = gateFor('ai-sdk-ws');
  const events: Data[] = [];
  gate.onEvent((event) => void events.push(event));
  gate.receive({ type: 'pong', timestamp: 1 });
  gate.receive('hello');
  expect(events.map(({ type, code }) => code ?? type)).toEqual(['passthrough', 'anomaly']);
});

test('a message is a frame with the request body of the AI SDK’s client', () => {
  const gate = gateFor('ai-sdk-ws');
  const plain = gateFor('ai-sdk');
  for (const one of [gate, plain]) one.sendUserMessage({ text: 'Hi.' });
  expect(gate.outgoing()[0]?.body).toEqual({ type: 'message', data: plain.outgoing()[0]?.body });
  expect((gate.outgoing()[0]?.body as Data).data).toMatchObject({
    id: 'chat',
    trigger: 'submit-message',
    messages: [{ role: 'user' }],
  });
});

const answered = (decision: Partial<ItemDecision>): unknown =>
  aiSdkWs.answer?.(
    { toolCallId: 'c', approvalId: 'a', ...decision } as ItemDecision,
    { texts: { skipped: 'Left out.' } } as unknown as RequestContext,
  );

test.each([
  [{ outcome: 'approved' }, { approved: true, status: 'approved' }],
  [{ outcome: 'denied' }, { approved: false, status: 'rejected' }],
  [
    { outcome: 'denied', reason: 'No.' },
    { approved: false, status: 'rejected', reason: 'No.' },
  ],
  [{ outcome: 'skipped' }, { approved: false, status: 'rejected', reason: 'Left out.' }],
  [
    { outcome: 'expired', reason: 'Late.' },
    { approved: false, status: 'rejected', reason: 'Late.' },
  ],
  [
    { outcome: 'cancelled' },
    { approved: false, status: 'rejected', reason: 'Error: Tool execution was cancelled by user. It did not run.' },
  ],
  [
    { outcome: 'executed', output: { ok: 1 } },
    { approved: true, status: 'approved', result: { ok: 1 } },
  ],
  [{ outcome: 'executed' }, { approved: true, status: 'approved', result: { success: true } }],
  [
    { outcome: 'approved', reason: 'Fine.' },
    { approved: true, status: 'approved', reason: 'Fine.' },
  ],
  [
    { outcome: 'failed', reason: 'no such file' },
    { approved: true, status: 'approved', result: { success: false, error: 'no such file' } },
  ],
] as const)('one message per decision: %j', (decision, data) => {
  expect(answered(decision)).toEqual({ type: 'tool_result', data: { toolCallId: 'c', ...data } });
});

test('a history consists of UI messages or model messages', () => {
  const messages = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    {
      id: 'a',
      role: 'assistant',
      parts: [
        {
          type: 'tool-edit',
          toolCallId: 'c',
          state: 'output-denied',
          input: {},
          approval: { id: 'x', approved: false, reason: 'No.' },
        },
      ],
    },
  ];
  const written = loaded('ai-sdk-ws', messages).assemble();
  expect(written).toEqual(loaded('ai-sdk', messages).assemble());
  expect(loaded('ai-sdk-ws', written).assemble()).toEqual(written);
  expect(capabilitiesOf('ai-sdk-ws')).toMatchObject({
    kind: 'answering',
    reason: true,
    cancel: false,
    history: 'client',
    lost: [],
  });
});
