/**
 * Pydantic AI with a gate, through both of its adapters.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agUi } from '../../src/ts/protocols/ag-ui';
import { openPydantic, pydanticRig, type PydanticSession } from './pydantic-ai.rig';
import { startPython, type PythonServer } from './python';
import type { Reply } from './rig';
import { runScenarios } from './scenarios';
import { eventsOf, THREE_CALLS } from './support';
import { codecOf, contextOf } from '../protocols/codecs.js';

const codec = codecOf(agUi);

let server: PythonServer;
beforeAll(async () => {
  server = await startPython('pydantic_server');
}, 90_000);
afterAll(() => server?.close());

describe('the adapter for the AI SDK', () => runScenarios(pydanticRig('vercel', () => server)));
describe('the adapter for AG-UI', () => runScenarios(pydanticRig('ag-ui', () => server)));

const REPLIES: readonly Reply[] = [THREE_CALLS, { text: 'Done.' }, { text: 'Bye.' }, { text: 'Really.' }];

const approvalOf = ({ gate }: PydanticSession, path: string): string =>
  gate.pending().find(({ input }) => (input as { path: string }).path === path)!.approvalId;

describe.each(['vercel', 'ag-ui'] as const)('with the adapter %s', (adapter) => {
  test('a denial has the same text in every turn, and is never a success', async () => {
    const session = await openPydantic(server, adapter, REPLIES, {});
    const { gate, send, prompts } = session;
    const anomalies: unknown[] = [];
    gate.onEvent((event) => void (event.type === 'anomaly' && anomalies.push(event)));
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respond(approvalOf(session, '/a'), { approved: false });
    gate.respond(approvalOf(session, '/b'), { approved: false, reason: 'Not that.' });
    await gate.deliver(send);
    for (const text of ['Thanks.', 'Sure?']) {
      gate.sendUserMessage({ text });
      await gate.deliver(send);
    }
    expect(anomalies).toEqual([]);
    const denials = prompts
      .slice(1)
      .map((prompt) => prompt.filter(({ kind, call }) => kind === 'result' && call !== 'read /r'));
    expect(denials).toHaveLength(3);
    for (const [first, second] of denials) {
      expect(first?.text).toMatch(/denied/);
      expect(second?.text).toMatch(/Not that\./);
      expect([first?.outcome, second?.outcome]).not.toContain('success');
    }
    // With the adapter for AG-UI, the first text is the server's. Later requests contain a history with our texts.
    expect(denials[2]).toEqual(denials[1]);
    if (adapter === 'vercel') expect(denials[1]).toEqual(denials[0]);
  });
});

test('the server refuses unknown fields; our requests have none', async () => {
  const session = await openPydantic(server, 'vercel', REPLIES, {});
  const { gate, send } = session;
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.respondAll({ approved: true });
  const body = JSON.stringify(gate.outgoing()[0]?.body);
  const answered = '"approved":true}';
  expect(body).toContain(answered);
  const headers = { 'content-type': 'application/json' };
  const status = async (sent: string): Promise<number> =>
    (await fetch(`${server.url}/vercel/0`, { method: 'POST', headers, body: sent })).status;
  for (const wrong of [
    '"approved":true,"signature":"s"}',
    '"approved":true,"isAutomatic":true}',
    '"approved":"true"}',
    '"approved":true},"rawInput":{}',
  ]) {
    expect(await status(body.replace(answered, wrong)), wrong).toBe(422);
  }
  await gate.deliver(send);
  expect(session.ran).toEqual(['read /r', 'remove /a', 'remove /b']);
});

test('with the adapter for AG-UI, the tool runs with the input that the user edited', async () => {
  const session = await openPydantic(server, 'ag-ui', REPLIES, {});
  const { gate, send, ran } = session;
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.respond(approvalOf(session, '/a'), { approved: true, input: { path: '/z' } });
  gate.respond(approvalOf(session, '/b'), { approved: false });
  await gate.deliver(send);
  gate.sendUserMessage({ text: 'Thanks.' });
  await gate.deliver(send);
  expect(ran).toEqual(['read /r', 'remove /z']);
  expect(session.prompts[2]).toContainEqual({
    kind: 'result',
    text: 'remove /z: done',
    call: 'remove /z',
    outcome: 'success',
  });
});

test('the server refuses repeated answers with an error, and its reply has no content', async () => {
  const session = await openPydantic(server, 'ag-ui', REPLIES, {});
  const { gate, send, requests } = session;
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.respondAll({ approved: true });
  await gate.deliver(send);
  const { messages, ...rest } = requests[1] as { messages: unknown[] };
  const results = ['call-2', 'call-3'].map((toolCallId) => ({
    id: `r-${toolCallId}`,
    role: 'tool',
    toolCallId,
    content: 'done',
  }));
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const response = await fetch(`${server.url}/ag-ui/${session.chat}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...rest, messages: [...messages, ...results] }),
  });
  const chunks: { type: string }[] = [];
  const read = codec.createReader(contextOf({ emit: (chunk) => void (chunk && chunks.push(chunk)) }));
  const events: { type: string; message?: string }[] = [];
  for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
    events.push(JSON.parse(data));
    read(events.at(-1));
  }
  expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.stringContaining('was already executed') });
  expect(chunks.map(({ type }) => type)).toEqual(['start', 'message-metadata', 'finish']);
});
