/**
 * HTTP on loopback: a guarded chat with the AI SDK's `DefaultChatTransport`, and the AI SDK's `streamText` in a Node
 * server. The tests compare the requests that the server received, byte for byte.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import {
  createUIMessageStreamResponse,
  DefaultChatTransport as Transport7,
  lastAssistantMessageIsCompleteWithApprovalResponses as complete7,
} from 'ai';
import {
  DefaultChatTransport as Transport6,
  lastAssistantMessageIsCompleteWithApprovalResponses as complete6,
} from 'ai6';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { afterEach, describe, expect, test } from 'vitest';

import { Backend, type ModelTurn } from '../bugs/backend';
import { reactChats, type AnyChat, type ChatKind } from './support/chats';
import { initFromFile } from './support/init';
import { turns, until } from '../lib/waiting';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server | undefined;
afterEach(
  () =>
    new Promise<void>((resolve) =>
      server ? (server.closeAllConnections(), server.close(() => resolve())) : resolve(),
    ),
);

async function stage(kind: ChatKind, model: readonly ModelTurn[], fail: (n: number) => boolean = () => false) {
  await initFromFile();
  const received: Received[] = [];
  const backend = new Backend(kind.version, { model });
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => void (body += piece));
    request.on('end', async () => {
      received.push({ headers: request.headers, body });
      if (fail(received.length)) return void response.writeHead(503).end('busy');
      const stream = await backend.transport.sendMessages({ trigger: '', ...JSON.parse(body) });
      const reply = createUIMessageStreamResponse({ stream: stream as never });
      response.writeHead(200, Object.fromEntries(reply.headers.entries()));
      Readable.fromWeb(reply.body as never).pipe(response);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const Transport = kind.version === 7 ? Transport7 : (Transport6 as never as typeof Transport7);
  const chat: AnyChat = guard(
    kind.create({
      id: 'over-http',
      transport: new Transport({ api: `http://127.0.0.1:${port}/api/chat`, headers: { 'x-app': 'yes' } }),
      sendAutomaticallyWhen: kind.version === 7 ? complete7 : complete6,
    }),
  );
  return { chat, received, backend };
}

const approvalOf = (chat: AnyChat, id: string): string => {
  const part = chat.messages.flatMap(({ parts }) => parts).find(({ toolCallId }) => toolCallId === id);
  return (part?.['approval'] as { id: string }).id;
};

describe.each(reactChats)('$name', (kind) => {
  test('three calls, two decided at once and one later: one request with one idempotency key', async () => {
    const { chat, received, backend } = await stage(kind, [
      { calls: ['c1', 'c2', 'c3'].map((id) => ({ id, tool: 'edit', input: { file: id } })) },
      { text: 'done' },
    ]);
    await chat.sendMessage({ text: 'Edit them' });
    await chat.addToolApprovalResponse({ id: approvalOf(chat, 'c1'), approved: true });
    await chat.addToolApprovalResponse({ id: approvalOf(chat, 'c2'), approved: false, reason: 'not this one' });
    await turns();
    expect(received).toHaveLength(1);
    await chat.addToolApprovalResponse({ id: approvalOf(chat, 'c3'), approved: true });
    await until(() => chat.status === 'ready' && received.length === 2);

    expect(backend.ran.toSorted()).toEqual(['edit#c1', 'edit#c3']);
    expect(backend.errors).toEqual([]);
    expect(
      backend.saw[1]!.filter((line) => line.startsWith('result'))
        .map((line) => line.slice(0, 10))
        .toSorted(),
    ).toEqual(['result c1:', 'result c2:', 'result c3:']);
    expect(backend.saw[1]!.join()).toContain('not this one');
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys.every((key) => typeof key === 'string' && key.length >= 16)).toBe(true);
    expect(new Set(keys).size).toBe(2);
    expect(received[0]!.headers['x-app']).toBe('yes');
    const body = JSON.parse(received[1]!.body);
    expect(Object.keys(body).toSorted()).toEqual(['id', 'messageId', 'messages', 'trigger']);
    expect(body).toMatchObject({ id: 'over-http', trigger: 'submit-message', messageId: chat.messages[1]!.id });
    expect(received[1]!.body).not.toContain('"outcome"');
    expect(received[1]!.body).not.toContain('"delivery"');
    const parts = chat.messages[1]!.parts.filter((part) => 'toolCallId' in part);
    expect(parts.map(({ state }) => state)).toEqual(['output-available', 'output-denied', 'output-available']);
  });

  test('a rejected request is sent again only at the user’s request, byte for byte', async () => {
    const { chat, received, backend } = await stage(
      kind,
      [{ calls: [{ id: 'c1', tool: 'edit' }] }, { text: 'done' }],
      (n) => n === 2,
    );
    await chat.sendMessage({ text: 'Edit it' });
    await chat.addToolApprovalResponse({ id: approvalOf(chat, 'c1'), approved: true });
    await until(() => chat.status === 'error');
    await turns();
    expect(received).toHaveLength(2);
    expect(gateOf(chat).undelivered()).toMatchObject([{ delivery: 'failed', attempt: 1 }]);
    await chat.sendMessage();
    expect(received).toHaveLength(3);
    expect(received[2]!.body).toBe(received[1]!.body);
    expect(received[2]!.headers['idempotency-key']).toBe(received[1]!.headers['idempotency-key']);
    expect(backend.ran).toEqual(['edit#c1']);
    expect(chat.status).toBe('ready');
  });

  test('a message directly after an approval: the tool runs before the reply to the message', async () => {
    const { chat, received, backend } = await stage(kind, [
      { calls: [{ id: 'c1', tool: 'edit' }] },
      { text: 'edited' },
      { text: 'sure' },
    ]);
    await chat.sendMessage({ text: 'Edit it' });
    await Promise.all([
      chat.addToolApprovalResponse({ id: approvalOf(chat, 'c1'), approved: true }),
      chat.sendMessage({ text: 'And then?' }),
    ]);
    expect(received).toHaveLength(3);
    expect(backend.ran).toEqual(['edit#c1']);
    expect(backend.errors).toEqual([]);
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });
});
