/**
 * LangGraph in Python in every scenario, in both modes of its middleware.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { langgraphPython } from './langgraph-python.rig';
import { startPython, type PythonServer } from './python';
import { runScenarios } from './scenarios';

let server: PythonServer | undefined;
beforeAll(async () => {
  server = await startPython('langgraph_server');
}, 60_000);
afterAll(() => server?.close());

runScenarios(langgraphPython('batched', () => server as PythonServer));
runScenarios(langgraphPython('per_call', () => server as PythonServer));

test.each(['batched', 'per_call'] as const)(
  'LangGraph in Python, %s: a tool runs with an edited input, and the model reads the result of a browser tool',
  async (mode) => {
    const calls = [
      ...['/a', '/b', '/c'].map((path) => ({ id: path, tool: 'remove' as const, path })),
      { id: '/d', tool: 'send' as const, path: '/d' },
    ];
    const { gate, ran, send, bodies, prompts } = await langgraphPython(mode, () => server as PythonServer).open(
      [{ calls }, { text: 'Done.' }],
      { browserTools: ['send'] },
    );
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    const approvals = new Map(gate.pending().map(({ toolCallId, approvalId }) => [toolCallId, approvalId]));
    gate.respond(approvals.get('/a') as string, { approved: true, input: { path: '/z' } });
    gate.respond(approvals.get('/b') as string, { approved: true });
    gate.respond(approvals.get('/c') as string, { approved: false, reason: 'No.' });
    gate.respond(approvals.get('/d') as string, { approved: true });
    gate.addToolOutput('/d', { output: { sent: true } });
    await gate.deliver(send);
    const said = [
      { type: 'edit', edited_action: { name: 'remove', args: { path: '/z' } } },
      { type: 'approve' },
      { type: 'reject', message: 'No.' },
      { type: 'respond', message: '{"sent":true}' },
    ];
    const { resume } = bodies.at(-1).command;
    // Answers name the interrupt's id, both for a single interrupt and for one per call.
    const answers = Object.values<unknown>(resume);
    expect(mode === 'batched' ? answers : [{ decisions: answers }]).toEqual([{ decisions: said }]);
    expect([...ran].sort()).toEqual(['remove /b', 'remove /z']);
    expect(
      prompts[1]
        ?.filter(({ kind }) => kind === 'result')
        .map(({ call, text }) => [call, text?.split('\n').at(-1)])
        .sort(),
    ).toEqual([
      ['remove /a', 'remove /z: done'],
      ['remove /b', 'remove /b: done'],
      ['remove /c', 'User rejected the tool call for `remove` with reason: No.'],
      ['send /d', '{"sent":true}'],
    ]);
    expect(gate.undelivered()).toEqual([]);
  },
);
