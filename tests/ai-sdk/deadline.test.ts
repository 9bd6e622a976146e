/** Deadlines in a guarded chat, which has its own timer. */
import { expect, test, vi } from 'vitest';

import { chats, stage } from './support/chats';
import { until } from '../lib/waiting';
import { asks } from './support/transport';

test.each(chats)('$name: an approval expires automatically, and its request is sent', async (kind) => {
  const { chat, transport } = await stage(kind, {
    replies: [asks(['c1'])],
    guard: { gate: { approvalTimeoutMs: 20 } },
  });
  await chat.sendMessage({ text: 'Edit it.' });
  await until(() => transport.requests.length === 2);
  const part = transport.requests[1]?.messages.at(-1)?.parts.find(({ toolCallId }) => toolCallId === 'c1');
  expect(part).toMatchObject({ state: 'approval-responded', approval: { approved: false } });
  expect(part?.['approval']).toMatchObject({ reason: expect.stringContaining('not approved in time') as unknown });
});

test('a chat without deadlines has no timer', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { chat } = await stage(chats[0]!, { replies: [asks(['c1'])] });
  await chat.sendMessage({ text: 'Edit it.' });
  expect(timers).not.toHaveBeenCalled();
  timers.mockRestore();
});
