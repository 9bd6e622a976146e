/**
 * What `assemble('ai-sdk')` returns: both versions of the AI SDK accept it, and a gate that loads it is the same again.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { ToolGate } from 'toolgate';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { expect, test } from 'vitest';

import { reply, send } from './support.js';

/** The outcomes of all calls of a gate. */
const outcomes = (gate: ToolGate): unknown[] => {
  const { messages } = gate.getSnapshot();
  return messages.flatMap(({ parts }) => parts.flatMap((part) => ('toolCallId' in part ? [part.outcome?.kind] : [])));
};

test('approvals whose ids local model servers use again keep their outcomes', () => {
  const gate = new ToolGate({ protocol: openaiChat, chatId: 'chat', onDeny: 'skip-rest' });
  const calls = ['call_0', 'call_1'].map((id, index) => ({
    index,
    id,
    function: { name: 'remove', arguments: '{"path":"a"}' },
  }));
  const asks = [
    { choices: [{ delta: { role: 'assistant', tool_calls: calls } }] },
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ];
  gate.sendUserMessage({ text: 'Tidy up' });
  for (let turn = 0; turn < 2; turn++) {
    gate.markSent(send(gate));
    reply(gate, asks);
    const [first] = gate.pending();
    if (first) gate.respond(first, { approved: false });
  }
  expect(outcomes(gate)).toEqual(['denied', 'skipped', 'denied', 'skipped']);
  const text = JSON.stringify(gate.assemble('ai-sdk'));
  const again = new ToolGate({ chatId: 'chat' });
  expect(again.load(JSON.parse(text) as unknown[]).repairs).toEqual([]);
  expect(outcomes(again)).toEqual(outcomes(gate));
  expect(JSON.stringify(again.assemble())).toBe(text);
});

test.each(['data:image/png;base64,AA==', 'https://example.com/a.png'])(
  'both versions of the AI SDK accept a file: %s',
  (url) => {
    const gate = new ToolGate();
    const file = { type: 'file', mediaType: 'image/png', url };
    gate.load([
      {
        id: 'u1',
        role: 'user',
        parts: [
          { type: 'text', text: 'Look' },
          { ...file, filename: 'a.png' },
        ],
      },
      { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, file, { ...file, type: 'reasoning-file' }] },
    ]);
    const messages = gate.assemble('ai-sdk');
    expect(messages[0]).toMatchObject({ content: [{ type: 'text' }, { type: 'file', data: url, filename: 'a.png' }] });
    for (const message of messages) expect(ai7.modelMessageSchema.safeParse(message).error).toBeUndefined();
    // Its model messages have no files of reasoning.
    expect(ai6.modelMessageSchema.safeParse(messages[0]).error).toBeUndefined();
  },
);
