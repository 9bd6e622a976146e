/**
 * "Backend Tool Approval Implementation Analysis": a tool on the server waits for the browser's answer over a
 * WebSocket, and must receive a rejection as a rejection. A proposal with this title for another project, which is not
 * in this repository, lists issues and a plan of tests. The numbers in the names of tests are those of its lists.
 *
 * The server is `streamText` of the AI SDK with a scripted model; see tests/interop/ai-sdk-ws.rig.ts.
 */
import type { GateEvent, ToolGateOptions, ToolPart } from 'toolgate';
import { ToolRejectedError, ToolTimeoutError } from 'toolgate/server';
import { afterEach, describe, expect, test } from 'vitest';

import { aiSdkWs, type WsOptions, type WsSession } from '../interop/ai-sdk-ws.rig';
import type { ScriptedCall } from '../interop/rig';

const REMOVE: ScriptedCall = { id: 'call-1', tool: 'remove', path: '/a' };
const SEND: ScriptedCall = { id: 'call-2', tool: 'send', path: '/b' };
const DENIED = { success: false, error: 'User denied permission', denied: true };

let current: WsSession | undefined;
afterEach(async () => {
  await current?.close?.();
  current = undefined;
});

/** A session in which the model has called the tools. Their approvals are pending. */
async function asked(
  calls: readonly ScriptedCall[],
  options: WsOptions = {},
  gate: ToolGateOptions = {},
): Promise<WsSession> {
  const session = (current = await aiSdkWs(options).open([{ calls }, { text: 'I see.' }, { text: 'Bye.' }], gate));
  session.gate.sendUserMessage({ text: 'Tidy up.' });
  await deliver(session);
  return session;
}

const deliver = ({ gate, send }: WsSession): Promise<void> => gate.deliver(send);

async function answer(session: WsSession, call: ScriptedCall, approved: boolean, reason?: string): Promise<void> {
  const approval = session.gate.pending().find(({ toolCallId }) => toolCallId === call.id);
  session.gate.respond(approval?.approvalId ?? '', { approved, ...(reason !== undefined && { reason }) });
  await deliver(session);
}

const part = ({ gate }: WsSession, { id }: ScriptedCall): ToolPart =>
  gate
    .getSnapshot()
    .messages.flatMap((message) => message.parts)
    .find((one): one is ToolPart => 'toolCallId' in one && one.toolCallId === id)!;

/** The result of a call in the model's last prompt. */
const read = ({ prompts }: WsSession, { tool, path }: ScriptedCall): string | undefined =>
  prompts.at(-1)?.find(({ kind, call }) => kind === 'result' && call === `${tool} ${path}`)?.text;

/** The frames with decisions. */
const answers = ({ sent }: WsSession): unknown[] => sent.filter(({ type }) => type === 'tool_result');

describe('the issues', () => {
  test('1. a rejection is reported as a rejection, and never as a result', async () => {
    const session = await asked([REMOVE]);
    await answer(session, REMOVE, false);
    expect(answers(session)).toEqual([
      { type: 'tool_result', data: { toolCallId: 'call-1', approved: false, status: 'rejected' } },
    ]);
    expect(session.waits).toMatchObject([{ call: 'remove /a', error: { name: 'ToolRejectedError' } }]);
  });

  test('2. the waiting tool distinguishes a rejection from a result: it throws a separate exception', async () => {
    const session = await asked([REMOVE, SEND]);
    await answer(session, REMOVE, false, 'Not that one.');
    await answer(session, SEND, true);
    const [first, second] = session.waits;
    expect(first?.error).toBeInstanceOf(ToolRejectedError);
    expect(first?.error).toMatchObject({ toolCallId: 'call-1', reason: 'Not that one.' });
    expect(second).toEqual({ call: 'send /b', result: true });
    expect(session.ran).toEqual(['send /b']);
  });

  test('4. a rejection sends one approval response and no output, not even later', async () => {
    const session = await asked([REMOVE]);
    await answer(session, REMOVE, false, 'User denied permission');
    session.gate.sendUserMessage({ text: 'Thanks.' });
    await deliver(session);
    expect(session.sent.map(({ type }) => type)).toEqual(['message', 'tool_result', 'message']);
    expect(answers(session)).toEqual([
      {
        type: 'tool_result',
        data: { toolCallId: 'call-1', approved: false, status: 'rejected', reason: 'User denied permission' },
      },
    ]);
    expect(JSON.stringify(session.sent)).not.toMatch(/"output":|"success"|"result"/);
    expect(() => session.gate.addToolOutput('call-1', { output: DENIED })).toThrow(
      expect.objectContaining({ code: 'already-settled' }),
    );
  });

  test('4. the error that the tool returns to the model does not become an output of the denied call in the page', async () => {
    const session = await asked([REMOVE], { rejected: 'returns' });
    await answer(session, REMOVE, false);
    expect(session.chunks).toContainEqual({ type: 'tool-output-available', toolCallId: 'call-1', output: DENIED });
    expect(part(session, REMOVE)).not.toHaveProperty('output');
    expect(part(session, REMOVE).outcome).toEqual({ kind: 'denied' });
  });
});

