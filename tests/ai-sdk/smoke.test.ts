import { expect, test } from 'vitest';
import { chats, stage } from './support/chats';
import { asks, goesOn, turns } from './support/transport';
for (const kind of chats) test(kind.name, async () => {
  const { chat, bare, transport, told } = await stage(kind, { replies: [asks(['c1']), goesOn({ c1: 42 })] });
  expect(chat).toBe(bare);
  await chat.sendMessage({ text: 'hi' });
  expect(chat.status).toBe('ready');
  await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
  await turns();
  console.log(JSON.stringify(transport.requests.map(r => r.messages), null, 1), told.map(t => t.name + ':' + t.status));
});
