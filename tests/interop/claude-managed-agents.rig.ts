/**
 * Claude's Managed Agents: a simulated session on the loopback, written from the published types, because real sessions
 * need the cloud service. Anthropic's own client connects to it. The session refuses answers without an open request.
 */
import Anthropic from '@anthropic-ai/sdk';
import type { Outgoing, ToolGateOptions } from 'toolgate';
import type { Line, Reply, Rig, Session } from './rig';
import { asks, done, gateFor, scripted, serve, type Data } from './support';

type Sent = Anthropic.Beta.Sessions.EventSendParams['events'][number];

/** The content that the model receives, event by event. */
function linesOf(log: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  const textOf = (content: readonly Data[]): string => content.map(({ text }) => text).join('');
  return log.flatMap(({ type, id, content, name, input, tool_use_id: use, result, deny_message: why }): Line[] => {
    if (type === 'user.message') return [{ kind: 'user', text: textOf(content) }];
    if (type === 'agent.message') return [{ kind: 'text', text: textOf(content) }];
    if (type === 'agent.tool_use') {
      calls.set(id, `${name} ${input.path}`);
      return [{ kind: 'call', call: `${name} ${input.path}` }];
    }
    if (type === 'user.tool_confirmation' && result === 'deny')
      return [{ kind: 'result', call: calls.get(use) ?? '?', text: why ?? 'The user denied it.' }];
    return type === 'agent.tool_result' ? [{ kind: 'result', call: calls.get(use) ?? '?', text: textOf(content) }] : [];
  });
}

/** A session, its log and its streams. */
export async function openSession(
  replies: readonly Reply[],
  options: ToolGateOptions,
): Promise<Session & { readonly log: readonly Data[]; other(events: Sent[]): Promise<void> }> {
  const [ran, prompts, log]: [string[], Line[][], Data[]] = [[], [], []];
  const streams = new Set<ReadableStreamDefaultController<string>>();
  const waiting = new Map<string, Data>();
  const next = scripted(replies);
  let count = 0;
  const put = (event: Data): Data => {
    const full = { id: `evt_${count++}`, processed_at: new Date(0).toISOString(), ...event };
    log.push(full);
    for (const stream of streams) stream.enqueue(`event: ${full.type}\ndata: ${JSON.stringify(full)}\n\n`);
    return full;
  };
  const idle = (stop_reason: Data): Data => put({ type: 'session.status_idle', stop_reason, stop_details: null });
  const run = ({ id, name, input: { path } }: Data): void => {
    ran.push(`${name} ${path}`);
    put({
      type: 'agent.tool_result',
      tool_use_id: id,
      content: [{ type: 'text', text: done(name, path) }],
      is_error: false,
    });
  };
  /** Continues the session until it is idle. */
  const goOn = (): Data => {
    if (waiting.size) return idle({ type: 'requires_action', event_ids: [...waiting.keys()] });
    put({ type: 'session.status_running' });
    const start = put({ type: 'span.model_request_start' });
    prompts.push(linesOf(log));
    try {
      const reply = next();
      if ('text' in reply) {
        put({ type: 'agent.message', content: [{ type: 'text', text: reply.text }] });
        return idle({ type: 'end_turn' });
      }
      for (const { id, tool: name, path } of reply.calls) {
        const use = put({
          type: 'agent.tool_use',
          id,
          name,
          input: { path },
          evaluated_permission: asks(name) ? 'ask' : 'allow',
        });
        if (asks(name)) waiting.set(id, use);
        else run(use);
      }
      put({ type: 'span.model_request_end', model_request_start_id: start.id, is_error: false, model_usage: {} });
    } catch (error) {
      put({
        type: 'session.error',
        error: { type: 'model_overloaded_error', message: String(error), retry_status: { type: 'exhausted' } },
      });
      return idle({ type: 'retries_exhausted' });
    }
    return goOn();
  };
  const take = (event: Data): void => {
    const use = waiting.get(event.tool_use_id);
    if (event.type === 'user.tool_confirmation') {
      if (!use || (event.deny_message !== undefined && event.result !== 'deny'))
        throw new Error(`${event.tool_use_id} has no pending request`);
      waiting.delete(event.tool_use_id);
      put(event);
      if (event.result === 'allow') run(use);
    } else if (event.type === 'user.message' && !waiting.size) put(event);
    else if (event.type === 'user.interrupt') {
      put(event);
      for (const [id] of waiting)
        put({
          type: 'agent.tool_result',
          tool_use_id: id,
          content: [{ type: 'text', text: 'Interrupted.' }],
          is_error: true,
        });
      waiting.clear();
    } else throw new Error(`${event.type} is not expected`);
  };
  const server = await serve(async (body, request) => {
    if (request.method === 'GET' && !/\/stream$/.test(new URL(request.url).pathname))
      return Response.json({ data: log, next_page: null });
    if (request.method === 'GET') {
      let mine: ReadableStreamDefaultController<string>;
      const start = (out: typeof mine): void => {
        streams.add((mine = out));
        // The headers are sent with the first bytes.
        out.enqueue(': here\n\n');
      };
      const stream = new ReadableStream<string>({ start, cancel: () => void streams.delete(mine) });
      return new Response(stream.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream' },
      });
    }
    try {
      for (const event of body.events) take(event);
    } catch (error) {
      return Response.json(
        { type: 'error', error: { type: 'invalid_request_error', message: String(error) } },
        { status: 400 },
      );
    }
    if (body.events.every(({ type }: Data) => type === 'user.interrupt')) idle({ type: 'end_turn' });
    else goOn();
    return Response.json({ data: body.events });
  });
  const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
  const gate = gateFor('claude-managed-agents', options);
  const stream = await client.beta.sessions.events.stream('session-1');
  const watching = new Set<() => void>();
  let seen = 0;
  const listen = async (): Promise<void> => {
    for await (const event of stream) {
      gate.receive(event);
      if (event.type === 'session.status_idle' && event.stop_reason.type !== 'requires_action')
        gate.streamEnded({ status: 'finished' });
      seen++;
      for (const look of watching) look();
    }
  };
  const listening = listen().catch(() => {});
  /** Waits until all events of the session have arrived. */
  const caughtUp = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (seen < log.length) return;
        watching.delete(look);
        resolve();
      };
      watching.add(look);
      look();
    });
  const send = async (events: Sent[]): Promise<void> => {
    await client.beta.sessions.events.send('session-1', { events });
    await caughtUp();
  };
  return {
    gate,
    url: server.url,
    ran,
    prompts,
    log,
    other: send,
    async refill() {
      const events: Data[] = [];
      for await (const event of client.beta.sessions.events.list('session-1')) events.push(event);
      gate.load(events);
    },
    send: ({ body }: Outgoing) => send((body as { events: Sent[] }).events),
    async close() {
      stream.controller.abort();
      await listening;
      await server.close();
    },
  };
}

/** Claude's Managed Agents. */
export const claudeManagedAgents: Rig = {
  name: 'Claude’s Managed Agents',
  protocol: 'claude-managed-agents',
  waiting: 'with the server',
  open: openSession,
  streams: true,
};
