/**
 * LangGraph: a LangChain agent with the human-in-the-loop middleware and a checkpointer, served in the format of
 * LangGraph's server (`stream.mts` and `serde.mts` of `@langchain/langgraph-api`), and called by the SDK's own client
 * over the loopback.
 */
import { Readable } from 'node:stream';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { Command, MemorySaver } from '@langchain/langgraph';
import { Client } from '@langchain/langgraph-sdk';
import type { Outgoing, ToolGate } from 'toolgate';
import { z } from 'zod';
import { signalOf } from './page';
import type { Line, Reply, Rig, ScriptedCall, Session } from './rig';
import { asks, done, gateFor, scripted, serve, slowly, TOOLS, type Data } from './support';

/** The messages that a model receives, in LangChain's form, as plain objects. */
export function linesOf(messages: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return messages.flatMap(({ type, content, tool_calls: uses = [], tool_call_id: id }: Data): Line[] => {
    if (type === 'tool') return [{ kind: 'result', call: calls.get(id) ?? `? ${id}`, text: content }];
    for (const { id: use, name, args } of uses) calls.set(use, `${name} ${args.path}`);
    const said: Line[] = content ? [{ kind: type === 'human' ? 'user' : 'text', text: content }] : [];
    return [...said, ...uses.map(({ id: use }: Data): Line => ({ kind: 'call', call: calls.get(use) as string }))];
  });
}

type Next = () => Exclude<Reply, { error: string }>;

/** A scripted chat model that streams its replies in pieces. */
class Scripted extends BaseChatModel {
  #next: Next;
  #told: (messages: readonly Data[]) => void;

