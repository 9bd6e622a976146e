/**
 * Cloudflare: a chat agent (`AIChatAgent`) in workerd on the loopback, over its WebSocket. The model and the
 * tools are in this process. One worker serves all sessions; each session is a separate chat.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import type { Outgoing, ToolGateOptions } from 'toolgate';
import { WebSocket } from 'ws';
import { linesOf } from './ai-sdk.server';
import type { Line, Reply, Rig, Session } from './rig';
import { done, gateFor, scripted, serve, type Data } from './support';

/** The names of Node's modules in workerd. */
const NODE = ['node:*', 'cloudflare:*', ...createRequire(import.meta.url)('node:module').builtinModules];

const isEnd = ({ type, done: isDone }: Data): boolean => type === 'cf_agent_use_chat_response' && isDone;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'cloudflare.worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'import'],
    mainFields: ['module', 'main'],
    external: NODE,
    logLevel: 'error',
  });
  return (outputFiles[0] as { text: string }).text;
}

/** One connection to a chat. */
export interface Tab extends Session {
  readonly name: string;
  /** The received frames, in order. */
  readonly frames: readonly Data[];
  /** Waits for a frame of this kind, unless one was received. */
  until(is: (frame: Data) => boolean): Promise<void>;
}

/** Starts the worker; `open` creates a chat in it. */
export async function startCloudflare() {
  const sessions = new Map<string, { next: ReturnType<typeof scripted>; ran: string[]; prompts: Line[][] }>();
  const host = await serve(async (body, request) => {
    const [, name = '', kind] = new URL(request.url).pathname.split('/');
    const session = sessions.get(name);
    if (!session) return new Response('', { status: 404 });
    if (kind === 'run') {
      session.ran.push(body);
      const [tool = '', path = ''] = body.split(' ');
      return Response.json(done(tool, path));
    }
    session.prompts.push(linesOf(body));
    return Response.json(session.next());
  });
  const worker = new Miniflare({
    modules: true,
    script: await bundled(),
    compatibilityDate: '2026-01-01',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: { Chat: { className: 'Chat', useSQLite: true } },
    bindings: { HOST: host.url },
    host: '127.0.0.1',
    port: 0,
  });
  const { host: address } = await worker.ready;
  let count = 0;

  async function open(replies: readonly Reply[], options: ToolGateOptions): Promise<Tab> {
    const name = `chat-${count++}`;
    const state = { next: scripted(replies), ran: [], prompts: [] };
    sessions.set(name, state);
    return connect(name, state, options);
  }

  async function connect(
    name: string,
    { ran, prompts }: Pick<Session, 'ran' | 'prompts'>,
    options: ToolGateOptions,
  ): Promise<Tab> {
    const frames: Data[] = [];
    const gate = gateFor('cloudflare', options);
    const socket = new WebSocket(`ws://${address}/agents/chat/${name}`);
    /** Requests whose end was received. The server may send the end again. */
    const ended = new Set<string>();
    /** The calls that the agent asked about, and those that were answered. */
    const asked = new Set<string>();
    const answered = new Set<string>();
    let turns = 0;
    const watching = new Set<() => void>();
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      frames.push(frame);
      for (const [, id] of data.toString().matchAll(/tool-approval-request[^}]*toolCallId\W+([\w-]+)/g)) asked.add(id!);
      // During the next stream, the server may replay a stream that has ended.
      if (frame.type === 'cf_agent_use_chat_response' && ended.has(frame.id)) return;
      gate.receive(frame);
      if (frame.type === 'cf_agent_stream_resuming')
        socket.send(JSON.stringify({ type: 'cf_agent_stream_resume_ack', id: frame.id }));
      // If a continuation ends before the server has registered this client, only the transcript contains it.
      if (frame.type === 'cf_agent_chat_messages') gate.load(frame.messages);
      if (isEnd(frame) && !ended.has(frame.id)) {
        ended.add(frame.id);
        turns++;
        gate.streamEnded({ status: frame.outcome === 'error' ? 'error' : 'finished' });
      }
      for (const look of watching) look();
    });
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    /** Returns a function that waits until the count differs from what it is now. */
    const another = (count: () => number): (() => Promise<void>) => {
      const before = count();
      return () =>
        new Promise((resolve) => {
          const look = (): void => {
            if (count() === before) return;
            watching.delete(look);
            resolve();
          };
          watching.add(look);
          look();
        });
    };
    return {
      name,
      gate,
      url: `ws://${address}/agents/chat/${name}`,
      async refill() {
        const transcript = await fetch(`http://${address}/agents/chat/${name}/get-messages`);
        gate.load((await transcript.json()) as unknown[]);
      },
      ran,
      prompts,
      frames,
      async until(is) {
        if (!frames.some(is)) await another(() => frames.filter(is).length)();
      },
      async send({ id, kind, body }: Outgoing) {
        const { toolCallId } = body as Data;
        const isRepeated = kind === 'answer' && answered.has(toolCallId);
        const over = another(() => turns);
        const taken = another(() => frames.filter(({ type }) => type === 'cf_agent_message_updated').length);
        ended.delete((body as Data).id);
        socket.send(JSON.stringify(body));
        gate.markSent(id);
        // The agent does not react to a repeated answer.
        if (isRepeated) return;
        if (kind === 'answer') await taken();
        answered.add(toolCallId);
        // The agent continues after the last answer.
        const goesOn =
          kind === 'submission' || ((body as Data).autoContinue && [...asked].every((id) => answered.has(id)));
        if (goesOn) await over();
      },
      close: () => socket.close(),
    };
  }
  return {
    open,
    /** Opens another tab of the same chat, and loads the transcript into its gate. */
    async join(tab: Tab, options: ToolGateOptions): Promise<Tab> {
      const other = await connect(tab.name, tab, options);
      await other.refill?.();
      return other;
    },
    async close() {
      await worker.dispose();
      await host.close();
    },
  };
}

/** The message arrives before the agent has begun to run what it was told to. */
const OUTRUN = {
  why: 'a message that follows an approval at once keeps the approved calls from running',
  ran: ['read /r'],
};

/** Cloudflare, in a running worker. */
export const cloudflare = (worker: () => Awaited<ReturnType<typeof startCloudflare>>): Rig => ({
  name: 'Cloudflare',
  protocol: 'cloudflare',
  waiting: 'with the server',
  open: (replies, options) => worker().open(replies, options),
  // Decisions are sent without reasons. A later request may contain them, in the messages of this client.
  losesReasons: true,
  deniedWords: /denied|Keep that one, please\./,
  quirks: {
    'an approval and stop, then a message': OUTRUN,
  },
});
