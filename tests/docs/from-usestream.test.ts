/**
 * docs/from-usestream.md: its component shows a LangGraph thread in LangChain's messages, and its function opens a
 * thread that waits. The server is that of the rig.
 */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { ToolGate } from 'toolgate';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { DONE } from '../interop/acts';
import { langgraph } from '../interop/langgraph.rig';
import { reach, runFile } from '../interop/pages/page';
import { until } from './support/world.js';

const PAGE = 'from-usestream';
const THREAD = '6a5f8dcd-3d3b-4b0c-9d4e-0a0c8f3f4a11';

afterEach(() => vi.restoreAllMocks());

test('a thread is opened while it waits, and shown in LangChain’s messages', async () => {
  const calls = (['/a', '/b'] as const).map((path) => ({ id: path, tool: 'remove' as const, path }));
  const session = await langgraph().open([{ calls: [calls[0]!] }, { calls: [calls[1]!] }, DONE], {});
  onTestFinished(() => session.close?.());
  reach(PAGE, { 'http://localhost:2024': session.url! });
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(THREAD);
  const { gate: first } = (await runFile(PAGE, 'src/chat.ts')) as { gate: ToolGate };
  const { toMessages } = await runFile(PAGE, 'src/to-messages.ts');
  first.sendUserMessage({ text: 'Tidy up.' });
  await until(() => first.pending().length === 1);
  const head = [
    { type: 'human', content: 'Tidy up.' },
    { type: 'ai', content: '', tool_calls: [{ id: '/a', name: 'remove', args: { path: '/a' } }] },
  ];
  expect(toMessages(first.getSnapshot().messages)).toMatchObject(head);

  const { openThread } = await runFile(PAGE, 'src/open-thread.ts');
  const gate: ToolGate = await openThread(THREAD);
  const next = async (path: string, approved: boolean): Promise<void> => {
    await until(() => gate.pending().length === 1);
    expect(gate.pending()).toMatchObject([{ toolName: 'remove', input: { path } }]);
    gate.respond(gate.pending()[0]!.approvalId, approved ? { approved } : { approved, reason: 'Keep it.' });
  };
  await next('/a', false);
  await next('/b', true);
  await until(() => gate.getSnapshot().turn.status === 'done');
  expect(session.ran).toEqual(['remove /b']);
  const messages = toMessages(gate.getSnapshot().messages);
  expect(messages).toMatchObject([
    ...head,
    { type: 'tool', tool_call_id: '/a', status: 'error', content: 'Keep it.' },
    { type: 'ai', tool_calls: [{ id: '/b' }] },
    { type: 'tool', tool_call_id: '/b', status: 'success', content: 'remove /b: done' },
    { type: 'ai', content: 'Done.', tool_calls: [] },
  ]);
  expect(new Set(messages.map(({ id }: { id: string }) => id)).size).toBe(messages.length);
});

test('the component renders', async () => {
  const { Chat } = await runFile(PAGE, 'src/Chat.tsx');
  expect(renderToString(createElement(Chat))).toMatch(/<tool-approvals.*Send/);
});
