/** Mastra in every scenario, and with histories from its memory. */
import { expect, test } from 'vitest';
import { mastra, openMastra } from './mastra.rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';
import { gateFor, type Data } from './support';

runScenarios(mastra);
runInterruptions(mastra);

const CALLS = [
  { id: 'call-1', tool: 'read', path: '/r' },
  { id: 'call-2', tool: 'remove', path: '/a' },
  { id: 'call-3', tool: 'send', path: '/c' },
] as const;

test('Mastra: after a reload its memory has the pending calls, and the answer reaches the run', async () => {
  const { gate, send, sendFor, kept, ran, prompts, close } = await openMastra(
    [{ calls: CALLS }, { text: 'Done.' }],
    {},
  );
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  const again = gateFor('mastra', {});
  again.load(JSON.parse(JSON.stringify(await kept())));
  expect(again.pending().map(({ toolCallId, input }) => [toolCallId, input])).toEqual([['call-2', { path: '/a' }]]);
  for (let round = 0; round < 2; round++) {
    again.respondAll({ approved: round === 0, reason: 'Keep it.' });
    await again.deliver(sendFor(again));
  }
  expect(ran).toEqual(['read /r', 'remove /a']);
  expect(prompts.at(-1)?.find(({ call, kind }) => kind === 'result' && call === 'send /c')?.text).toBe('Keep it.');
  // The memory's messages equal those of the stream.
  const last = gateFor('mastra', {});
  last.load(JSON.parse(JSON.stringify(await kept())));
  const outcomes = (of: typeof gate): unknown[] =>
    of
      .getSnapshot()
      .messages.flatMap(({ parts }) => parts as Data[])
      .filter(({ toolCallId }) => toolCallId)
      .map(({ toolCallId, state, outcome }) => [toolCallId, state, outcome]);
  expect(outcomes(last)).toEqual([
    ['call-1', 'output-available', { kind: 'executed' }],
    ['call-2', 'output-available', { kind: 'executed' }],
    ['call-3', 'output-denied', { kind: 'denied', reason: 'Keep it.' }],
  ]);
  expect(outcomes(again)).toEqual(outcomes(last));
  await close?.();
});

test('Mastra: with `history: client` it receives the whole history, with denials and failures', async () => {
  const { gate, send, prompts, close } = await openMastra([{ text: 'Well.' }], { history: 'client' });
  const call = (toolCallId: string, approved: boolean, more: object): object => ({
    type: 'tool-remove',
    toolCallId,
    input: { path: toolCallId },
    approval: { id: `approval-${toolCallId}`, approved, ...(!approved && { reason: 'No.' }) },
    ...more,
  });
  gate.load([
    { id: 'm0', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    {
      id: 'm1',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        call('denied', false, { state: 'output-denied' }),
        call('ran', true, { state: 'output-available', output: { ok: true } }),
        call('failed', true, { state: 'output-error', errorText: 'No such file.' }),
      ],
    },
  ]);
  gate.sendUserMessage({ text: 'And now?' });
  await gate.deliver(send);
  const lines = prompts[0] ?? [];
  expect(lines.filter(({ kind }) => kind === 'call').map(({ call }) => call)).toEqual([
    'remove denied',
    'remove ran',
    'remove failed',
  ]);
  expect(lines.filter(({ kind }) => kind === 'result').map(({ text }) => text)).toEqual([
    'Error: Tool execution was denied by user. No.',
    '[object Object]',
    'No such file.',
  ]);
  expect(lines.filter(({ kind }) => kind === 'user').map(({ text }) => text)).toEqual(['Go.', 'And now?']);
  await close?.();
});

test('Mastra: it receives the result of a browser tool with the call’s input, and continues', async () => {
  const calls = [{ id: 'call-1', tool: 'locate', path: '/x' }] as unknown as typeof CALLS;
  const { gate, send, prompts, close } = await openMastra([{ calls }, { text: 'Done.' }, { text: 'Bye.' }], {
    browserTools: ['locate'],
  });
  gate.sendUserMessage({ text: 'Where am I?' });
  await gate.deliver(send);
  gate.addToolOutput('call-1', { output: 'at home' });
  await gate.deliver(send);
  gate.sendUserMessage({ text: 'Thanks.' });
  await gate.deliver(send);
  expect(prompts.at(-1)?.map(({ text, call }) => text ?? call)).toEqual([
    'Where am I?',
    'locate /x',
    'at home',
    'Done.',
    'Thanks.',
  ]);
  expect([gate.getSnapshot().status, gate.outgoing(), gate.undelivered()]).toEqual(['idle', [], []]);
  await close?.();
});
