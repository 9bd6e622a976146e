/**
 * Mastra: an agent with a scripted model, its memory and its storage in this process, behind the routes of Mastra's
 * server that the codec names (`POST /api/agents/:id/stream`, `approve-tool-call`, `decline-tool-call`; each reply an
 * SSE stream).
 */
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import type { Outgoing, ToolGate, ToolGateOptions } from 'toolgate';
import { z } from 'zod';
import { linesOf } from './ai-sdk.server';
import { signalOf } from './page';
import type { Line, Reply, Rig, Session } from './rig';
import { asks, done, events, eventsOf, gateFor, scripted, serve, slowly, TOOLS, type Data } from './support';

const USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A reply of the model as stream parts of AI SDK 5. */
export function partsOf(reply: Exclude<Reply, { error: string }>): Data[] {
  const said =
    'text' in reply
      ? [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: reply.text },
          { type: 'text-end', id: 't' },
        ]
      : reply.calls.map(({ id, tool, path }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: tool,
          input: JSON.stringify({ path }),
        }));
  return [
    { type: 'stream-start', warnings: [] },
    ...said,
    { type: 'finish', finishReason: 'text' in reply ? 'stop' : 'tool-calls', usage: USAGE },
  ];
}

/** A Mastra server, and the records of its model and its memory. */
export async function openMastra(
  replies: readonly Reply[],
  options: ToolGateOptions,
): Promise<Session & { kept(): Promise<Data[]>; sendFor(gate: ToolGate): Session['send'] }> {
  const ran: string[] = [];
  const prompts: Line[][] = [];
  const next = scripted(replies);
  const doStream = async ({ prompt }: Data): Promise<Data> => {
    prompts.push(linesOf(prompt.filter(({ role }: Data) => role !== 'system')));
    return {
      stream: new ReadableStream({
        start: (out) => (partsOf(next()).forEach((part) => out.enqueue(part)), out.close()),
      }),
    };
  };
  const model: Data = { specificationVersion: 'v2', provider: 'scripted', modelId: 'm', supportedUrls: {}, doStream };
  const tools = Object.fromEntries(
    TOOLS.map((id) => {
      const execute = async ({ path }: { path: string }): Promise<string> => {
        ran.push(`${id} ${path}`);
        await slowly(path);
        return done(id, path);
      };
      return [
        id,
        createTool({
          id,
          description: id,
          inputSchema: z.object({ path: z.string() }),
          requireApproval: asks(id),
          execute,
        }),
      ];
    }),
  );
  const storage = new InMemoryStore();
  const memory = new MockMemory({ storage });
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'Tidy.', model, memory, tools });
  new Mastra({ agents: { a: agent }, storage, logger: false });
  const thread = { thread: 'chat', resource: 'user' };
  const clientTools = {
    locate: createTool({ id: 'locate', description: 'in the browser', inputSchema: z.object({ path: z.string() }) }),
  };
  const routes: Record<string, (body: Data) => Promise<Data>> = {
    stream: ({ messages, memory: given = thread }) =>
      agent.stream(messages, { memory: given, clientTools, maxSteps: 5, modelSettings: { maxRetries: 0 } }),
    'approve-tool-call': (body) => agent.approveToolCall(body),
    'decline-tool-call': (body) => agent.declineToolCall(body),
  };
  const server = await serve(async (body, request) => {
    const route = routes[new URL(request.url).pathname.replace('/api/agents/a/', '')];
    return route ? events((await route(body)).fullStream) : new Response('', { status: 404 });
  });
  const gate = gateFor('mastra', options);
  /** Sends the items of a gate. */
  const sendFor =
    (mine: ToolGate) =>
    async ({ id: requestId, body: item, attempt }: Outgoing): Promise<void> => {
      const { action, body } = item as Data;
      const response = await fetch(`${server.url}/api/agents/a/${action}`, {
        method: 'POST',
        body: JSON.stringify(body),
        ...signalOf(mine),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      // Sends items as an app does. The agent continues in the same reply, also after a denial, and a message waits for
      // the end of the reply.
      mine.markSent(requestId);
      const about = { requestId, attempt };
      try {
        for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>))
          mine.receive(JSON.parse(data), about);
      } catch (error) {
        return mine.streamEnded({ status: 'disconnected', error: String(error) }, about);
      }
      mine.streamEnded({ status: 'finished' }, about);
    };
  const kept = async (): Promise<Data[]> => (await memory.recall({ threadId: 'chat', resourceId: 'user' })).messages;
  return {
    gate,
    url: `${server.url}/api/agents/a/`,
    ran,
    prompts,
    send: sendFor(gate),
    sendFor,
    kept,
    refill: async () => void gate.load(JSON.parse(JSON.stringify(await kept()))),
    close: server.close,
  };
}

/** What follows when a page does not read what Mastra asks next: its run waits, and its memory has no part of it. */
const ABANDONED = {
  why: 'a message abandons a run that waits, with its calls',
  untold: ['read /r', 'remove /slow'],
};

/** The reason of calls that were denied by a message. */
const LATER = /instead of answering/;

/** Mastra. */
export const mastra: Rig = {
  name: 'Mastra',
  protocol: 'mastra',
  waiting: 'with the server',
  open: openMastra,
  deniedWords: /not approved|instead of answering/,
  quirks: {
    'answers request fails, then a message': {
      why: 'it asks for one call after the other, and the message denies those that it asks for later',
      ran: ['read /r', 'remove /a'],
      told: { 'remove /b': LATER, 'send /c': LATER },
    },
    'unconfirmed resume, then a message': {
      why: 'it asks for one call after the other, and a message abandons a run that waits, with its calls',
      ran: ['read /r', 'remove /a'],
      gone: ['read /r', 'remove /a', 'remove /b', 'send /c'],
    },
    'a lost reply, then again at once': {
      why: 'it runs a call for each answer that arrives before the call has ended',
      ran: ['read /r', 'remove /slow', 'remove /slow', 'send /c'],
    },
    'a lost reply, then a message': ABANDONED,
    'an approval and stop, then a message': ABANDONED,
  },
};
