/**
 * opencode: its own server, with a project that has three tools, and a model on the loopback. One server serves all
 * sessions. Its home is a temporary folder, and it sends requests to the loopback only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outgoing, ToolGateOptions } from 'toolgate';
import { program } from '../../pkg-scripts/lib/opencode.mjs';
import type { Line, Reply, Rig, Session } from './rig';
import { asks, done, eventsOf, gateFor, scripted, serve, TOOLS, type Data } from './support';

/** The names of the tools in opencode, which has its own `read`. */
const NAMES: Readonly<Record<string, string>> = { read: 'look', remove: 'remove', send: 'send' };

/** The tools as an opencode plugin. Tools that need approval request it in their own code. */
const toolFile = (tool: string): string => `export default {
  description: '${tool}',
  args: { path: { type: 'string' } },
  async execute({ path }, { ask, sessionID }) {
    ${asks(tool) ? `await ask({ permission: '${tool}', patterns: [path], always: ['*'], metadata: {} });` : ''}
    return (await fetch(process.env.RIG_HOST + '/run', { method: 'POST', body: JSON.stringify({ sessionID, tool: '${tool}', path }) })).text();
  },
};`;

/** The content that the model receives, from an OpenAI-compatible request. */
function linesOf(messages: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return messages.flatMap(({ role, content, tool_calls: asked = [], tool_call_id: id }: Data): Line[] => {
    if (role === 'system') return [];
    if (role === 'tool') return [{ kind: 'result', call: calls.get(id) ?? `? ${id}`, text: content }];
    const text = typeof content === 'string' ? content : (content ?? []).map((part: Data) => part.text).join('');
    const made = asked.map((call: Data): Line => {
      const name = `${call.function.name === NAMES['read'] ? 'read' : call.function.name} ${JSON.parse(call.function.arguments).path}`;
      calls.set(call.id, name);
      return { kind: 'call', call: name };
    });
    return [...(text ? [{ kind: role === 'user' ? 'user' : 'text', text } as Line] : []), ...made];
  });
}

/** A reply in the stream format of an OpenAI-compatible API. */
function chunksOf(reply: Exclude<Reply, { error: string }>): Data[] {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  if ('text' in reply) return [chunk({ role: 'assistant', content: reply.text }), chunk({}, 'stop')];
  const calls = reply.calls.map(({ id, tool, path }, index) => ({
    index,
    id,
    type: 'function',
    function: { name: NAMES[tool], arguments: JSON.stringify({ path }) },
  }));
  return [chunk({ role: 'assistant', content: '', tool_calls: calls }), chunk({}, 'tool_calls')];
}

/**
 * A home folder and a project for opencode. Pretends that packages are installed, so that the server does not download
 * them.
 */
function prepare(model: string): { home: string; project: string } {
  const home = mkdtempSync(join(tmpdir(), 'toolgate-opencode-'));
  const project = join(home, 'project');
  for (const config of [join(project, '.opencode'), join(home, 'config', 'opencode')])
    mkdirSync(join(config, 'node_modules'), { recursive: true });
  mkdirSync(join(project, '.opencode', 'tool'));
  for (const tool of TOOLS) writeFileSync(join(project, '.opencode', 'tool', `${NAMES[tool]}.js`), toolFile(tool));
  writeFileSync(join(home, '.npmrc'), 'offline=true\nfetch-retries=0\n');
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'scripted',
    options: { baseURL: `${model}/v1`, apiKey: 'k' },
    models: { m: { name: 'm', tool_call: true, limit: { context: 100_000, output: 1000 } } },
  };
  const settings = {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    model: 'scripted/m',
    small_model: 'scripted/m',
    provider: { scripted: provider },
    permission: { remove: 'ask', send: 'ask' },
  };
  writeFileSync(join(project, 'opencode.json'), JSON.stringify(settings));
  return { home, project };
}

