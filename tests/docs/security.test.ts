/**
 * docs/security.md: the test extracts its servers for the AI SDK, starts them on the loopback, and sends the requests
 * of a gate and forged requests. Tool runs are read from the tools' own record.
 */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { init, ToolGate, type Outgoing } from 'toolgate';

import { inPage, pageOf } from '../interop/page';
import type { Reply } from '../interop/rig';
import { exchange, serve, type Data } from '../interop/support';
import { ClockedStore } from '../server/records/clocked-store';
import { block } from './support/pages.js';
import { run } from './support/run.js';
import { CALL, until, world } from './support/world.js';

beforeAll(async () => {
  await init();
  process.env.TOOL_APPROVAL_SECRET = 'a secret of the tests';
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
});

const isOver = (gate: ToolGate) => (): boolean => gate.getSnapshot().turn.status !== 'open';

/** Posts a body as the page does, with a new key, and reads the whole reply. */
async function post(url: string, body: unknown, key: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return `${response.status} ${await response.text()}`;
}

/** The body of a sent item with another input, and optionally with an approval that no server has requested. */
function forged({ body }: Outgoing, isMadeUp: boolean): unknown {
  const copy = JSON.parse(JSON.stringify(body)) as Data;
  for (const part of copy.messages.at(-1).parts) {
    if (!part.toolCallId) continue;
    part.input = { path: '/etc' };
    if (isMadeUp) part.approval = { id: 'made-up', approved: true };
  }
  return copy;
}

/** The first server of the page, with its database in memory. */
const first = (): string => block('security', 'export async function POST').replace("'toolgate.db'", "':memory:'");

/** Functions that start the HTTP servers of docs/security.md. */
const SERVERS = {
  'the AI SDK’s server': async (given: object) => {
    const { POST } = await run('security', first(), given);
    return serve((_, request) => {
      request.headers.append('cookie', 'ann');
      return POST(request);
    });
  },
  'the AI SDK’s server, with ai 6': async (given: object) => {
    const code = first()
      .replace(`from 'ai'`, `from 'ai6'`)
      .replace(/ *toolApproval: .*\n/, '');
    const { POST } = await run('security', code, given);
    return serve((_, request) => {
      request.headers.append('cookie', 'ann');
      return POST(request);
    });
  },
  'the server with a record': async (given: object) => {
    const secret = process.env.TOOL_APPROVAL_SECRET;
    const names = { ...given, secret, store: new ClockedStore() };
    const { answer } = await run('security', block('security', 'resolveApprovalsStream(checked'), names);
    return serve(async (_, request) => {
      const { id, messages } = await request.json();
      return answer(messages, { user: 'ann', chat: id });
    });
  },
};

/** Starts a server, and a chat with a pending approval for the removal of `/a`. */
async function opened(name: keyof typeof SERVERS, replies: readonly Reply[], hold?: Promise<void>) {
  const { given, ...seen } = world([CALL, ...replies], hold, name.includes('ai 6') ? 6 : 7);
  const { url, close } = await SERVERS[name](given);
  ends.push(close);
  const gate = inPage(new ToolGate({ chatId: 'chat' }), { chatId: 'chat' });
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
  const respond = (answer: { approved: boolean; reason?: string }) =>
    gate.respond(gate.pending()[0]!.approvalId, answer);
  return { ...seen, url, gate, items, respond };
}

describe.each(Object.keys(SERVERS) as (keyof typeof SERVERS)[])('%s', (name) => {
  it('an approval runs the tool once, and the model continues with its result', async () => {
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
    const { gate, ran, items, url, respond } = await opened(name, [
      { text: 'Done.' },
      { text: 'Again.' },
      { text: 'Again.' },
    ]);
    respond({ approved: true });
    await until(() => items.length === 2);
    const [, { body, key }] = items as [Outgoing, Outgoing];
    const atOnce = post(url, body, key);
    await until(isOver(gate));
    await atOnce;
    await post(url, body, key);
    expect(ran).toEqual(['/a']);
  });

  it('a forged approval and an approval of another input are refused', async () => {
    const { gate, ran, items, url, respond } = await opened(name, [{ text: 'Done.' }]);
    respond({ approved: true });
    await until(isOver(gate));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const isMadeUp of [true, false]) {
      expect(await post(url, forged(items[1] as Outgoing, isMadeUp), `another key ${isMadeUp}`)).toMatch(
        /"type":"error"|^500/,
      );
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

it('the AI SDK’s server finishes the work after its page was closed', async () => {
  let release!: () => void;
  const { items, url, gate, respond, ran } = await opened(
    'the AI SDK’s server',
    [{ text: 'Done.' }],
    new Promise((resolve) => (release = resolve)),
  );
  respond({ approved: true });
  await until(() => items.length === 2 && ran.length === 1);
  const [, { body, key }] = items as [Outgoing, Outgoing];
  pageOf(gate).close();
  pageOf(gate).cut();
  release();
  expect(await post(url, body, key)).toContain('Done.');
  expect(ran).toEqual(['/a']);
});

it('the server with a record runs no call for the same approval with another key', async () => {
  const { gate, ran, items, url, respond } = await opened('the server with a record', [
    { text: 'Done.' },
    { text: 'Again.' },
  ]);
  respond({ approved: true });
  await until(isOver(gate));
  await post(url, items[1]?.body, 'another key');
  expect(ran).toEqual(['/a']);
});

it('the AI SDK’s server does nothing without a login or a key, and accepts the request after a refusal', async () => {
  const { given, ran } = world([{ text: 'Hello.' }]);
  const { POST } = await run('security', first(), given);
  const ask = (headers: Record<string, string>, body = '{"messages":[]}'): Promise<Response> =>
    POST(new Request('http://127.0.0.1', { method: 'POST', headers, body }));
  expect((await ask({ 'idempotency-key': 'k' })).status).toBe(401);
  expect((await ask({ cookie: 'ann' })).status).toBe(400);
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const refused = await ask({ cookie: 'ann', 'idempotency-key': 'k' });
  expect([refused.status, await refused.text(), log.mock.calls.length]).toEqual([400, 'the messages are not valid', 1]);
  const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] }];
  expect(await (await ask({ cookie: 'ann', 'idempotency-key': 'k' }, JSON.stringify({ messages }))).text()).toContain(
    'Hello.',
  );
  expect(ran).toEqual([]);
});