describe('phase 1: the flow that works', () => {
  test('1. a tool that needs approval: the request has its own id and the call’s id, and follows the complete input', async () => {
    const session = await asked([REMOVE]);
    expect(session.gate.pending()).toMatchObject([
      { approvalId: 'approval-call-1', toolCallId: 'call-1', toolName: 'remove', input: { path: '/a' } },
    ]);
    expect(part(session, REMOVE)).toMatchObject({ state: 'approval-requested', approval: { id: 'approval-call-1' } });
    expect([session.ran, answers(session)]).toEqual([[], []]);
  });

  test('2. the delegate waits, and receives the result that the browser sent', async () => {
    const session = await asked([REMOVE], { runs: 'browser' }, { browserTools: ['remove'] });
    await answer(session, REMOVE, true);
    session.gate.addToolOutput('call-1', { output: { success: true } });
    await deliver(session);
    expect(session.waits).toEqual([{ call: 'remove /a', result: { success: true } }]);
    // A permission alone would not answer a tool that waits for the browser's result, so one frame contains both.
    expect(answers(session)).toEqual([
      {
        type: 'tool_result',
        data: { toolCallId: 'call-1', approved: true, status: 'approved', result: { success: true } },
      },
    ]);
    expect(session.refused).toEqual([]);
  });

  test('3. the full flow, approved: the tool runs once, and the model reads its result', async () => {
    const session = await asked([REMOVE]);
    await answer(session, REMOVE, true);
    expect(answers(session)).toEqual([
      { type: 'tool_result', data: { toolCallId: 'call-1', approved: true, status: 'approved' } },
    ]);
    expect([session.ran, read(session, REMOVE)]).toEqual([['remove /a'], 'remove /a: done']);
    expect(part(session, REMOVE)).toMatchObject({
      state: 'output-available',
      output: 'remove /a: done',
      outcome: { kind: 'executed' },
    });
    expect(session.gate.getSnapshot().turn).toMatchObject({ status: 'done', ending: 'finished' });
  });
});

describe('phase 2: rejection', () => {
  test('4. the delegate’s wait ends with the rejection, and its reason', async () => {
    const session = await asked([REMOVE]);
    await answer(session, REMOVE, false, 'Too dangerous.');
    expect(session.waits).toMatchObject([{ error: { toolCallId: 'call-1', reason: 'Too dangerous.' } }]);
    expect(read(session, REMOVE)).toContain('Too dangerous.');
  });

  test('5. the full flow, rejected: the tool returns the proposal’s error to the model, and never runs', async () => {
    const session = await asked([REMOVE], { rejected: 'returns' });
    await answer(session, REMOVE, false);
    expect(session.ran).toEqual([]);
    const output = session.chunks.find(({ type }) => type === 'tool-output-available')?.output;
    expect(output).toEqual(DENIED);
    expect(session.prompts).toHaveLength(2);
    session.gate.sendUserMessage({ text: 'Thanks.' });
    await deliver(session);
    expect(read(session, REMOVE)).toMatch(/denied/);
    expect(session.ran).toEqual([]);
  });

  test('5. a rejected browser tool sends one answer and no result', async () => {
    const session = await asked([REMOVE], { runs: 'browser' }, { browserTools: ['remove'] });
    await answer(session, REMOVE, false, 'No.');
    expect(answers(session)).toEqual([
      { type: 'tool_result', data: { toolCallId: 'call-1', approved: false, status: 'rejected', reason: 'No.' } },
    ]);
    expect(session.waits).toMatchObject([{ error: { reason: 'No.' } }]);
  });

  test('each call is answered separately, at once, while the others wait', async () => {
    const session = await asked([REMOVE, SEND]);
    await answer(session, SEND, true);
    expect([session.ran, session.gate.pending().length, session.prompts.length]).toEqual([['send /b'], 1, 1]);
    await answer(session, REMOVE, false);
    expect(answers(session)).toHaveLength(2);
    expect([read(session, SEND), session.prompts.length]).toEqual(['send /b: done', 2]);
  });

  test('a browser tool that failed sends its error, and its approval', async () => {
    const session = await asked([REMOVE], { runs: 'browser' }, { browserTools: ['remove'] });
    await answer(session, REMOVE, true);
    session.gate.addToolOutput('call-1', { errorText: 'no such file' });
    await deliver(session);
    expect(answers(session).at(-1)).toEqual({
      type: 'tool_result',
      data: {
        toolCallId: 'call-1',
        approved: true,
        status: 'approved',
        result: { success: false, error: 'no such file' },
      },
    });
  });
});

