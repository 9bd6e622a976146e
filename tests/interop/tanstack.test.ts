/**
 * TanStack AI's `chat()` with a gate.
 */
import { toolDefinition } from '@tanstack/ai';
import { modelMessagesToUIMessages } from '@tanstack/ai/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Reply } from './rig';
import { runScenarios } from './scenarios';
import { done, THREE_CALLS, type Data } from './support';
import { openTanstack, tanstackRig } from './tanstack.rig';

runScenarios(tanstackRig);

const REPLIES: readonly Reply[] = [THREE_CALLS, { text: 'Done.' }, { text: 'Bye.' }];

test('each interrupt of a step has its answer, in the order of the calls, in a run that names the previous run', async () => {
  const { gate, send, ran, requests, close } = await openTanstack(REPLIES, {});
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.respond('approval_call-3', { approved: false });
  gate.respond('approval_call-2', { approved: true });
  await gate.deliver(send);
  expect(requests[1].resume.map(({ interruptId }: Data) => interruptId)).toEqual([
    'approval_call-2',
    'approval_call-3',
  ]);
  expect([requests[1].parentRunId, requests[1].runId === requests[0].runId]).toEqual([requests[0].runId, false]);
  expect(ran).toEqual(['read /r', 'remove /a']);
  await close?.();
});

test('two steps: the interrupts of the second step belong to the run that requested them', async () => {
  const again: Reply = { calls: [{ id: 'call-4', tool: 'send', path: '/c' }] };
  const { gate, send, ran, requests, prompts, close } = await openTanstack([THREE_CALLS, again, { text: 'Done.' }], {});
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  for (let step = 0; step < 2; step++) {
    gate.respondAll({ approved: true });
    await gate.deliver(send);
  }
  expect(requests[2]).toMatchObject({ parentRunId: requests[1].runId, resume: [{ interruptId: 'approval_call-4' }] });
  expect(ran).toEqual(['read /r', 'remove /a', 'remove /b', 'send /c']);
  expect(prompts[2]?.map(({ kind }) => kind)).toEqual([
    'user',
    'call',
    'call',
    'call',
    'result',
    'result',
    'result',
    'call',
    'result',
  ]);
  await close?.();
});

test('a history that TanStack AI stored is loaded, and its pending calls are answered', async () => {
  const first = await openTanstack(REPLIES, {});
  first.gate.sendUserMessage({ text: 'Tidy up.' });
  const snapshots: Data[] = [];
  first.gate.onEvent((event) => void (event.type === 'passthrough' && snapshots.push(event.event)));
  await first.gate.deliver(first.send);
  const second = await openTanstack(REPLIES.slice(1), {});
  const messages = modelMessagesToUIMessages(snapshots.at(-1).messages) as Data[];
  for (const part of messages[1].parts) {
    if (part.name === 'remove')
      Object.assign(part, {
        state: 'approval-requested',
        approval: { id: `approval_${part.id}`, needsApproval: true },
      });
  }
  second.gate.load(messages);
  expect(second.gate.pending().map(({ approvalId }) => approvalId)).toEqual(['approval_call-2', 'approval_call-3']);
  second.gate.respondAll({ approved: true });
  await second.gate.deliver(second.send);
  expect([...second.ran].sort()).toEqual(['read /r', 'remove /a', 'remove /b']);
  await Promise.all([first.close?.(), second.close?.()]);
});

/** Tools, some of which run in the browser. */
function mixedTools(ran: string[]): Data[] {
  const tool = (name: string, needsApproval: boolean): Data =>
    toolDefinition({ name, description: name, inputSchema: z.object({ path: z.string() }), needsApproval });
  const onServer = tool('remove', true).server(({ path }: Data) => {
    ran.push(`remove ${path}`);
    return done('remove', path);
  });
  return [tool('read', false), onServer, tool('send', true)];
}

