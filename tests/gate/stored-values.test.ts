/**
 * Values that a gate stores: bodies of requests that are over are freed, and what a history lacks or JSON cannot hold
 * is repaired or refused.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

import { safeValidateUIMessages } from 'ai';
import { a2a } from 'toolgate/protocols/a2a';
import { anthropic } from 'toolgate/protocols/anthropic';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import './support';
import { ToolGate } from 'toolgate';

it('frees the body of a request when the next one is claimed, however few values there are', async () => {
  const gate = new ToolGate({ chatId: 'x' });
  const bodies: WeakRef<object>[] = [];
  for (let turn = 0; turn < 8; turn++) {
    gate.sendUserMessage({ text: 'go' });
    const [request] = gate.outgoing();
    expect(gate.claim(request!.id)).toBe(true);
    bodies.push(new WeakRef(request!.body as object));
    for (const type of ['text-start', 'text-delta', 'text-end']) gate.receive({ type, id: `t${turn}`, delta: 'x' });
    gate.streamEnded({ status: 'finished' });
  }
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  await new Promise((done) => setTimeout(done));
  gc();
  expect(bodies.filter((body) => body.deref()).length).toBeLessThanOrEqual(2);
});

const histories = {
  anthropic: () =>
    new ToolGate({ protocol: anthropic }).load([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'rm' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
    ] as never),
};

it('repairs and reports a call that was stored without an input', async () => {
  expect(histories.anthropic().repairs).toMatchObject([{ code: 'invalid-value', toolCallId: 'c1' }]);
  const gate = new ToolGate({ protocol: openaiChat });
  gate.load([
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'rm' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'ok' },
  ] as never);
  const messages = JSON.parse(
    JSON.stringify(gate.getSnapshot().messages, (key, value) => (key === 'outcome' ? undefined : value)),
  );
  expect((await safeValidateUIMessages({ messages })).success).toBe(true);
});

it('omits and reports what JSON cannot hold', () => {
  const gate = new ToolGate({ protocol: a2a });
  const parts = [
    { text: Symbol.iterator },
    { data: { type: 'tool-call', toolCallId: 'c', toolName: Symbol.iterator } },
  ];
  const { repairs } = gate.load([{ messageId: 'm', role: 'ROLE_AGENT', parts }] as never);
  expect(repairs).toMatchObject([{ code: 'malformed' }, { code: 'malformed' }]);
});
