/**
 * A gate that others stand before, too: the driver of an AI SDK chat, and a keeper that shares the chat between tabs.
 */
import { ToolGate } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import { record, replay, type Recording } from 'toolgate/inspector';
import { describe, expect, it } from 'vitest';

import { reactChats, stage } from '../ai-sdk/support/chats.js';
import { asks, says, until } from '../ai-sdk/support/transport.js';

const plain = (recording: Recording | undefined): Recording => JSON.parse(JSON.stringify(recording)) as Recording;

describe.each(reactChats)('a guarded chat, $name', (kind) => {
  it('works as before while it is recorded, and the recording plays again', async () => {
    const { chat, transport } = await stage(kind, {});
    const recorder = record(gateOf(chat));
    transport.replies[0] = asks(['c1'], 'a1');
    transport.replies[1] = [{ type: 'start', messageId: 'a1' }, { type: 'tool-output-available', toolCallId: 'c1', output: 'ran' }, ...says('done', 'a1').slice(1)];
    await chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'ready');
    const [id] = gateOf(chat).pending().map(({ approvalId }) => approvalId);
    await chat.addToolApprovalResponse({ id: id as string, approved: true });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    const recording = plain(recorder.recording());
    expect(recording.steps.map(({ call }) => call)).toEqual(expect.arrayContaining(['sendUserMessage', 'claim', 'receive', 'respond', 'streamEnded']));
    const { difference, gate } = await replay(recording, { ToolGate });
    expect(difference?.message).toBeUndefined();
    expect(gate.getSnapshot().messages).toEqual(gateOf(chat).getSnapshot().messages);
    recorder.stop();
    expect(Reflect.ownKeys(gateOf(chat))).toEqual([]);
  });
});
