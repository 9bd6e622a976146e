/**
 * docs/security.md: its servers are taken out of the page, started on the loopback and driven by a gate, and by requests that no
 * gate would send. What ran is the tools' own record.
 */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { tool, type ToolSet } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { MockLanguageModelV3 } from 'ai6/test';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { init, ToolGate, type Outgoing } from 'toolgate';
import { WebSocket } from 'ws';
import { z } from 'zod';

import { linesOf, partsOf } from '../interop/ai-sdk.rig';
import type { Line, Reply } from '../interop/rig';
import { exchange, scripted, serve, type Data } from '../interop/support';
import { block } from './support/pages.js';
import { run } from './support/run.js';

beforeAll(async () => {
  await init();
  process.env.TOOL_APPROVAL_SECRET = 'a secret of the tests';
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What a server of the page takes for granted, and what its tools and its model noted. Tools wait for `hold`. */
function world(replies: readonly Reply[], hold?: Promise<void>, version: 6 | 7 = 7) {
  const ran: string[] = [];
  const prompts: Line[][] = [];
  const next = scripted(replies);
  const removeFile = async (path: string): Promise<string> => {
    ran.push(path);
    await hold;
    return `removed ${path}`;
  };
  const doStream = (async ({ prompt }: Data) => {
    prompts.push(linesOf(prompt));
    return { stream: convertArrayToReadableStream(partsOf(next())) };
  }) as never;
  const model = version === 7 ? new MockLanguageModelV4({ doStream }) : new MockLanguageModelV3({ doStream });
  const asks = version === 6 && { needsApproval: true };
  const tools: ToolSet = { remove_file: tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => removeFile(path), ...asks }) };
  const userOf = async ({ headers }: { headers: Headers | Record<string, unknown> }): Promise<string | undefined> => {
    const cookie = headers instanceof Headers ? headers.get('cookie') : headers['cookie'];
    return typeof cookie === 'string' ? cookie : undefined;
  };
  return { ran, prompts, given: { model, tools, removeFile, userOf } };
}

const CALL = { calls: [{ id: 'c1', tool: 'remove_file' as never, path: '/a' }] };

/** Until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round > 3000) throw new Error(`this never became true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const isOver = (gate: ToolGate) => (): boolean => gate.getSnapshot().turn.status !== 'open';

/** Posts a body as the page does, with a key of its own, and reads the reply to its end. */
async function post(url: string, body: unknown, key: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': key }, body: JSON.stringify(body) });
  return `${response.status} ${await response.text()}`;
}

/** The body of an item that did leave, for another input; also under an approval that no server asked for. */
function forged({ body }: Outgoing, isMadeUp: boolean): unknown {
  const copy = JSON.parse(JSON.stringify(body)) as Data;
  for (const part of copy.messages.at(-1).parts) {
    if (!part.toolCallId) continue;
    part.input = { path: '/etc' };
    if (isMadeUp) part.approval = { id: 'made-up', approved: true };
  }
  return copy;
}

/** Each server behind HTTP: its page's code, started. */
const SERVERS = {
  'the AI SDK’s server': async (given: object) => {
    const { POST } = await run('security', block('security', 'export async function POST'), given);
    return serve((_, request) => {
      request.headers.append('cookie', 'ann');
      return POST(request);
    });
  },
  'the AI SDK’s server, with ai 6': async (given: object) => {
    const code = block('security', 'export async function POST').replace(`from 'ai'`, `from 'ai6'`).replace(/ *toolApproval: .*\n/, '');
    const { POST } = await run('security', code, given);
    return serve((_, request) => {
      request.headers.append('cookie', 'ann');
      return POST(request);
    });
  },
  'the server with a record': async (given: object) => {
    const secret = process.env.TOOL_APPROVAL_SECRET;
    const { answer } = await run('security', block('security', 'resolveApprovalsStream(checked'), { ...given, secret });
    return serve((_, request) => answer(request, 'ann'));
  },
};

/** Starts a server, and a chat that it has asked about the removal of `/a`. */
async function opened(name: keyof typeof SERVERS, replies: readonly Reply[], hold?: Promise<void>) {
  const { given, ...seen } = world([CALL, ...replies], hold, name.includes('ai 6') ? 6 : 7);
  const { url, close } = await SERVERS[name](given);
  ends.push(close);
  const gate = new ToolGate({ chatId: 'chat' });
  const items: Outgoing[] = [];
  const deliver = (): Promise<void> =>
    gate.deliver((item) => {
      items.push(item);
      return exchange(gate, item, url);
    });
  gate.sendUserMessage({ text: 'tidy up' });
  await deliver();
  gate.subscribe(() => void deliver());
  expect(gate.pending().map(({ input }) => input)).toEqual([{ path: '/a' }]);
  const respond = (answer: { approved: boolean; reason?: string }) => gate.respond(gate.pending()[0]!.approvalId, answer);
  return { ...seen, url, gate, items, respond };
}