  constructor(next: Next, told: (messages: readonly Data[]) => void) {
    super({ maxRetries: 0 });
    this.#next = next;
    this.#told = told;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[], options: Data): Promise<ChatResult> {
    let whole: AIMessageChunk | undefined;
    for await (const { message } of this._streamResponseChunks(messages, options))
      whole = whole?.concat(message as AIMessageChunk) ?? (message as AIMessageChunk);
    const { id, content, tool_calls } = whole as AIMessageChunk;
    return { generations: [{ text: '', message: new AIMessage({ id, content, tool_calls } as Data) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _: Data,
    manager?: Data,
  ): AsyncGenerator<ChatGenerationChunk> {
    this.#told(messages.map(dict));
    const reply = this.#next();
    const pieces: Data[] =
      'text' in reply
        ? [...reply.text].map((content) => ({ content }))
        : reply.calls.flatMap(({ id, tool: name, path }: ScriptedCall, index) => {
            const args = JSON.stringify({ path });
            return [{ id, name, args: '' }, { args: args.slice(0, 5) }, { args: args.slice(5) }].map((piece) => ({
              content: '',
              tool_call_chunks: [{ index, ...piece }],
            }));
          });
    const id = `ai-${messages.length}`;
    for (const piece of pieces) {
      const chunk = new ChatGenerationChunk({ text: piece.content, message: new AIMessageChunk({ ...piece, id }) });
      yield chunk;
      await manager?.handleLLMNewToken(piece.content, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

/** Writes messages like the server's `serialiseAsDict`. */
function dict(value: Data): Data {
  if (Array.isArray(value)) return value.map(dict);
  if (typeof value?.toDict === 'function') {
    const { type, data } = value.toDict();
    return { ...data, type };
  }
  return value && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, dict(inner)]))
    : value;
}

/** Passes the events of a run to the gate. Rejects if the run could not be started. */
export async function follow(
  gate: ToolGate,
  { id: requestId, attempt }: Outgoing,
  run: AsyncIterable<unknown>,
): Promise<void> {
  const about = { requestId, attempt };
  let isBegun = false;
  try {
    for await (const event of run) {
      isBegun = true;
      gate.receive(JSON.parse(JSON.stringify(event)), about);
    }
  } catch (error) {
    if (!isBegun) throw error;
    return gate.streamEnded({ status: 'disconnected', error: String(error) }, about);
  }
  gate.streamEnded({ status: 'finished' }, about);
}

/** The state of a thread: its messages, and the interrupts that wait. */
interface ThreadState {
  readonly messages: Data[];
  readonly interrupts: Data[];
}

/** Fills the gate of a page that opens a thread. */
export function reopen(gate: ToolGate, { messages, interrupts }: ThreadState): void {
  gate.load(messages);
  gate.receive({ event: 'values', data: { messages, __interrupt__: interrupts } });
  gate.streamEnded({ status: 'finished' });
}

/** The behaviour of the JavaScript middleware for a rejection. */
const WHY =
  'LangChain.js removes approved calls from the message when another one is rejected, and stores no result for calls without approval';
const REST = { why: WHY, ran: [], gone: ['remove /a', 'send /c'], open: ['read /r'] };
/** The same, after an interruption. */
const NONE = { why: WHY, ran: [] };

/** A chat, the requested runs, and the thread that the server stores. */
export interface GraphSession extends Session {
  readonly bodies: readonly Data[];
  /** Sends another gate's item. */
  sendFrom(gate: ToolGate, item: Outgoing): Promise<void>;
  state(): Promise<ThreadState>;
}

/** LangGraph.js with events in these modes; `allowed` are the decisions that the middleware accepts. */
export function langgraph(
  streamMode: Data = ['values', 'messages-tuple'],
  allowed?: readonly Data[],
): Rig<GraphSession> {
  return {
    name: `LangGraph.js, ${String(streamMode)}`,
    protocol: 'langgraph',
    waiting: 'with the server',
    quirks: {
      'deny one with a reason': REST,
      'deny all': { ...REST, gone: [] },
      mixed: { ...REST, gone: ['remove /a'] },
      cancel: { ...REST, gone: [] },
      'a message while approvals are pending': { ...REST, gone: ['remove /a'] },
      'answers request fails, then a message': REST,
      'denials fail, then a message': { ...REST, gone: [] },
      'unconfirmed resume, then a message': REST,
      'reload of a waiting thread': REST,
      'a failed request, then a message': NONE,
      'a failed request, then two messages': NONE,
      'a failed request and a reload, then a message': NONE,
      'a reload, then a message': NONE,
      'an approval and a reload, then a message': NONE,
      'stop, then a message': NONE,
      'stop, then denials': NONE,
      'an approval and stop, then a message': NONE,
      'an approval and stop, then a denial': NONE,
    },
    async open(replies, options): Promise<GraphSession> {
      const ran: string[] = [];
      const prompts: Line[][] = [];
      const bodies: Data[] = [];
      const agent = createAgent({
        model: new Scripted(scripted(replies), (messages) => prompts.push(linesOf(messages))),
        tools: TOOLS.map((name) =>
          tool(
            async ({ path }: Data) => {
              ran.push(`${name} ${path}`);
              await slowly(path);
              return done(name, path);
            },
            { name, description: name, schema: z.object({ path: z.string() }) },
          ),
        ),
        middleware: [
          humanInTheLoopMiddleware({
            interruptOn: Object.fromEntries(
              TOOLS.filter(asks).map((name) => [name, allowed ? { allowedDecisions: [...allowed] } : true]),
            ),
          }),
        ],
        checkpointer: new MemorySaver(),
      });
      const stored = async (thread_id = 'chat'): Promise<Data> => {
        const { values, tasks } = await (agent as Data).getState({ configurable: { thread_id } });
        return dict({ values, tasks });
      };
      const threads = new Set(['chat']);
      const busy = new Set<string>();
      const server = await serve(
        async ({ input, command, config, stream_mode: modes, if_not_exists }: Data, request) => {
          // As LangGraph's own server: an id is a UUID, and a run creates its thread only if it says so.
          const [, thread = ''] = /threads\/([^/]+)/.exec(request.url) ?? [];
          if (if_not_exists === 'create' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(thread))
            threads.add(thread);
          if (!threads.has(thread)) return Response.json({ detail: `no thread ${thread}` }, { status: 404 });
          if (request.method === 'GET') return Response.json(await stored(thread));
          // Its default for a second run on a thread, `multitask_strategy: 'reject'`.
          if (busy.has(thread)) return Response.json({ detail: 'Thread is already running a task.' }, { status: 409 });
          busy.add(thread);
          bodies.push({ input, command });
          // With a single mode the graph's events would not name their mode, so `custom` is added.
          const mode = [modes, 'custom'].flat().map((one: string) => (one === 'messages-tuple' ? 'messages' : one));
          const run = await agent.stream(command ? new Command(command) : input, { ...config, streamMode: mode });
          const text = async function* (): AsyncGenerator<string> {
            const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
            yield event('metadata', { run_id: 'run', attempt: 1 });
            try {
              for await (const [name, data] of run as AsyncIterable<Data>) yield event(name, dict(data));
            } catch (error) {
              yield event('error', { error: 'Error', message: String(error) });
            }
            busy.delete(thread);
          };
          const bytes = Readable.toWeb(Readable.from(text(), { objectMode: false })) as ReadableStream;
          return new Response(bytes, { headers: { 'content-type': 'text/event-stream' } });
        },
      );
      const client = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
      const gate = gateFor('langgraph', options);
      const sendFrom = async (from: ToolGate, item: Outgoing): Promise<void> => {
        const body = item.body as Data;
        const run = client.runs.stream(body.config.configurable.thread_id, 'agent', {
          ...body,
          ...signalOf(from),
          streamMode,
        });
        await follow(from, item, run);
      };
      const send = (item: Outgoing): Promise<void> => sendFrom(gate, item);
      const state = async (): Promise<ThreadState> => {
        const { values, tasks } = await stored();
        return { messages: values.messages, interrupts: tasks.flatMap((task: Data) => task.interrupts) };
      };
      const refill = async (): Promise<void> => reopen(gate, await state());
      return { gate, url: server.url, ran, prompts, bodies, send, sendFrom, state, refill, close: server.close };
    },
  };
}