describe('phase 3: errors', () => {
  test('6. an answer without a call id is refused, and the tool continues to wait', async () => {
    const session = await asked([REMOVE]);
    await session.frame({ type: 'tool_result', data: { approved: false } });
    await session.frame({ type: 'tool_result' });
    expect(session.refused).toEqual(['missing-call-id', 'missing-call-id']);
    await answer(session, REMOVE, true);
    expect(session.ran).toEqual(['remove /a']);
  });

  test('6. an answer for a call that does not wait is refused', async () => {
    const session = await asked([REMOVE]);
    await session.frame({ type: 'tool_result', data: { toolCallId: 'other', approved: false } });
    expect([session.refused, session.waits]).toEqual([['unknown-call'], []]);
  });

  test('7. an approval without its result is refused where the browser runs the tool', async () => {
    const session = await asked([REMOVE], { runs: 'browser' }, { browserTools: ['remove'] });
    await session.frame({ type: 'tool_result', data: { toolCallId: 'call-1', approved: true, status: 'approved' } });
    expect([session.refused, session.waits]).toEqual([['missing-result'], []]);
  });

  test('8. without an answer the wait ends as a timeout, the model reads that, and the approval is no longer pending', async () => {
    const session = (current = await aiSdkWs({ timeoutMs: 30 }).open([{ calls: [REMOVE] }, { text: 'I see.' }], {}));
    const events: GateEvent[] = [];
    session.gate.onEvent((event) => void events.push(event));
    session.gate.sendUserMessage({ text: 'Tidy up.' });
    await deliver(session);
    for (let round = 0; session.prompts.length < 2 && round < 500; round++)
      await new Promise((resolve) => setTimeout(resolve, 2));
    await session.settled();
    expect(session.waits[0]?.error).toBeInstanceOf(ToolTimeoutError);
    expect([session.ran, session.gate.pending(), answers(session)]).toEqual([[], [], []]);
    expect(read(session, REMOVE)).toContain('No answer to tool call');
    expect(part(session, REMOVE)).toMatchObject({ state: 'output-error', outcome: { kind: 'failed' } });
    expect(() => session.gate.respond('approval-call-1', { approved: true })).toThrow();
    // An answer after the timeout is ignored.
    await session.frame({ type: 'tool_result', data: { toolCallId: 'call-1', approved: true } });
    expect([session.refused, session.ran]).toEqual([['too-late'], []]);
  });

  test('a second answer is refused: the first one counts', async () => {
    const session = await asked([REMOVE, SEND]);
    await answer(session, REMOVE, false);
    await session.frame({ type: 'tool_result', data: { toolCallId: 'call-1', approved: true } });
    expect([session.refused, session.ran]).toEqual([['already-answered'], []]);
    expect(session.gate.respond('approval-call-1', { approved: false })).toBe('duplicate');
    expect(() => session.gate.respond('approval-call-1', { approved: true })).toThrow(
      expect.objectContaining({ code: 'already-decided' }),
    );
    expect(session.gate.outgoing()).toEqual([]);
  });
});
