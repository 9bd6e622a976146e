/**
 * opencode: its own server, with a project that has three tools, and a model on the loopback. One server serves all
 * sessions. Its home is a temporary folder, and it sends requests to the loopback only.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Outgoing, ToolGateOptions } from 'toolgate';
import { program } from '../../pkg-scripts/lib/opencode.mjs';
import { linesOf, replyOf } from './openai-model';
import { callOf, prepareOpencode, toolOf } from './opencode-home';
import { endProgram } from './program';
import type { Line, Reply, Rig, Session } from './rig';
import { done, eventsOf, firstCalls, gateFor, scripted, serve, slowly, type Data } from './support';

/** Where the answer to a request is posted. */
const answerPath = (requestID: string, { reply, answers }: Data): string =>
  reply ? `/permission/${requestID}/reply` : `/question/${requestID}/${answers ? 'reply' : 'reject'}`;

/** Starts the server; `open` creates a session in it. */
export async function startOpencode() {
  const sessions = new Map<string, { next: ReturnType<typeof scripted>; ran: string[]; prompts: Line[][] }>();
  const model = await serve(async (body, request) => {
    if (request.url.endsWith('/run')) {
      const { sessionID, tool, path } = body;
      (sessions.get(sessionID) ?? [...sessions.values()].at(-1))?.ran.push(`${tool} ${path}`);
      await slowly(path);
      return new Response(done(tool, path));
    }
    // Requests for titles and summaries have no tools.
    const session = body.tools?.length
      ? (sessions.get(request.headers.get('x-session-id') ?? '') ?? [...sessions.values()].at(-1))
      : undefined;
    session?.prompts.push(linesOf(body.messages, toolOf));
    try {
      return replyOf(session ? session.next() : { text: 'Title' }, callOf);
    } catch {
      // The error is not an overload, because opencode retries automatically after those.
      return replyOf(undefined);
    }
  });
  const { home, project, env } = prepareOpencode(model.url);
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
    const asked = firstCalls(replies, true).length;
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
          await post(answerPath(requestID, rest), rest).catch((error: Error) =>
            /^404/.test(error.message) ? undefined : Promise.reject(error),
          );
        gate.markSent(id);
        await settled(
          () =>
            (begun() && !isBusy) ||
            (requestID ? gate.pending().length + gate.outgoing().length > 0 : gate.pending().length === asked) ||
            gate.getSnapshot().turn.waitingFor.some(({ kind }) => kind === 'tool'),
        );
      },
      settled: () => settled(() => !isBusy || gate.pending().length > 0),
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
      await endProgram(server);
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
