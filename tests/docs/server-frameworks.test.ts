/**
 * docs/server-frameworks.md: its servers run in processes of their own, on the real Hono, Express and Fastify, with the
 * scripted model of the quick start. A guarded chat approves a call.
 */
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** Starts a server of the page. Resolves when it accepts requests. */
async function start(file: string): Promise<{ url: string; printed: () => string[] }> {
  const folder = at('target/docs-run', `server-frameworks-${file}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = { ...appOf('docs/server-frameworks.md'), 'model.js': block('start-react', "'ai/test'") };
  for (const [path, text] of Object.entries(files))
    writeFileSync(join(folder, path), withSqliteOf('better-sqlite3', text));
  const port = await freePort();
  const server = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, PORT: String(port) } });
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
    if (isUp) return { url, printed: () => output.split('\n').filter(Boolean) };
    if (attempt === 300 || server.exitCode !== null) throw new Error(`${file} did not start: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test.each(['hono.js', 'express.js', 'fastify.js'])('a guarded chat approves a call on %s', async (file) => {
  const { url, printed } = await start(file);
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
  await chat.sendMessage({ text: `Delete notes.txt ${'x'.repeat(1_500_000)}` });
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
  const refusals = (): number =>
    printed().filter((line) => line.startsWith('toolgate: refused (not-on-record)')).length;
  await until(() => refusals() === 6);

  const withoutKey = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(withoutKey.status).toBe(400);
  expect(await withoutKey.text()).toBe('the header idempotency-key is missing');
});
