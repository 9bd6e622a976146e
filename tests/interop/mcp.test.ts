/**
 * MCP's own client and server over HTTP on the loopback: the questions of a tool become calls of a gate, and the server
 * receives the answers. In the protocol of 2025 a question is a request of the server; in that of 2026-07-28 it is part
 * of a result that requires input, and the client repeats the call with the answers and the server's opaque state.
 */
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createMcpHandler,
  inputRequired,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { ToolGate } from 'toolgate';
import { elicitationHandler } from 'toolgate/tools';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { reach, runFile } from './pages/page';
import { serve, type Data } from './support';

const SCHEMA = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, days: { type: 'integer' as const } },
  required: ['name'],
};
/** The server's state, which the client must return unchanged. */
const STATE = 'v1.{"step":1}\n€ =&%00"';

/** What the server saw: the answers of each call, and the state that came with them. */
type Seen = { answers: Data; state: unknown }[];

/** A server with a tool that asks for a name, and a second one that asks two questions at once. */
function serverOf(seen: Seen, more: { url?: boolean } = {}): McpServer {
  const server = new McpServer({ name: 'bookings', version: '1.0.0' });
  const question = (message: string): Data => inputRequired.elicit({ message, requestedSchema: SCHEMA });
  const register = (name: string, requests: Record<string, Data>): void =>
    void server.registerTool(
      name,
      { inputSchema: z.object({ room: z.string() }) },
      async ({ room }, { mcpReq }: Data) => {
        const { inputResponses } = mcpReq;
        if (!inputResponses) return inputRequired({ inputRequests: requests, requestState: STATE });
        seen.push({ answers: inputResponses, state: mcpReq.requestState() });
        return { content: [{ type: 'text' as const, text: `${room}: ${JSON.stringify(inputResponses)}` }] };
      },
    );
  register('book', { who: question('Who books?') });
  register('book_two', { first: question('Who is first?'), second: question('Who is second?') });
  if (more.url) register('pay', { pay: inputRequired.elicitUrl({ message: 'Pay here.', url: 'https://example.com' }) });
  return server;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A client that is connected to such a server, and the gate of its questions. */
async function connected(era: '2025' | '2026', more?: { url?: boolean }) {
  const seen: Seen = [];
  const gate = new ToolGate({ chatId: 'questions', browserTools: ['bookings'] });
  const client = new Client(
    { name: 'page', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {}, ...(more?.url && { url: {} }) } },
      ...(era === '2026' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  client.setRequestHandler('elicitation/create', elicitationHandler(gate, { toolName: 'bookings' }));
  if (era === '2025') {
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    await serverOf(seen, more).connect(theirs as Data);
    await client.connect(mine);
  } else {
    const handler = createMcpHandler(() => serverOf(seen, more));
    const { url, close } = await serve((_, request) => handler.fetch(request));
    closing.push(close);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  }
  closing.push(() => client.close());
  const call = (name: string, options?: Data): Promise<Data> =>
    client.callTool({ name, arguments: { room: 'Blue' } }, options);
  /** The calls that wait for the user: `<tool-question>` shows a form for these. */
  const open = () => gate.getSnapshot().turn.runnable.map((id) => gate.part(id) as Data);
  const asked = async (): Promise<Data> => {
    await expect.poll(() => open().length, { interval: 5 }).toBe(1);
    return open()[0];
  };
  return { gate, client, seen, call, open, asked };
}

describe.each(['2025', '2026'] as const)('the protocol of %s', (era) => {
  test('a question is a call of the gate, and its output is the answer', async () => {
    const { gate, seen, call, open, asked } = await connected(era);
    const result = call('book');
    const question = await asked();
    expect(question).toMatchObject({
      type: 'tool-bookings',
      input: { message: 'Who books?', requestedSchema: SCHEMA },
    });
    expect(seen).toEqual([]);
    gate.addToolOutput(question.toolCallId, { output: { action: 'accept', content: { name: 'Ann', days: 2 } } });
    expect((await result).content[0].text).toContain('"Ann"');
    expect(seen).toEqual([{ answers: { who: { action: 'accept', content: { name: 'Ann', days: 2 } } }, state: STATE }]);
    // Nothing is left to be sent or decided.
    expect([open(), gate.outgoing(), gate.undelivered(), gate.getSnapshot().turn.waitingFor]).toEqual([[], [], [], []]);
  });

  test.each(['decline', 'cancel'] as const)('%s reaches the server', async (action) => {
    const { gate, seen, call, asked } = await connected(era);
    const result = call('book');
    gate.addToolOutput((await asked()).toolCallId, { output: { action } });
    await result;
    expect(seen.map(({ answers }) => answers)).toEqual([{ who: { action } }]);
  });

  test('several questions are asked one after the other, also those of several calls', async () => {
    const { gate, seen, call, asked } = await connected(era);
    const results = [call('book_two'), call('book')];
    const messages: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { toolCallId, input } = await asked();
      messages.push(input.message);
      gate.addToolOutput(toolCallId, { output: { action: 'accept', content: { name: `${input.message}!` } } });
      await expect.poll(() => gate.part(toolCallId)?.state, { interval: 5 }).toBe('output-available');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(results);
    expect(messages.sort()).toEqual(['Who books?', 'Who is first?', 'Who is second?']);
    for (const { answers } of seen)
      for (const { content } of Object.values(answers) as Data[]) expect(content.name).toMatch(/^Who .*\?!$/);
    expect(seen.map(({ answers }) => Object.keys(answers).length).sort()).toEqual([1, 2]);
  });

  test('`cancel()` of the gate answers `cancel`, and later questions are asked', async () => {
    const { gate, seen, call, asked } = await connected(era);
    const first = call('book');
    await asked();
    gate.cancel();
    await first;
    const second = call('book');
    gate.addToolOutput((await asked()).toolCallId, { output: { action: 'decline' } });
    await second;
    expect(seen.map(({ answers }) => answers.who.action)).toEqual(['cancel', 'decline']);
  });

  test('a question that needs another page is declined, and shows nothing', async () => {
    const { seen, call, open } = await connected(era, { url: true });
    await call('pay');
    expect(seen.map(({ answers }) => answers)).toEqual([{ pay: { action: 'decline' } }]);
    expect(open()).toEqual([]);
  });
});

test('the code of docs/questions.md runs word for word, with a server of 2025', async () => {
  const seen: Seen = [];
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'session-1' });
  await serverOf(seen).connect(transport as Data);
  const { url, close } = await serve((parsedBody, request) => transport.handleRequest(request, { parsedBody }));
  closing.push(close);
  vi.stubGlobal('location', { href: 'https://app.example/' });
  reach('questions', { 'https://app.example/mcp': url });
  const { questions, client } = await runFile('questions', 'src/questions.ts');
  closing.push(() => client.close());
  const result = client.callTool({ name: 'book', arguments: { room: 'Blue' } });
  await expect.poll(() => questions.getSnapshot().turn.runnable.length, { interval: 5 }).toBe(1);
  const answer = { action: 'accept', content: { name: 'Ann' } };
  questions.addToolOutput(questions.getSnapshot().turn.runnable[0], { output: answer });
  expect((await result).content[0].text).toContain('"Ann"');
  expect(seen).toEqual([{ answers: { who: answer }, state: STATE }]);
});

test('a call that is aborted closes its question', async () => {
  const { gate, seen, call, open, asked } = await connected('2026');
  const stop = new AbortController();
  const result = call('book', { signal: stop.signal });
  const { toolCallId } = await asked();
  stop.abort();
  await expect(result).rejects.toThrow();
  await expect.poll(open, { interval: 5 }).toEqual([]);
  expect(gate.part(toolCallId)?.outcome?.kind).toBe('cancelled');
  expect(seen).toEqual([]);
});

test('a gate with the protocol of a backend, and wrong options, are refused', async () => {
  const { langgraph } = await import('toolgate/protocols/langgraph');
  expect(() => elicitationHandler(new ToolGate({ protocol: langgraph }))).toThrow(TypeError);
  expect(() => elicitationHandler(new ToolGate(), { toolName: '' })).toThrow(TypeError);
  expect(() => elicitationHandler(new ToolGate(), { name: 'x' } as object)).toThrow(TypeError);
});