test('results of browser tools answer their own interrupts, for calls with and without approval', async () => {
  const ran: string[] = [];
  const calls: Reply = {
    calls: [
      { id: 'call-1', tool: 'read', path: '/r' },
      { id: 'call-2', tool: 'remove', path: '/a' },
      { id: 'call-3', tool: 'send', path: '/c' },
    ],
  };
  const { gate, send, requests, prompts, close } = await openTanstack(
    [calls, { text: 'Done.' }],
    { browserTools: ['read', 'send'] },
    mixedTools(ran),
  );
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['call-2', 'call-3']);
  gate.respondAll({ approved: true });
  await gate.deliver(send);
  expect(requests).toHaveLength(1);
  gate.addToolOutput('call-1', { output: { lines: 3 } });
  gate.addToolOutput('call-3', { errorText: 'No network.' });
  await gate.deliver(send);
  expect(requests[1].resume).toEqual([
    { interruptId: 'client_tool_call-1', status: 'resolved', payload: { lines: 3 } },
    { interruptId: 'approval_call-2', status: 'resolved', payload: { approved: true } },
    { interruptId: 'client_tool_call-3', status: 'resolved', payload: { error: 'No network.' } },
  ]);
  expect(ran).toEqual(['remove /a']);
  const told = Object.fromEntries(
    prompts[1]?.filter(({ kind }) => kind === 'result').map(({ call, text }) => [call, text]) ?? [],
  );
  expect(told).toEqual({ 'read /r': '{"lines":3}', 'remove /a': 'remove /a: done', 'send /c': 'No network.' });
  await close?.();
});

test('a cancelled call is reported as cancelled, and the call that waited for it runs', async () => {
  const { gate, send, ran, requests, prompts, close } = await openTanstack(REPLIES, {});
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.cancel();
  await gate.deliver(send);
  expect(requests[1].resume).toEqual(
    ['call-2', 'call-3'].map((id) => ({ interruptId: `approval_${id}`, status: 'cancelled' })),
  );
  expect([ran, prompts[1]?.filter(({ text }) => /cancelled/.test(text ?? '')).length]).toEqual([['read /r'], 2]);
  await close?.();
});

test('the tool runs with the input that the user edited', async () => {
  const { gate, send, ran, requests, prompts, close } = await openTanstack(REPLIES, {});
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.respond('approval_call-2', { approved: true, input: { path: '/z' } });
  gate.respond('approval_call-3', { approved: false });
  await gate.deliver(send);
  gate.sendUserMessage({ text: 'Thanks.' });
  await gate.deliver(send);
  expect(requests[1].resume[0].payload).toEqual({ approved: true, editedArgs: { path: '/z' } });
  expect(ran).toEqual(['read /r', 'remove /z']);
  expect(prompts[2]).toContainEqual({ kind: 'result', text: 'remove /z: done', call: 'remove /z' });
  await close?.();
});

test.each([
  ['a reason', z.strictObject({ reason: z.string().min(5) })],
  [
    'a note and a count',
    z.strictObject({
      note: z.string(),
      count: z.number().min(1),
      of: z.enum(['cost', 'risk']),
      reason: z.string().optional(),
    }),
  ],
])(
  'a rejection whose schema requires %s is valid although the user entered none, so the other call of the step runs',
  async (_, reject) => {
    const ran: string[] = [];
    const tools = ['read', 'remove'].map((name) =>
      toolDefinition({
        name,
        description: name,
        inputSchema: z.object({ path: z.string() }),
        ...(name === 'remove' && { needsApproval: true, approvalSchema: { reject } }),
      } as Data).server(({ path }: Data) => {
        ran.push(`${name} ${path}`);
        return done(name, path);
      }),
    );
    const { gate, send, prompts, close } = await openTanstack(REPLIES, {}, tools);
    const errors: unknown[] = [];
    gate.onEvent((event) => event.type === 'anomaly' && errors.push(event.error.message));
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respond('approval_call-2', { approved: true });
    gate.respond('approval_call-3', { approved: false });
    await gate.deliver(send);
    expect([ran, errors, gate.getSnapshot().turn.status]).toEqual([['read /r', 'remove /a'], [], 'done']);
    expect(prompts[1]?.find(({ kind, call }) => kind === 'result' && call === 'remove /b')?.text).toContain(
      'denied by user',
    );
    await close?.();
  },
);
