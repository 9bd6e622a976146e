/**
 * The servers that people copy: those of docs/server-frameworks.md on the real Hono, Express and Fastify, of the quick
 * starts, of docs/nextjs.md and of the starters. They run in processes of their own, with a scripted model. A guarded
 * chat approves a call; then the server gets what an attacker posts, and a database that fails.
 */
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import Database from 'better-sqlite3';
import { transform } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { init } from 'toolgate';
import { guard } from 'toolgate/ai-sdk';
import { afterEach, beforeAll, expect, test } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { freePort } from '../lib/free-port';
import { until } from '../lib/waiting';
import { appOf } from './support/blocks.js';
import { block } from './support/pages.js';
import { withSqliteOf } from './support/sqlite.js';

beforeAll(() => init());

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Serves `answer` of chat.js, as the frameworks of the pages without a server of their own do. */
const SERVE = `import { serve } from '@hono/node-server';
import { answer } from './chat.js';
serve({ fetch: answer, hostname: '127.0.0.1', port: Number(process.env.PORT) });`;

/** The JavaScript of a file for SERVE. */
async function chatOf(typescript: string): Promise<string> {
  const { code } = await transform(typescript.replaceAll(/'\.\/(scripted-)?model(\.ts)?'/g, "'./model.js'"), {
    loader: 'ts',
  });
  return code.replaceAll('"node:sqlite"', "'node:sqlite'");
}

const starter = (path: string): string => readFileSync(at('www/starters/react/server', path), 'utf8');

/** The files of each server, and its program. */
const SERVERS: Readonly<Record<string, () => Promise<Record<string, string>> | Record<string, string>>> = {
  'hono.js': () => appOf('docs/server-frameworks.md'),
  'express.js': () => appOf('docs/server-frameworks.md'),
  'fastify.js': () => appOf('docs/server-frameworks.md'),
  'server.js': () => ({ 'server.js': appOf('docs/start-react.md')['server.js']!.replace('3001', 'process.env.PORT') }),
  'next.js': async () => ({
    'next.js': SERVE,
    'chat.js': await chatOf(
      appOf('docs/nextjs.md')['server/answer.ts']!.replace(
        '=> `${path}',
        '=> console.log(`deleted ${path}`) ?? `${path}',
      ),
    ),
  }),
  'starter.js': async () => ({
    'starter.js': SERVE,
    'chat.js': await chatOf(starter('chat.ts')),
    'model.js': await chatOf(starter('scripted-model.ts')),
  }),
};

/** A server that accepts requests. */
interface Started {
  readonly url: string;
  readonly folder: string;
  /** Its output. */
  readonly printed: () => string[];
}

