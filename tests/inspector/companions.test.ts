/**
 * Recording a gate with other interceptors: the driver of an AI SDK chat, and the persistence of a chat in several
 * tabs.
 */
import { ToolGate } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import { record, replay, type Recording } from 'toolgate/inspector';
import { describe, expect, it } from 'vitest';

import { reactChats, stage } from '../ai-sdk/support/chats.js';
import { until } from '../lib/waiting.js';
import { asks, says } from '../ai-sdk/support/transport.js';
import { reply } from '../gate/support.js';
import { begin, claimed, freshName, persistGate, MemoryStorage } from '../persist/support.js';

const plain = (recording: Recording | undefined): Recording => JSON.parse(JSON.stringify(recording)) as Recording;

describe.each(reactChats)('a guarded chat, $name', (kind) => {
  it('works unchanged while it is recorded, and the recording replays', async () => {
    const { chat, transport } = await stage(kind, {});
    const recorder = record(gateOf(chat));
    transport.replies[0] = asks(['c1'], 'a1');
    transport.replies[1] = [
      { type: 'start', messageId: 'a1' },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'ran' },
      ...says('done', 'a1').slice(1),
    ];
    await chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'ready');
    const [id] = gateOf(chat)
      .pending()
      .map(({ approvalId }) => approvalId);
    await chat.addToolApprovalResponse({ id: id as string, approved: true });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    const recording = plain(recorder.recording());
    expect(recording.steps.map(({ call }) => call)).toEqual(
      expect.arrayContaining(['sendUserMessage', 'claim', 'receive', 'respond', 'streamEnded']),
    );
    const { difference, gate } = await replay(recording, { ToolGate });
    expect(difference?.message).toBeUndefined();
    expect(gate.getSnapshot().messages).toEqual(gateOf(chat).getSnapshot().messages);
    recorder.stop();
    expect(Reflect.ownKeys(gateOf(chat))).toEqual([]);
  });
});

describe('a chat in two tabs', () => {
  const storage = new MemoryStorage();

  it('the leader records; the follower records when it becomes the leader', async () => {
    const name = freshName();
    const first = new ToolGate({ chatId: 'chat' });
    const firstNotes = record(first);
    const { persisted } = await persistGate(first, name, storage);
    begin(first, ['c1', 'c2']);
    first.respond('approve-c1', { approved: true });

    const second = new ToolGate({ chatId: 'chat' });
    const secondNotes = record(second);
    await persistGate(second, name, storage);
    await until(() => second.pending().length === 1);
    expect(secondNotes.recording()).toBeUndefined();
    // The leader runs and records the commands of the other tab.
    second.respond('approve-c2', { approved: false, reason: 'no' });
    await until(() => first.pending().length === 0);
    const recording = plain(firstNotes.recording());
    expect(recording.steps.filter(({ call }) => call === 'respond')).toHaveLength(2);
    expect((await replay(recording, { ToolGate })).difference?.message).toBeUndefined();

    persisted.close();
    await until(() => second.outgoing().length === 1);
    claimed(second);
    reply(second, [{ type: 'tool-output-available', toolCallId: 'c1', output: 'ran' }, { type: 'finish' }]);
    const next = plain(secondNotes.recording());
    expect(next.steps.map(({ call }) => call)).toEqual(['claim', 'receive', 'receive', 'streamEnded']);
    const { difference, gate } = await replay(next, { ToolGate });
    expect(difference?.message).toBeUndefined();
    expect(gate.getSnapshot().messages).toEqual(second.getSnapshot().messages);

    firstNotes.stop();
    secondNotes.stop();
    expect(Reflect.ownKeys(second)).toEqual([]);
    expect(Reflect.ownKeys(first)).toEqual([]);
  });
});