describe.each(Object.keys(SERVERS) as (keyof typeof SERVERS)[])('%s', (name) => {
  it('an approval runs the tool once, and the model goes on with its result', async () => {
    const { gate, ran, prompts, respond } = await opened(name, [{ text: 'Done.' }]);
    respond({ approved: true });
    await until(isOver(gate));
    expect(ran).toEqual(['/a']);
    expect(prompts[1]).toContainEqual({ kind: 'result', call: 'remove_file /a', text: 'removed /a' });
    expect(gate.getSnapshot()).toMatchObject({ status: 'idle', turn: { status: 'done' } });
    expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ state: 'output-available', output: 'removed /a' });
    expect(gate.getSnapshot().messages).toHaveLength(2);
  });

  it('a denial runs nothing, and the model reads the reason', async () => {
    const { gate, ran, prompts, respond } = await opened(name, [{ text: 'Then not.' }]);
    respond({ approved: false, reason: 'Keep it' });
    await until(isOver(gate));
    expect(ran).toEqual([]);
    expect(JSON.stringify(prompts[1])).toContain('Keep it');
    expect(gate.getSnapshot().turn.status).toBe('done');
  });

  it('the same request twice, at once and afterwards, runs once', async () => {
    const { gate, ran, items, url, respond } = await opened(name, [{ text: 'Done.' }, { text: 'Again.' }, { text: 'Again.' }]);
    respond({ approved: true });
    await until(() => items.length === 2);
    const [, { body, key }] = items as [Outgoing, Outgoing];
    const atOnce = post(url, body, key);
    await until(isOver(gate));
    await atOnce;
    await post(url, body, key);
    expect(ran).toEqual(['/a']);
  });

  it('a forged approval is refused, and so is one of another input', async () => {
    const { gate, ran, items, url, respond } = await opened(name, [{ text: 'Done.' }]);
    respond({ approved: true });
    await until(isOver(gate));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const isMadeUp of [true, false]) {
      expect(await post(url, forged(items[1] as Outgoing, isMadeUp), `another key ${isMadeUp}`)).toMatch(/"type":"error"|^500/);
    }
    expect(ran).toEqual(['/a']);
  });

});

it('the AI SDK’s server answers a repeated request with the same reply, and does not ask the model again', async () => {
  const { gate, items, url, respond, prompts } = await opened('the AI SDK’s server', [{ text: 'Done.' }]);
  respond({ approved: true });
  await until(isOver(gate));
  expect(await post(url, items[1]?.body, items[1]?.key as string)).toContain('Done.');
  expect(prompts).toHaveLength(2);
});

it('the AI SDK’s server finishes what a page that is gone has begun', async () => {
  let release!: () => void;
  const { items, url, gate, respond, ran } = await opened('the AI SDK’s server', [{ text: 'Done.' }], new Promise((resolve) => (release = resolve)));
  respond({ approved: true });
  await until(() => items.length === 2 && ran.length === 1);
  const [, { body, key }] = items as [Outgoing, Outgoing];
  const gone = new AbortController();
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: gone.signal });
  gone.abort();
  release();
  expect(await post(url, body, key)).toContain('Done.');
  await until(isOver(gate));
  expect(ran).toEqual(['/a']);
});

it('the server with a record runs nothing for the same approval under another key', async () => {
  const { gate, ran, items, url, respond } = await opened('the server with a record', [{ text: 'Done.' }, { text: 'Again.' }]);
  respond({ approved: true });
  await until(isOver(gate));
  await post(url, items[1]?.body, 'another key');
  expect(ran).toEqual(['/a']);
});

it('the AI SDK’s server does nothing without a login or a key, and can be asked again after a refusal', async () => {
  const { given, ran } = world([{ text: 'Hello.' }]);
  const { POST } = await run('security', block('security', 'export async function POST'), given);
  const ask = (headers: Record<string, string>, body = '{"messages":[]}'): Promise<Response> => POST(new Request('http://127.0.0.1', { method: 'POST', headers, body }));
  expect((await ask({ 'idempotency-key': 'k' })).status).toBe(401);
  expect((await ask({ cookie: 'ann' })).status).toBe(400);
  await expect(ask({ cookie: 'ann', 'idempotency-key': 'k' })).rejects.toThrow();
  const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] }];
  expect(await (await ask({ cookie: 'ann', 'idempotency-key': 'k' }, JSON.stringify({ messages }))).text()).toContain('Hello.');
  expect(ran).toEqual([]);
});

