/**
 * Runs the samples of docs/persistence.md: those for a storage and for a server's history against servers on the
 * loopback, and the one for manual snapshots with a stub of `sessionStorage`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { init, ToolGate, type Outgoing } from 'toolgate';
import type { PersistedChat } from 'toolgate/persist';

import { asking, send } from '../gate/support.js';
import { freshName, persistGate, MemoryStorage, quiet, tab } from '../persist/support.js';
import { appOf } from './support/blocks.js';
import { block } from './support/pages.js';
import { run } from './support/run.js';

await init();

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Message = any;

const servers: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const close of servers.splice(0)) await close();
});

/** Answers each request with a status and a text, and records all requests. */
async function serve(
  answer: (method: string, path: string, body: string) => [status: number, text: string],
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    incoming.on('end', () => {
      const [method, path] = [incoming.method ?? '', decodeURIComponent(incoming.url ?? '')];
      requests.push(`${method} ${path}`);
      const [status, text] = answer(method, path, body);
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

it('the storage on a server stores a chat, restores it and deletes it', async () => {
  const stored = new Map<string, string>();
  const { url, requests } = await serve((method, path, body) => {
    if (method === 'PUT') stored.set(path, body);
    if (method === 'DELETE') stored.delete(path);
    const text = stored.get(path);
    return text === undefined ? [method === 'GET' ? 404 : 200, '{}'] : [200, text];
  });
  const { serverStorage } = await run('persistence', appOf('docs/persistence.md')['src/chat-storage.ts'] as string);
  const name = 'chat with a space';

  const { gate } = asking(['c1']);
  const first = await persistGate(gate, name, serverStorage(`${url}/kept`));
  gate.respond('approve-c1', { approved: true });
  await first.persisted.flush();
  expect([...stored.keys()]).toEqual([`/kept/${name}`]);
  first.persisted.close();
  await quiet();

  const second = await tab(name, serverStorage(`${url}/kept`));
  expect(second.gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1'] }]);
  await second.persisted.clear();
  second.persisted.close();
  await quiet();
  expect([...stored.keys()]).toEqual([]);
  expect(requests.at(-1)).toMatch(/^DELETE/);
  expect([...first.errors, ...second.errors]).toEqual([]);
});

it('an error of the server is reported, and nothing is sent', async () => {
  const { url } = await serve((method) => [method === 'PUT' ? 507 : 404, '{}']);
  const { serverStorage } = await run('persistence', appOf('docs/persistence.md')['src/chat-storage.ts'] as string);
  const { gate, persisted, errors } = await tab(freshName(), serverStorage(url));
  gate.sendUserMessage({ text: 'tidy up' });
  const sent: Outgoing[] = [];
  await gate.deliver(async (item) => void sent.push(item));
  expect(sent).toEqual([]);
  expect(gate.undelivered()).toMatchObject([{ delivery: 'failed' }]);
  expect(errors.map(({ message }) => message)).toContain('the server said 507');
  persisted.close();
});

/**
 * A persisted chat with an approval request for `c1` runs `act`, and its page is closed. The next page restores it, and
 * loads the server's history with the sample of docs/persistence.md. `serverHas` converts the first page's messages to
 * that history.
 */
async function reloaded(
  act: (gate: ToolGate) => void,
  serverHas: (messages: Message[]) => Message[],
): Promise<ToolGate> {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate: before } = asking(['c1']);
  const history = serverHas(JSON.parse(JSON.stringify(before.getSnapshot().messages)) as Message[]);
  const first = await persistGate(before, name, storage);
  act(before);
  await first.persisted.flush();
  first.persisted.close();
  await quiet();
  const { url } = await serve(() => [200, JSON.stringify(history)]);
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string) => real(url + path));
  const gate = new ToolGate({ chatId: 'chat' });
  const sample = block('persistence', "persisted.state === 'leader' && gate.outgoing()").replace(
    '{ name: chatId }',
    '{ name: chatId, storage }',
  );
  const { persisted } = await run('persistence', sample, { gate, chatId: name, storage }, ['persisted']);
  (persisted as PersistedChat).close();
  return gate;
}

it('a history of the server settles requests that were in flight', async () => {
  const approve = (gate: ToolGate): void => {
    gate.respond('approve-c1', { approved: true });
    send(gate);
  };
  const gate = await reloaded(
    approve,
    ([
      user,
      {
        parts: [step, call],
        ...reply
      },
    ]) => [
      user,
      {
        ...reply,
        parts: [
          step,
          { ...call, state: 'output-available', output: 'written', approval: { id: 'approve-c1', approved: true } },
        ],
      },
    ],
  );
  expect(gate.undelivered()).toEqual([]);
  expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ state: 'output-available', output: 'written' });
});

it('state that only this page knows is preserved', async () => {
  const write = (gate: ToolGate): void => {
    gate.sendUserMessage({ text: 'go on' });
    send(gate);
  };
  const gate = await reloaded(write, (messages) => messages);
  expect(gate.getSnapshot().messages.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'go on' }] });
  expect(gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
});

it('manual snapshots: the claim is stored before the request is sent, and the request is never sent again automatically', async () => {
  const values = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  });
  const { gate } = asking(['c1'], { onDeny: 'skip-rest' });
  gate.respond('approve-c1', { approved: true });
  values.set('chat-1', JSON.stringify(gate));

  const sent: Outgoing[] = [];
  let atSending: ToolGate | undefined;
  const sending = async (item: Outgoing): Promise<void> => {
    sent.push(item);
    atSending = ToolGate.restore(JSON.parse(values.get('chat-1') as string));
  };
  const sample = block('persistence', 'sessionStorage', 'ToolGate.restore');
  await run('persistence', sample, { send: sending });
  expect(sent).toMatchObject([{ approvalIds: ['approve-c1'] }]);
  expect(atSending?.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
  await run('persistence', sample, { send: sending });
  expect(sent).toHaveLength(1);
});
