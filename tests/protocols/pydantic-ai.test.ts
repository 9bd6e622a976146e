/** Pydantic AI's variant of the AI SDK's messages: how histories are written, and the contents of requests. */
import { describe, expect, test } from 'vitest';
import { rules } from './pairing';
import { gateFor, loaded, losses, type Data } from './support';
import { pydanticAi } from 'toolgate/protocols/pydantic-ai';

const asked = (id: string): Data[] => [
  { type: 'tool-input-available', toolCallId: id, toolName: 'edit', input: { path: id } },
  { type: 'tool-approval-request', approvalId: id, toolCallId: id },
];

function replied(chunks: readonly Data[]) {
  const gate = gateFor('pydantic-ai');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const chunk of [
    { type: 'start', messageId: 'm' },
    { type: 'start-step' },
    ...chunks,
    { type: 'finish-step' },
    { type: 'finish' },
  ])
    gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

const bodyOf = (gate: ReturnType<typeof gateFor>): Data => gate.outgoing()[0]?.body;
const partsOf = (body: Data): Data[] => body.messages.at(-1).parts;

describe('a request', () => {
  test('has the decisions in the open step, and no unknown keys', () => {
    const gate = replied([
      { ...asked('a')[0], providerMetadata: { pydantic_ai: { id: 'x' } } },
      { ...asked('a')[1], signature: 'signed', other: 1 },
      ...asked('b'),
    ]);
    gate.respond('a', { approved: true });
    expect(gate.outgoing()).toEqual([]);
    gate.respond('b', { approved: false, reason: 'Not that.' });
    const body = bodyOf(gate);
    expect(Object.keys(body).sort()).toEqual(['id', 'messages', 'trigger']);
    expect(partsOf(body)).toEqual([
      { type: 'step-start' },
      {
        type: 'tool-edit',
        toolCallId: 'a',
        state: 'approval-responded',
        input: { path: 'a' },
        callProviderMetadata: { pydantic_ai: { id: 'x' } },
        approval: { id: 'a', approved: true },
      },
      {
        type: 'tool-edit',
        toolCallId: 'b',
        state: 'approval-responded',
        input: { path: 'b' },
        approval: { id: 'b', approved: false, reason: 'Not that.' },
      },
    ]);
    expect(rules['pydantic-ai'](body.messages)).toEqual([]);
  });

  test('writes denials as settled if a message follows them', () => {
    const gate = replied(asked('a'));
    gate.sendUserMessage({ text: 'Wait.' });
    const { messages } = bodyOf(gate);
    expect(messages.map(({ role }: Data) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1].parts[1]).toMatchObject({
      state: 'output-denied',
      approval: { id: 'a', approved: false, reason: expect.any(String) },
    });
    expect(rules['pydantic-ai'](messages)).toEqual([]);
  });

  test('writes a denial the same in every later turn, with the server’s own text if it has no reason', () => {
    const gate = replied([...asked('a'), ...asked('b')]);
    gate.respond('a', { approved: false });
    gate.respond('b', { approved: false, reason: 'Not that.' });
    gate.claim(gate.outgoing()[0]!.id);
    for (const chunk of [
      { type: 'start' },
      { type: 'tool-output-denied', toolCallId: 'a' },
      { type: 'tool-output-denied', toolCallId: 'b' },
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Fine.' },
      { type: 'text-end', id: 't' },
      { type: 'finish-step' },
      { type: 'finish' },
    ]) {
      gate.receive(chunk);
    }
    gate.streamEnded({ status: 'finished' });
    const before = gate.assemble() as Data[];
    expect(before[1].parts.slice(1)).toMatchObject([
      { state: 'output-denied', approval: { id: 'a', approved: false } },
      { state: 'output-denied', approval: { id: 'b', approved: false, reason: 'Not that.' } },
    ]);
    expect(before[1].parts[1].approval).not.toHaveProperty('reason');
    gate.sendUserMessage({ text: 'Thanks.' });
    expect(bodyOf(gate).messages.slice(0, before.length)).toEqual(before);
  });
});

describe('a stream', () => {
  test('that repeats an approved call’s input does not remove the approval', () => {
    const gate = replied(asked('a'));
    gate.respondAll({ approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    for (const chunk of [
      { type: 'start' },
      asked('a')[0],
      { type: 'tool-output-available', toolCallId: 'a', output: 'done' },
      { type: 'finish' },
    ])
      gate.receive(chunk);
    gate.streamEnded({ status: 'finished' });
    expect((gate.assemble()[1] as Data).parts[1]).toEqual({
      type: 'tool-edit',
      toolCallId: 'a',
      state: 'output-available',
      input: { path: 'a' },
      output: 'done',
      approval: { id: 'a', approved: true },
    });
  });

  test('passes unknown chunks through', () => {
    const gate = gateFor('pydantic-ai');
    const seen: string[] = [];
    gate.onEvent(({ type }) => void seen.push(type));
    gate.receive({ type: 'something-new' });
    expect(seen).toEqual(['passthrough']);
  });
});

test('histories of UI messages and of model messages are read', () => {
  const gate = loaded('pydantic-ai', [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }]);
  expect(gate.assemble()).toEqual([
    { id: 'message-0', role: 'user', parts: [{ type: 'text', text: 'Go.', state: 'done' }] },
  ]);
  expect(loaded('pydantic-ai', [{ role: 'user', content: 'Go.' }]).assemble()).toEqual(gate.assemble());
});

test('an input that is not an object is wrapped, and an assistant’s file with a URL is omitted: the server rejects both', () => {
  const gate = loaded('ai-sdk', [
    { id: 'u', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png' }] },
    {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'file', mediaType: 'image/png', url: 'https://example.com/b.png' },
        { type: 'tool-edit', toolCallId: 'a', state: 'output-available', input: [1], output: null },
      ],
    },
  ]);
  expect(losses(gate, () => gate.assemble(pydanticAi))).toEqual([{ loss: 'file' }, { loss: 'input', toolCallId: 'a' }]);
  expect((gate.assemble(pydanticAi) as Data)[1].parts.slice(1)).toMatchObject([
    { state: 'output-available', input: { input: [1] }, output: null },
  ]);
});
