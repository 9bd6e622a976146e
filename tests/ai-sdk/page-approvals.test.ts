/** The gate option `needsApproval` in a guarded chat: tools of the page wait for the user, `onToolCall` too. */
import { gateOf } from 'toolgate/ai-sdk';
import { registerTools } from 'toolgate/tools';
import { describe, expect, test } from 'vitest';

import { turns, until } from '../lib/waiting';
import { chats, stage, type AnyChat } from './support/chats';
import { calls } from './support/transport';

const gate = { browserTools: ['pick'], needsApproval: () => true };

const toldCalls = (told: readonly { name: string; value: unknown }[]): unknown[] =>
  told.filter(({ name }) => name === 'onToolCall').map(({ value }) => (value as { toolCall: unknown }).toolCall);

const sentParts = (requests: readonly { messages: { parts: unknown[] }[] }[]): unknown[] =>
  requests.at(-1)!.messages.at(-1)!.parts.slice(1);

describe.each(chats)('$name', (kind) => {
  test('onToolCall is called when the user approves, once, and only the output is sent', async () => {
    const { chat, transport, told } = await stage(kind, { replies: [calls(['c1'])], guard: { gate } });
    await chat.sendMessage({ text: 'hi' });
    expect([
      toldCalls(told),
      gateOf(chat)
        .pending()
        .map(({ toolCallId }) => toolCallId),
    ]).toEqual([[], ['c1']]);
    const { approvalId } = gateOf(chat).pending()[0]!;
    await chat.addToolApprovalResponse({ id: approvalId, approved: true });
    await chat.addToolApprovalResponse({ id: approvalId, approved: true });
    await turns();
    expect(toldCalls(told)).toMatchObject([{ toolCallId: 'c1', toolName: 'pick', input: { of: 'c1' } }]);
    expect(transport.requests).toHaveLength(1);
    await chat.addToolOutput({ tool: 'pick', toolCallId: 'c1', output: 7 });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    expect(sentParts(transport.requests)).toEqual([
      { type: 'tool-pick', toolCallId: 'c1', state: 'output-available', input: { of: 'c1' }, output: 7 },
    ]);
  });

  test('a denied call reaches neither onToolCall nor a registered tool', async () => {
    const runs: unknown[] = [];
    const { chat, transport, told } = await stage(kind, { replies: [calls(['c1'])], guard: { gate } });
    registerTools(chat, { pick: { execute: (input) => runs.push(input) } });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'c1', approved: false, reason: 'no' });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    expect([toldCalls(told), runs]).toEqual([[], []]);
    expect(sentParts(transport.requests)).toMatchObject([
      { state: 'output-error', errorText: 'Error: Tool execution was denied by user. no' },
    ]);
    expect(sentParts(transport.requests)[0]).not.toHaveProperty('approval');
    expect(
      await stage(kind, { messages: transport.requests[1]!.messages as AnyChat['messages'], guard: { gate } }),
    ).toMatchObject({
      chat: { messages: [{}, { parts: [{}, { outcome: { kind: 'denied', reason: 'no' } }] }] },
    });
  });
});

test('an error of onToolCall is reported to onError', async () => {
  const onToolCall = (): never => {
    throw new Error('no such tool');
  };
  const { chat, told } = await stage(chats[0]!, { replies: [calls(['c1'])], guard: { gate }, chat: { onToolCall } });
  await chat.sendMessage({ text: 'hi' });
  await chat.addToolApprovalResponse({ id: 'c1', approved: true });
  await turns();
  expect(told.filter(({ name }) => name === 'onError')).toMatchObject([{ value: { message: 'no such tool' } }]);
});
