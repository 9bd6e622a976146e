/**
 * docs/backends.md and docs/backends/: every protocol has a page, which says what its code runs against, and the files
 * of docs/backends.md run against servers on the loopback. tests/interop/pages runs the code of each page. Tests in
 * tests/protocols compare the tables of the pages.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { init, ToolGate } from 'toolgate';
import { anthropic } from 'toolgate/protocols/anthropic';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { PROGRAMS } from '../../pkg-scripts/lib/coding-agents.mjs';
import { VERSION } from '../../pkg-scripts/lib/opencode.mjs';
import { ask } from '../gate/support.js';
import { openPage } from '../interop/pages/page';
import { verified } from '../interop/verified';
import { expectSection } from '../lib/markdown-section';
import { PROTOCOL_NAMES } from '../protocols/all.js';
import { appOf } from './support/blocks.js';
import { page } from './support/pages.js';
import { run } from './support/run.js';
import { until } from './support/world.js';

await init();

const app = appOf('docs/backends.md');

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const read = (path: string): string => readFileSync(at(path), 'utf8');
const { devDependencies }: Record<string, Record<string, string>> = JSON.parse(read('package.json'));
const AGENTS = Object.values<{ npm?: string[]; python?: string[] }>(PROGRAMS).flatMap(({ npm = [] }) =>
  npm.map((entry) => /^(.+)@(.+)$/.exec(entry)!.slice(1)),
);
const PYTHON = [...read('tests/interop/python/requirements.txt').matchAll(/^(.+)==(.+)$/gm)].map((row) => row.slice(1));
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ...([...AGENTS, ...PYTHON, ['opencode-ai', VERSION]] as [string, string][]),
  ...Object.entries(devDependencies!),
]);

/** A package, and the version of it with which the tests run. An alias has the name of its package. */
function versionOf(name: string): string {
  const version = VERSIONS.get(name);
  if (version === undefined) throw new Error(`no version of ${name}`);
  const [, alias = name, of = version] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
  return `\`${alias}\` ${of}`;
}

describe.each(PROTOCOL_NAMES)('%s', (protocol) => {
  it('has a row in the table, and a page', () => {
    const [, rows = ''] = /^## Which one is mine\?\n\n([^]*?)\n\n/m.exec(page('backends')) ?? [];
    const own = rows
      .split('\n')
      .filter((row) => row.split('|')[2]?.includes(`[\`${protocol}\`](backends/${protocol}.md)`));
    expect(own).toHaveLength(protocol === 'ai-sdk' || protocol === 'ag-ui' ? 2 : 1);
  });

  it('says what the code of its page runs against', () => {
    const { by, against, packages } = verified[protocol];
    const versions = packages.map((name) => versionOf(name)).join(', ');
    const kind = `[\`${by}\`](../backends.md#what-each-can-express)`;
    const line = `Our tests run this code word for word against ${against} (${kind}): ${versions}.`;
    expectSection(`docs/backends/${protocol}.md`, 'ran', line);
  });
});

it('README.md names the number of backends', () => {
  const words: Readonly<Record<number, string>> = { 22: 'twenty-two', 23: 'twenty-three', 24: 'twenty-four' };
  expect(read('README.md')).toContain(`with ${words[PROTOCOL_NAMES.length]} backends`);
});

/**
 * Starts a server whose nth reply is the result of `write(n)`. It sends the text in pieces that split words and
 * characters. Returns the bodies of its requests.
 */