/** Starts a server. Resolves when it accepts requests. */
async function start(file: string): Promise<Started> {
  const folder = at('target/docs-run', `server-frameworks-${file}-${process.pid}-${ends.length}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = { 'model.js': block('start-react', "'ai/test'"), ...(await SERVERS[file]!()) };
  if (/hono|express|fastify/.test(file)) files['model.js'] = block('start-react', "'ai/test'");
  for (const [path, text] of Object.entries(files))
    if (!path.includes('/')) writeFileSync(join(folder, path), withSqliteOf('better-sqlite3', text));
  const port = await freePort();
  const server = spawn(process.execPath, [file], { cwd: folder, env: { PORT: String(port), PATH: process.env.PATH } });
  ends.push(async () => {
    const isEnded = once(server, 'exit');
    server.kill('SIGKILL');
    await isEnded;
    rmSync(folder, { recursive: true, force: true });
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += String(text)));
  const url = `http://127.0.0.1:${port}/api/chat`;
  for (let attempt = 0; ; attempt += 1) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return { url, folder, printed: () => output.split('\n').filter(Boolean) };
    if (attempt === 300 || server.exitCode !== null) throw new Error(`${file} did not start: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test.each(Object.keys(SERVERS))('a guarded chat approves a call on %s', async (file) => {
  const { url, printed, folder } = await start(file);
  const posts: { headers: HeadersInit; body: string }[] = [];
  const transport = new DefaultChatTransport({
    api: url,
    fetch: (address, options) => {
      posts.push({ headers: options!.headers!, body: String(options!.body) });
      return fetch(address, options);
    },
  });
  const chat = guard(new Chat({ transport }));

  // Longer than the default limit of Express.
  await chat.sendMessage({ text: `Delete notes.txt ${'x '.repeat(750_000)}` });
  expect(chat.error).toBeUndefined();
  const part = chat.lastMessage!.parts.find(({ type }) => type === 'tool-deleteFile') as {
    approval: { id: string };
  };
  expect(printed()).toEqual([]);
  await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
  await until(() => chat.status === 'ready' && JSON.stringify(chat.lastMessage!.parts).includes('I was told'));
  expect(JSON.stringify(chat.lastMessage!.parts)).toContain('notes.txt is deleted');
  expect(printed()).toEqual(['deleted notes.txt']);

  // The same request once more, as a browser repeats it: the same reply, and the tool does not run again.
  const { headers, body } = posts.at(-1)!;
  const again = await fetch(url, { method: 'POST', headers, body });
  expect(again.status).toBe(200);
  expect(await again.text()).toContain('notes.txt is deleted');
  expect(printed()).toEqual(['deleted notes.txt']);

  // What an attacker posts, with keys of their own: see docs/security.md.
  const attacks: [string, (text: string) => string][] = [
    ['the same approval again', (text) => text],
    ['an approval that was never requested', (text) => text.replaceAll(part.approval.id, 'made-up')],
    ['the approval of another input', (text) => text.replaceAll('"path":"notes.txt"', '"path":"/etc/passwd"')],
    ['the approval in another chat', (text) => text.replace(/"id":"[^"]+"/, '"id":"other"')],
  ];
  for (const [name, change] of attacks) {
    const replies = await Promise.all(
      ['1', '2'].map((n) =>
        fetch(url, { method: 'POST', headers: { ...headers, 'idempotency-key': name + n }, body: change(body) }),
      ),
    );
    for (const reply of replies) {
      const text = await reply.text();
      if (name === attacks[0]![0]) expect(text).toContain('notes.txt is deleted');
      else expect(text, name).toMatch(/"type":"error","errorText":"[^}]*[Tt]he approval/);
    }
  }
  expect(printed().filter((line) => line.startsWith('deleted'))).toEqual(['deleted notes.txt']);
  const refusals = (): number => printed().filter((line) => line.startsWith('toolgate: not-on-record')).length;
  await until(() => refusals() === 6);

  // What is not valid is refused before the record is read: the client and the log say why.
  for (const [change, why] of [
    [(text: string) => text.replace('"approved":true', '"approved":"true"'), /expected boolean|[Ii]nvalid/],
    [(text: string) => text.replaceAll('tool-deleteFile', 'tool-other'), /other/],
    [() => '{"messages":', /JSON/],
  ] as const) {
    const before = printed().length;
    const malformed = { ...headers, 'idempotency-key': `malformed ${before}` };
    const reply = await fetch(url, { method: 'POST', headers: malformed, body: change(body) });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(why)]);
    // Fastify refuses what is not JSON itself, and logs nothing without its option `logger`.
    if (file !== 'fastify.js' || change(body).endsWith('}')) await until(() => printed().length > before);
  }
  expect(printed().filter((line) => line.startsWith('deleted'))).toEqual(['deleted notes.txt']);

  await failingDatabase(url, folder, printed, JSON.parse(body) as { messages: object[] });

  const withoutKey = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(withoutKey.status).toBe(400);
  expect(await withoutKey.text()).toBe('the header idempotency-key is missing');
});

/** Posts messages while the database fails: the log says so, whatever the page gets. */
async function failingDatabase(
  url: string,
  folder: string,
  printed: () => string[],
  body: { readonly messages: object[] },
): Promise<void> {
  const database = new Database(join(folder, 'toolgate.db'));
  const post = async (messages: readonly object[]): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...body, messages }) });
    return reply.text();
  };
  const during = async (when: string, act: () => Promise<void>): Promise<string[]> => {
    const before = printed().length;
    database.exec(`CREATE TRIGGER fails BEFORE INSERT ON toolgate_records WHEN ${when}
      BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    await act().finally(() => database.exec('DROP TRIGGER fails'));
    await until(() => printed().slice(before).join().includes('disk full'));
    return printed().slice(before);
  };
  const ask = async (): Promise<object[]> => {
    const text = await post([body.messages[0]!]);
    const chunks = text.split('\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)) as { type: string; toolCallId: string; approvalId: string }); // prettier-ignore
    const { approvalId, toolCallId } = chunks.find(({ type }) => type === 'tool-approval-request')!;
    const call = { type: 'tool-deleteFile', toolCallId, input: { path: 'notes.txt' }, state: 'approval-responded' };
    const parts = [{ type: 'step-start' }, { ...call, approval: { id: approvalId, approved: true } }];
    return [body.messages[0]!, { id: approvalId, role: 'assistant', parts }];
  };

  // The request of an approval cannot be stored.
  let lost: object[] = [];
  await during("NEW.value LIKE '%approvalId%'", async () => void (lost = await ask()));
  expect(await post(lost)).toContain('The approval is not in the record');

  // The result of a call cannot be stored.
  const asked = await ask();
  const ran = await during("NEW.value LIKE '%executed%'", async () =>
    expect(await post(asked)).toContain('notes.txt is deleted'),
  );
  expect(ran.filter((line) => line.startsWith('deleted'))).toEqual(['deleted notes.txt']);
  expect(await post(asked)).toContain('may have run');

  // The request's key cannot be stored.
  const unclaimed = await ask();
  await during('length(NEW.value) = 36', async () => expect(await post(unclaimed)).toContain('disk full'));

  // The record cannot be read.
  const unread = await ask();
  database.exec("UPDATE toolgate_records SET value = 'damaged' WHERE value LIKE '%approvalId%'");
  expect(await post(unread)).toContain('The server failed.');
  await until(() => printed().join().includes('SyntaxError'));
  database.close();
}
