/**
 * Cloudflare: a chat agent (`AIChatAgent`) in workerd on the loopback, spoken to over its WebSocket. The model and the tools are
 * in this process. One worker serves all sessions, each of them a chat of its own.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import type { Outgoing, ToolGateOptions } from 'toolgate';
import { WebSocket } from 'ws';
import { linesOf } from './ai-sdk.rig';
import type { Line, Reply, Rig, Session } from './rig';
import { done, gateFor, scripted, serve, type Data } from './support';

/** What Node's own modules are called in workerd. */
const NODE = ['node:*', 'cloudflare:*', ...createRequire(import.meta.url)('node:module').builtinModules];

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

/** Starts the worker; `open` makes a chat in it. */
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

  async function open(replies: readonly Reply[], options: ToolGateOptions): Promise<Session & { readonly frames: readonly Data[] }> {
    const name = `chat-${count++}`;
    const [ran, prompts, frames]: [string[], Line[][], Data[]] = [[], [], []];
    sessions.set(name, { next: scripted(replies), ran, prompts });
    const gate = gateFor('cloudflare', options);
    const socket = new WebSocket(`ws://${address}/agents/chat/${name}`);
    let wake = (): void => {};
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      frames.push(frame);
      gate.receive(frame);
      if (frame.type === 'cf_agent_stream_resuming') socket.send(JSON.stringify({ type: 'cf_agent_stream_resume_ack', id: frame.id }));
      if (frame.type === 'cf_agent_use_chat_response' && frame.done) gate.streamEnded({ status: frame.outcome === 'error' ? 'error' : 'finished' });
      wake();
    });
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    /** Waits for one more of these frames. */
    const seen = async (is: (frame: Data) => boolean): Promise<void> => {
      const before = frames.filter(is).length;
      while (frames.filter(is).length <= before) {
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          socket.once('close', reject);
        });
      }
    };
    return {
      gate,
      ran,
      prompts,
      frames,
      async send({ id, kind, body }: Outgoing) {
        const over = seen((frame) => frame.type === 'cf_agent_use_chat_response' && frame.done);
        const taken = seen((frame) => frame.type === 'cf_agent_message_updated');
        socket.send(JSON.stringify(body));
        gate.markSent(id);
        if (kind === 'answer') await taken;
        // The agent goes on when it has the last answer.
        const goesOn = kind === 'submission' || ((body as Data).autoContinue && !gate.pending().length && !gate.outgoing().length);
        if (goesOn) await over;
      },
      close: () => socket.close(),
    };
  }
  return {
    open,
    async close() {
      await worker.dispose();
      await host.close();
    },
  };
}

/** Cloudflare, in a worker that has been started. */
export const cloudflare = (worker: () => Awaited<ReturnType<typeof startCloudflare>>): Rig => ({
  name: 'Cloudflare',
  open: (replies, options) => worker().open(replies, options),
  losesReasons: true,
});