async function served(
  write: (n: number) => { status?: number; text: string; isCut?: boolean },
): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', async () => {
      bodies.push(Buffer.concat(pieces).toString());
      const { status = 200, text, isCut } = write(bodies.length);
      outgoing.writeHead(status, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 7) {
        outgoing.write(bytes.subarray(at, at + 7));
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (isCut) outgoing.destroy();
      else outgoing.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

const sse = (events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const text = (gate: ToolGate): unknown =>
  gate
    .getSnapshot()
    .messages.at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('');
const isOver = (gate: ToolGate) => (): boolean =>
  ['done', 'error', 'incomplete'].includes(gate.getSnapshot().turn.status);

describe('over HTTP', () => {
  const asks = [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }];
  const goesOn = [
    { type: 'tool-output-available', toolCallId: 'c1', output: 'grün ✓' },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Fertig: grün ✓' },
    { type: 'text-end', id: 't' },
    { type: 'finish' },
  ];

  async function connected(write: Parameters<typeof served>[0]): Promise<{ gate: ToolGate; bodies: string[] }> {
    const { url, bodies } = await served(write);
    const { connect } = await run('backends', app['src/connect.ts'] as string);
    const gate = new ToolGate({ chatId: 'chat' });
    const end = connect(gate, () => ({ url }));
    ends.push(async () => end());
    gate.sendUserMessage({ text: 'tidy up' });
    return { gate, bodies };
  }

  it('shows the approval, sends the decision once, and reads a reply that arrives in pieces', async () => {
    const { gate, bodies } = await connected((n) => ({ text: `${sse(n === 1 ? asks : goesOn)}data: [DONE]\n\n` }));
    await until(() => gate.getSnapshot().status === 'awaiting-approval');
    gate.respondAll({ approved: true });
    gate.respondAll({ approved: true });
    await until(isOver(gate));
    expect(text(gate)).toBe('Fertig: grün ✓');
    expect(bodies).toHaveLength(2);
    expect(gate.undelivered()).toEqual([]);
  });

  it('sends the ready requests of a restored gate, without waiting for a change', async () => {
    const before = new ToolGate({ chatId: 'chat' });
    before.sendUserMessage({ text: 'tidy up' });
    const gate = ToolGate.restore(JSON.parse(JSON.stringify(before)), { chatId: 'chat' });
    const { url, bodies } = await served(() => ({ text: sse(asks) }));
    const { connect } = await run('backends', app['src/connect.ts'] as string);
    const end = connect(gate, () => ({ url }));
    ends.push(async () => end());
    await until(() => gate.getSnapshot().status === 'awaiting-approval');
    expect(bodies).toHaveLength(1);
  });

  it('a request that the server refused is not lost, and a cut connection is recognized', async () => {
    const { gate } = await connected((n) =>
      n === 1 ? { status: 503, text: 'later' } : { text: sse(asks.slice(0, 3)), isCut: true },
    );
    await until(() => gate.undelivered().length === 1);
    expect(gate.undelivered()).toMatchObject([{ delivery: 'failed', error: 'the server said 503' }]);
    gate.retry(gate.undelivered()[0]?.id as string);
    await until(() => gate.getSnapshot().turn.ending === 'disconnected');
    expect(gate.getSnapshot().messages.at(-1)?.id).toBe('a1');
  });

  it('reads an error of Genkit, which has no `data:` prefix', async () => {
    const { eventsOf } = await run('backends', app['src/connect.ts'] as string);
    const events: unknown[] = [];
    for await (const event of eventsOf(new Response('data: {"message":1}\r\n\r\nerror: {"error":2}\n\n')))
      events.push(event);
    expect(events).toEqual([{ message: 1 }, { error: 2 }]);
  });
});

describe('with the vendor’s client', () => {
  it('langgraph: a request that the server refuses is not lost, though the client sends it only when the stream is read', async () => {
    const { url } = await served(() => ({ status: 500, text: 'no' }));
    const gate = await openPage('backends/langgraph', { 'http://localhost:2024': url });
    gate.sendUserMessage({ text: 'tidy up' });
    await until(() => gate.undelivered().length === 1);
    expect(gate.undelivered()).toMatchObject([{ delivery: 'failed', error: expect.stringContaining('500') as string }]);
  });

  it('a request is not lost when the client throws before the reply', async () => {
    const { take } = await run('backends', app['src/take.ts'] as string);
    const gate = new ToolGate({ protocol: anthropic });
    gate.sendUserMessage({ text: 'tidy up' });
    await gate.deliver((item) => take(gate, item, Promise.reject(new Error('overloaded'))));
    expect(gate.undelivered()).toMatchObject([{ delivery: 'failed', error: 'overloaded' }]);
  });
});
