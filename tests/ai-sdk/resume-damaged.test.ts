/**
 * A reply is read twice, and one chunk of one of the two copies is lost or doubled. What the user has decided is not
 * asked again, a remembered decision does not answer it, and the server gets it once, as it was made.
 */
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type AnyChat, type Message, reactChats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, type Chunk, gatekeeper, says, type Sent } from './support/transport';

const lost = new TypeError('network error');

/** A step with a text, and a step with two approval requests. */
const reply = [...says('I look.').slice(0, -1), ...asks(['c1', 'c2']).slice(1)];

/** The reply without one chunk, and with it twice: the chunks of its first step, and the start of the second one. */
const damaged: Chunk[][] = reply.slice(1, 7).flatMap((_, nth) => {
  const place = nth + 1;
  return [reply.toSpliced(place, 1), reply.toSpliced(place, 0, reply[place]!)];
});

/** What the server runs, and what it knows to be denied: the AI SDK's servers read the last step's decisions. */
function toldBy(request: Sent): { runs: unknown[]; denied: unknown[] } {
  const parts = request.messages.at(-1)!.parts;
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  const decided = step.filter(({ state }) => state === 'approval-responded');
  const calls = (approved: boolean): unknown[] =>
    decided.filter((part) => (part['approval'] as { approved: boolean }).approved === approved);
  const ids = (approved: boolean): unknown[] => calls(approved).map((part) => (part as Chunk)['toolCallId']);
  return { runs: ids(true), denied: ids(false) };
}

/** Decides the first call, and lets the opposite decision on the second call apply to the whole tool. */
async function decide(chat: AnyChat, approved: boolean): Promise<void> {
  await chat.addToolApprovalResponse({ id: 'ask-c1', approved });
  gateOf(chat).respond('ask-c2', { approved: !approved, remember: { for: 'chat', scope: 'tool' } });
}

describe.each(reactChats)('$name', (kind) => {
  test.each([true, false])(
    'the first call approved: %s, the connection breaks, and the reply is resumed',
    async (c1) => {
      const copies = damaged.flatMap((copy): [Chunk[], Chunk[]][] => [
        [copy, reply],
        [reply, copy],
      ]);
      for (const [first, second] of copies) {
        const decided = gatekeeper();
        const { chat, transport } = await stage(kind, {
          replies: [[...first.slice(0, -2), () => decided.opened, lost]],
        });
        const sent = chat.sendMessage({ text: 'hi' });
        await until(() => gateOf(chat).pending().length === 2);
        await decide(chat, c1);
        decided.open();
        await sent;
        transport.lost.push(second);
        await chat.resumeStream();
        await turns();
        expect(gateOf(chat).pending()).toEqual([]);
        expect(transport.requests).toHaveLength(2);
        const [runs, denied] = c1 ? ['c1', 'c2'] : ['c2', 'c1'];
        expect(toldBy(transport.requests[1]!)).toEqual({ runs: [runs], denied: [denied] });
      }
    },
  );

  test.each([true, false])('the first call approved: %s, and a message without steps is resumed', async (c1) => {
    const asked = (id: string): Message['parts'][number] => ({
      type: 'tool-edit',
      toolCallId: id,
      state: 'approval-requested',
      input: { file: id },
      approval: { id: `ask-${id}` },
    });
    const saved: Message[] = [
      { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'I look.' }, asked('c1'), asked('c2')] },
    ];
    const { chat, transport } = await stage(kind, { messages: saved });
    const decided = gatekeeper();
    transport.lost.push([() => decided.opened, ...reply]);
    const resumed = chat.resumeStream();
    await until(() => transport.reconnects.length === 1);
    await decide(chat, c1);
    decided.open();
    await resumed;
    await turns();
    expect(gateOf(chat).pending()).toEqual([]);
    expect(transport.requests).toHaveLength(1);
    const [runs, denied] = c1 ? ['c1', 'c2'] : ['c2', 'c1'];
    expect(toldBy(transport.requests[0]!)).toEqual({ runs: [runs], denied: [denied] });
  });
});
