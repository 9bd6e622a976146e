/**
 * Cloudflare's chat agents, in every scenario; with browser tools, two tabs, and a request that arrives twice.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cloudflare, startCloudflare } from './cloudflare.rig';
import { runInterruptions } from './interruptions';
import type { Reply } from './rig';
import { runScenarios } from './scenarios';
import type { Data } from './support';

vi.setConfig({ testTimeout: 20_000 });

let worker: Awaited<ReturnType<typeof startCloudflare>>;
beforeAll(async () => {
  worker = await startCloudflare();
}, 60_000);
afterAll(() => worker.close());

runScenarios(cloudflare(() => worker));
runInterruptions(cloudflare(() => worker));

const LOCATE = [
  { calls: [{ id: 'call-1', tool: 'locate', path: '/x' }] },
  { text: 'Done.' },
  { text: 'Bye.' },
] as unknown as Reply[];

test.each([
  ['the result', { output: 'at home' }, 'at home'],
  ['the failure', { errorText: 'No permission.' }, 'No permission.'],
])('Cloudflare: the agent receives %s of a browser tool, and continues', async (_, output, told) => {
  const { gate, send, prompts, frames, close } = await worker.open(LOCATE, { browserTools: ['locate'] });
  gate.sendUserMessage({ text: 'Where am I?' });
  await gate.deliver(send);
  gate.addToolOutput('call-1', output);
  await gate.deliver(send);
  expect(prompts[1]?.at(-1)).toMatchObject({ kind: 'result', text: told });
  expect(frames.at(-1)).toMatchObject({ done: true });
  expect([gate.getSnapshot().status, gate.outgoing(), gate.undelivered()]).toEqual(['idle', [], []]);
  await close?.();
});

test('Cloudflare: a decision in one tab closes the approval in the other', async () => {
  const replies: Reply[] = [
    {
      calls: [
        { id: 'call-1', tool: 'remove', path: '/a' },
        { id: 'call-2', tool: 'remove', path: '/b' },
      ],
    },
    { text: 'Done.' },
  ];
  const mine = await worker.open(replies, {});
  mine.gate.sendUserMessage({ text: 'Go.' });
  await mine.gate.deliver(mine.send);
  const other = await worker.join(mine, {});
  expect(other.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['call-1', 'call-2']);
  const [first, second] = mine.gate.pending();
  mine.gate.respond(first!.approvalId, { approved: true });
  await mine.gate.deliver(mine.send);
  await other.until(({ type }: Data) => type === 'cf_agent_message_updated');
  expect(other.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['call-2']);
  mine.gate.respond(second!.approvalId, { approved: false });
  await mine.gate.deliver(mine.send);
  await other.until(
    ({ type, messages = [] }: Data) =>
      type === 'cf_agent_chat_messages' && messages.at(-1)?.parts.some(({ text }: Data) => text === 'Done.'),
  );
  expect(other.gate.pending()).toEqual([]);
  expect(mine.ran).toEqual(['remove /a']);
  await mine.close?.();
  await other.close?.();
});

test('Cloudflare: a request that arrives twice deletes no messages', async () => {
  const { gate, send, prompts, close } = await worker.open(
    [{ text: 'One.' }, { text: 'Two.' }, { text: 'Two, again.' }],
    {},
  );
  gate.sendUserMessage({ text: 'First.' });
  await gate.deliver(send);
  gate.sendUserMessage({ text: 'Second.' });
  const item = gate.outgoing()[0]!;
  await gate.deliver(send);
  await send(item);
  expect(prompts.at(-1)?.map(({ text }) => text)).toEqual(['First.', 'One.', 'Second.']);
  await close?.();
});