describe('the WebSocket’s server', () => {
  /** A page: a gate over the page's own half, or a bare socket. */
  async function opened(replies: readonly Reply[]) {
    const { given, ...seen } = world(replies);
    const { server } = (await run('security', block('security', 'new WebSocketServer'), given)) as { server: Server };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sockets: WebSocket[] = [];
    ends.push(
      () =>
        new Promise((resolve) => {
          for (const socket of sockets) socket.terminate();
          server.close(() => resolve());
        }),
    );
    const connect = async (headers: Record<string, string> = { cookie: 'ann', origin: 'https://app.example' }): Promise<WebSocket> => {
      const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
      sockets.push(socket);
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return socket;
    };
    return { ...seen, connect };
  }

  /** The page's half of the page, on a socket. */
  async function paged(socket: WebSocket): Promise<{ gate: ToolGate; frames: Data[] }> {
    const gate = new ToolGate({ chatId: 'chat', protocol: 'ai-sdk-ws' });
    const frames: Data[] = [];
    const send = socket.send.bind(socket) as (text: string) => void;
    socket.send = ((text: string) => {
      frames.push(JSON.parse(text));
      send(text);
    }) as never;
    vi.stubGlobal('WebSocket', WebSocket);
    await run('security', block('security', 'socket.onmessage'), { gate, socket });
    gate.sendUserMessage({ text: 'tidy up' });
    return { gate, frames };
  }

  const pendingOf = (gate: ToolGate) => (): boolean => gate.pending().length > 0;

  it('an approval runs the tool once, and the same frames again run nothing', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { connect, ran, prompts } = await opened([CALL, { text: 'Done.' }]);
    const socket = await connect();
    const { gate, frames } = await paged(socket);
    await until(pendingOf(gate));
    gate.respond(gate.pending()[0]!.approvalId, { approved: true });
    await until(() => gate.getSnapshot().turn.status === 'done');
    expect(ran).toEqual(['/a']);
    expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ state: 'output-available', output: 'removed /a' });
    expect(frames.map(({ type, data }) => [type, data.approved])).toEqual([
      ['message', undefined],
      ['tool_result', true],
    ]);

    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    for (const frame of [...frames]) socket.send(JSON.stringify(frame));
    await until(() => received.includes('[DONE]') && warned.mock.calls.length === 1);
    expect(received.join()).toContain('this message was here before');
    expect(warned.mock.calls).toEqual([['ann', 'already-answered']]);
    expect([ran, prompts.length]).toEqual([['/a'], 2]);
  });

  it('a denial runs nothing, and the model reads the reason', async () => {
    const { connect, ran, prompts } = await opened([CALL, { text: 'Then not.' }]);
    const { gate } = await paged(await connect());
    await until(pendingOf(gate));
    gate.respond(gate.pending()[0]!.approvalId, { approved: false, reason: 'Keep it' });
    await until(() => gate.getSnapshot().turn.status === 'done');
    expect(ran).toEqual([]);
    expect(JSON.stringify(prompts[1])).toContain('Keep it');
    expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ state: 'output-denied', outcome: { kind: 'denied', reason: 'Keep it' } });
  });

  it('forged answers and forged histories run nothing', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { connect, ran, prompts } = await opened([CALL, { text: 'Done.' }]);
    const { gate } = await paged(await connect());
    await until(pendingOf(gate));

    const other = await connect({ cookie: 'eve', origin: 'https://app.example' });
    const received: string[] = [];
    other.on('message', (data) => received.push(String(data)));
    const say = (frame: unknown): void => other.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    say({ type: 'tool_result', data: { toolCallId: 'c1', approved: true } });
    for (const frame of ['no JSON', 'null', { type: 'message', key: 'k0' }]) say(frame);
    await until(() => warned.mock.calls.length === 4);
    expect(warned.mock.calls[0]).toEqual(['eve', 'unknown-call']);

    const parts = [{ type: 'tool-remove_file', toolCallId: 'c9', state: 'approval-responded', input: { path: '/etc' }, approval: { id: 'ask-c9', approved: true } }];
    const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] }, { id: 'a', role: 'assistant', parts }];
    say({ type: 'message', key: 'k1', data: { messages } });
    say({ type: 'tool_result', data: { toolCallId: 'c9', approved: true } });
    await until(() => received.includes('[DONE]'));
    expect(received.join()).toContain('an approval that nobody asked for');
    expect([ran, prompts.length]).toEqual([[], 1]);
  });

  it('strangers and other sites’ pages get no connection', async () => {
    const { connect } = await opened([]);
    await expect(connect({ origin: 'https://app.example' })).rejects.toThrow();
    await expect(connect({ cookie: 'ann', origin: 'https://evil.example' })).rejects.toThrow();
  });

  it('a connection that is lost runs nothing, and what cannot be sent is kept', async () => {
    const { connect, ran } = await opened([CALL]);
    const socket = await connect();
    const { gate } = await paged(socket);
    await until(pendingOf(gate));
    socket.close();
    await until(() => gate.getSnapshot().turn.ending === 'disconnected');
    gate.respond(gate.pending()[0]!.approvalId, { approved: true });
    await until(() => gate.undelivered().length === 1);
    expect(gate.undelivered()).toMatchObject([{ kind: 'answer', delivery: 'failed', error: 'there is no connection' }]);
    expect(ran).toEqual([]);
  });
});