/** Starts the server; `open` creates a session in it. */
export async function startOpencode() {
  const sessions = new Map<string, { next: ReturnType<typeof scripted>; ran: string[]; prompts: Line[][] }>();
  const model = await serve(async (body, request) => {
    if (request.url.endsWith('/run')) {
      const { sessionID, tool, path } = body;
      (sessions.get(sessionID) ?? [...sessions.values()].at(-1))?.ran.push(`${tool} ${path}`);
      return new Response(done(tool, path));
    }
    // Requests for titles and summaries have no tools.
    const session = body.tools?.length
      ? (sessions.get(request.headers.get('x-session-id') ?? '') ?? [...sessions.values()].at(-1))
      : undefined;
    session?.prompts.push(linesOf(body.messages));
    try {
      const chunks = chunksOf(session ? session.next() : { text: 'Title' });
      const text = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
        .map((data) => `data: ${data}\n\n`)
        .join('');
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    } catch {
      // The error is not an overload, because opencode retries automatically after those.
      return Response.json({ error: { message: 'The scripted model fails.' } }, { status: 400 });
    }
  });
  const { home, project } = prepare(model.url);
  const off = Object.fromEntries(
    ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD'].map((name) => [`OPENCODE_DISABLE_${name}`, '1']),
  );
  const homes = {
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
  const nowhere = {
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  };
  const env = {
    PATH: process.env['PATH'],
    RIG_HOST: model.url,
    npm_config_offline: 'true',
    npm_config_fetch_retries: '0',
    ...off,
    ...homes,
    ...nowhere,
  };
  const server = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', '0'], { cwd: project, env });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (piece) => {
      text += piece;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    server.on('error', reject).on('exit', () => reject(new Error(`opencode ended: ${text}`)));
  });
  const post = async (path: string, body: unknown): Promise<Data> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  };

  async function open(replies: readonly Reply[], options: ToolGateOptions): Promise<Session> {
    const { id: chatId } = await post('/session', {});
    const [ran, prompts]: [string[], Line[][]] = [[], []];
    sessions.set(chatId, { next: scripted(replies), ran, prompts });
    const gate = gateFor('opencode', { ...options, chatId });
    const closed = new AbortController();
    const stream = await fetch(`${url}/event`, { signal: closed.signal });
    let isBusy = false;
    let turns = 0;
    const watching = new Set<() => void>();
    const listen = async (): Promise<void> => {
      for await (const data of eventsOf(stream.body as unknown as AsyncIterable<Uint8Array>)) {
        const event = JSON.parse(data);
        const about = event.properties?.sessionID ?? event.properties?.info?.sessionID;
        if (about !== undefined && about !== chatId) continue;
        gate.receive(event);
        // opencode may send `session.idle` several times for one turn.
        if (event.properties?.status?.type === 'busy') isBusy = true;
        if (event.type === 'session.idle' && isBusy) {
          isBusy = false;
          turns++;
          gate.streamEnded({ status: 'finished' });
        }
        for (const look of watching) look();
      }
    };
    const listening = listen().catch(() => {});
    /** Waits until `is` returns true. It is called now, and after every event. */
    const settled = (is: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!is()) return;
          watching.delete(look);
          resolve();
        };
        watching.add(look);
        look();
      });
    return {
      gate,
      url,
      ran,
      prompts,
      async send({ id, body }: Outgoing) {
        const { requestID, sessionID, ...rest } = body as Data;
        const before = turns;
        const begun = (): boolean => requestID !== undefined || turns > before;
        if (!requestID) await post(`/session/${sessionID}/prompt_async`, rest);
        // A request that was rejected together with another one no longer exists.
        else
          await post(`/permission/${requestID}/reply`, rest).catch((error: Error) =>
            /^404/.test(error.message) ? undefined : Promise.reject(error),
          );
        gate.markSent(id);
        await settled(
          () =>
            (begun() && !isBusy) ||
            (requestID ? gate.pending().length + gate.outgoing().length > 0 : gate.pending().length === 3),
        );
      },
      async refill() {
        const read = async (path: string): Promise<Data> => (await fetch(url + path)).json();
        gate.load(await read(`/session/${chatId}/message`));
        for (const request of await read('/permission'))
          if (request.sessionID === chatId) gate.receive({ type: 'permission.asked', properties: request });
      },
      async close() {
        closed.abort();
        await listening;
      },
    };
  }
  // The first turn takes longer, because opencode prepares its new home folder.
  const first = await open([{ text: 'Ready.' }], {});
  first.gate.sendUserMessage({ text: 'Are you ready?' });
  await first.gate.deliver(first.send);
  await first.close?.();
  return {
    open,
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, 'exit');
      await model.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The rejection of the second of three requests. */
const REJECTED = { why: 'one rejection rejects all pending requests', ran: ['read /r', 'remove /a'] };

/** opencode on a running server. */
export const opencode = (server: () => Awaited<ReturnType<typeof startOpencode>>): Rig => ({
  name: 'opencode',
  protocol: 'opencode',
  waiting: 'with the server',
  open: (replies, options) => server().open(replies, options),
  streams: true,
  quirks: {
    'deny one with a reason': { why: 'one rejection rejects all pending requests', ran: ['read /r'] },
    mixed: { why: 'one rejection rejects all pending requests', ran: ['read /r'] },
    'answers request fails, then a message': REJECTED,
    'unconfirmed resume, then a message': REJECTED,
    'reload of a waiting thread': REJECTED,
  },
  // The model reads no reason for the calls that opencode rejected because another call was rejected.
  losesReasons: true,
  deniedWords: /rejected permission/,
});
