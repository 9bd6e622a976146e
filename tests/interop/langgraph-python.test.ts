/**
 * LangGraph in Python in every scenario, in both modes of its middleware.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { langgraph as codec } from '../../src/ts/codecs/langgraph.js';
import { langgraphPython } from './langgraph-python.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';
import type { Data } from './support';

let server: PythonServer | undefined;
beforeAll(async () => {
  server = await startPython('langgraph_server');
}, 60_000);
afterAll(() => server?.close());

runScenarios(langgraphPython('batched', () => server as PythonServer));
runScenarios(langgraphPython('per_call', () => server as PythonServer));

test.each(['batched', 'per_call'] as const)('LangGraph in Python, %s: an edited input, and a result that the browser gives', async (mode) => {
  const calls = ['/a', '/b', '/c'].map((path) => ({ id: path, tool: 'remove' as const, path }));
  const { gate, ran, send, bodies, prompts } = await langgraphPython(mode, () => server as PythonServer).open([{ calls }, { text: 'Done.' }], {});
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  const parts: Data[] = gate.getSnapshot().messages[1]!.parts.filter((part: Data) => part.toolCallId);
  const results: Data[] = [{ outcome: 'approved', editedInput: { path: '/z' } }, { outcome: 'executed', output: { gone: true } }, { outcome: 'denied', reason: 'No.' }];
  const decisions = parts.map(({ toolCallId, input, approval }, place) => ({ approvalId: approval.id, toolCallId, toolName: 'remove', input, approval, ...results[place] }));
  gate.respondAll({ approved: true });
  const item = gate.outgoing()[0] as Data;
  gate.claim(item.id);
  await send({ ...item, body: codec.body([], { chatId: 'chat', history: 'server', decisions, news: [], item, request: { messages: [] }, lose: () => {} } as Data) });
  const said = [{ type: 'edit', edited_action: { name: 'remove', args: { path: '/z' } } }, { type: 'respond', message: '{"gone":true}' }, { type: 'reject', message: 'No.' }];
  const { resume } = bodies.at(-1).command;
  expect(mode === 'batched' ? resume.decisions : Object.values(resume)).toEqual(said);
  expect(ran).toEqual(['remove /z']);
  expect(prompts[1]?.filter(({ kind }) => kind === 'result').map(({ call, text }) => [call, text?.split('\n').at(-1)]).sort()).toEqual([
    ['remove /a', 'remove /z: done'],
    ['remove /b', '{"gone":true}'],
    ['remove /c', 'User rejected the tool call for `remove` with reason: No.'],
  ]);
});
