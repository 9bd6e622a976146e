/**
 * The example tests/crate/axum: a Rust server whose clients resolve approvals over HTTP. Its backend is a real server
 * of the AI SDK with a scripted model.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { aiSdkServer, type AiSdkServer } from '../interop/ai-sdk.server';
import type { Reply } from '../interop/rig';
import type { Data } from '../interop/support';

/** Compiling takes long on a busy machine. */
const COMPILES = 600_000;
const TARGET = at('target/examples');

beforeAll(async () => {
  const manifest = at('tests/crate/axum/Cargo.toml');
  await promisify(execFile)('cargo', ['build', '--quiet', '--locked', '--manifest-path', manifest], {
    env: { ...process.env, CARGO_TARGET_DIR: TARGET },
  });
}, COMPILES);

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Waits until the check passes. */
const seen = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 10 });

/** The example's process, and calls of its API. */
interface Example {
  readonly kill: () => Promise<void>;
  readonly get: (path: string) => Promise<Data>;
  readonly post: (path: string, body?: unknown) => Promise<{ status: number; body: Data }>;
}

async function start(upstream: string, folder: string): Promise<Example> {
  const program: ChildProcess = spawn(join(TARGET, 'debug/toolgate-axum'), [upstream, '127.0.0.1:0', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => program.on('exit', () => resolve()));
  const kill = async (): Promise<void> => {
    program.kill('SIGKILL');
    await ended;
  };
  open.push(kill);
  let printed = '';
  program.stdout!.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await seen(() => expect(printed).toContain('\n'));
  const url = printed.trim();
  return {
    kill,
    get: async (path) => (await fetch(url + path)).json(),
    post: async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body ?? null) });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
  };
}

/** A server of the AI SDK with these replies, and a folder for the chats. */
async function backend(replies: readonly Reply[], before?: () => Promise<Response | undefined>) {
  const server: AiSdkServer = await aiSdkServer(7, replies, before ? { before } : {});
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-axum-'));
  open.push(server.close, () => rmSync(folder, { recursive: true }));
  return { ...server, folder };
}

const ASKS: Reply = { calls: [{ id: 'c1', tool: 'remove', path: '/logs' }] };

/** Sends a message to a new chat. Returns its pending approval. */
async function asked({ get, post }: Example): Promise<Data> {
  expect((await post('/chats/one/messages', { text: 'tidy up' })).status).toBe(202);
  return seen(async () => {
    const { pending } = await get('/chats/one');
    expect(pending).toHaveLength(1);
    return pending[0];
  });
}

/** Waits until the chat waits for nothing but the user's next message. */
const over = ({ get }: Example): Promise<void> =>
  seen(async () => expect((await get('/chats/one')).turn.waitingFor).toEqual([]));

it('an approval that two clients give at once runs the tool once', async () => {
  const { url, folder, ran } = await backend([ASKS, { text: 'Done.' }]);
  const example = await start(url, folder);
  const { approvalId, inputDigest } = await asked(example);
  expect(ran).toEqual([]);
  const decision = { approved: true, inputDigest };
  const path = `/chats/one/approvals/${approvalId}`;
  const answers = await Promise.all([1, 2, 3].map(() => example.post(path, decision)));
  expect(answers.map(({ body }) => body.outcome).toSorted()).toEqual(['accepted', 'duplicate', 'duplicate']);
  await over(example);
  expect(ran).toEqual(['remove /logs']);
  const other = await example.post(path, { approved: false });
  expect([other.status, other.body.code]).toEqual([409, 'already-decided']);
}, 60_000);

it('a denial is read by the model, with its reason', async () => {
  const { url, folder, ran, prompts } = await backend([ASKS, { text: 'I kept them.' }]);
  const example = await start(url, folder);
  const { approvalId } = await asked(example);
  await example.post(`/chats/one/approvals/${approvalId}`, { approved: false, reason: 'still needed' });
  await over(example);
  expect(ran).toEqual([]);
  expect(prompts.at(-1)!.filter(({ kind }) => kind === 'result')).toEqual([
    { kind: 'result', call: 'remove /logs', text: 'denied: still needed' },
  ]);
}, 60_000);

it('what is no decision is refused, and nothing runs', async () => {
  const { url, folder, ran } = await backend([ASKS]);
  const example = await start(url, folder);
  const { approvalId, inputDigest } = await asked(example);
  const refused: [string, unknown, number][] = [
    [`one/approvals/${approvalId}`, { approved: 'true' }, 422],
    [`one/approvals/${approvalId}`, { inputDigest }, 422],
    [`one/approvals/${approvalId}`, { approved: true }, 400],
    [`one/approvals/${approvalId}`, { approved: true, inputDigest: '0'.repeat(64) }, 409],
    ['one/approvals/c1', { approved: true, inputDigest }, 404],
    ['one/retry/99', undefined, 404],
    ['one/messages', { text: '' }, 400],
    ['..%2Fone/messages', { text: 'hello' }, 400],
  ];
  for (const [path, body, status] of refused)
    expect([path, (await example.post(`/chats/${path}`, body)).status]).toEqual([path, status]);
  expect(ran).toEqual([]);
  expect((await example.get('/chats/one')).pending).toHaveLength(1);
}, 60_000);

it('a killed server still has the pending approval', async () => {
  const { url, folder, ran } = await backend([ASKS, { text: 'Done.' }]);
  const first = await start(url, folder);
  const { approvalId, inputDigest } = await asked(first);
  await first.kill();
  const second = await start(url, folder);
  expect((await second.get('/chats/one')).pending).toHaveLength(1);
  await second.post(`/chats/one/approvals/${approvalId}`, { approved: true, inputDigest });
  await over(second);
  expect(ran).toEqual(['remove /logs']);
}, 60_000);

it('a request that was in flight when the server was killed is sent again only if a client wants it', async () => {
  let [requests, hangs] = [0, false];
  const { url, folder, ran } = await backend([ASKS, { text: 'Done.' }], () => {
    requests++;
    return hangs ? new Promise(() => {}) : Promise.resolve(undefined);
  });
  const first = await start(url, folder);
  const { approvalId, inputDigest } = await asked(first);
  hangs = true;
  await first.post(`/chats/one/approvals/${approvalId}`, { approved: true, inputDigest });
  await seen(() => expect(requests).toBe(2));
  await first.kill();
  hangs = false;
  const second = await start(url, folder);
  const [item] = (await second.get('/chats/one')).undelivered;
  expect(item.state).toBe('unconfirmed');
  expect(requests).toBe(2);
  await second.post(`/chats/one/retry/${item.id}`);
  await over(second);
  expect(ran).toEqual(['remove /logs']);
}, 60_000);

it('a message that cannot be stored is refused, and is not there when the client tries again', async () => {
  const { url, folder } = await backend([{ text: 'Paid.' }]);
  const example = await start(url, folder);
  // The file's place is taken by a folder, so that it cannot be written.
  mkdirSync(join(folder, 'one.new'));
  expect((await example.post('/chats/one/messages', { text: 'pay once' })).status).toBe(500);
  rmSync(join(folder, 'one.new'), { recursive: true });
  expect((await example.post('/chats/one/messages', { text: 'pay once' })).status).toBe(202);
  await over(example);
  const { messages } = await example.get('/chats/one');
  expect(messages.map(({ role }: Data) => role)).toEqual(['user', 'assistant']);
}, 60_000);
