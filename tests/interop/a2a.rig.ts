/** A2A: a gate and a scripted agent behind the server of `@a2a-js/sdk` (`a2a.server.ts`). */
import type { Outgoing, ToolGateOptions } from 'toolgate';
import { ScriptedAgent, serveAgent, type Manner, type OwnReply } from './a2a.server';
import { signalOf, type Page } from './page';
import type { Reply, Rig, Session } from './rig';
import { eventsOf, gateFor, type Data } from './support';

/** A chat with the agent, its address, and the bodies that were sent. */
export interface A2aSession extends Session {
  readonly agent: ScriptedAgent;
  readonly url: string;
  readonly bodies: readonly Data[];
}

/** Posts a request to the server. Rejects if the server refuses it before its reply begins. */
export async function post(url: string, body: unknown, page: Partial<Pick<Page, 'signal'>> = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...page });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}

/** The result of a request without a stream. */
export async function call(url: string, method: string, params: unknown): Promise<Data> {
  const { result, error }: Data = await (await post(url, { jsonrpc: '2.0', id: 1, method, params })).json();
  if (error) throw new Error(error.message);
  return result;
}

/** `UnsupportedOperationError`: the task has ended. */
const ENDED = -32004;

/** Opens a chat with an agent that asks in this manner. */
export async function openA2a(
  replies: readonly (Reply | OwnReply)[],
  options: ToolGateOptions,
  manner: Manner = 'convention',
): Promise<A2aSession> {
  const agent = new ScriptedAgent(replies, manner);
  const server = await serveAgent(agent);
  const gate = gateFor('a2a', options);
  const bodies: Data[] = [];
  return {
    gate,
    agent,
    url: server.url,
    bodies,
    ran: agent.ran,
    prompts: agent.prompts,
    async send({ id: requestId, attempt, body }: Outgoing) {
      bodies.push(body);
      const response = await post(server.url, body, signalOf(gate));
      const about = { requestId, attempt };
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      let single: Data = isStream ? undefined : await response.json();
      // As the page of the docs: what an ended task did is its reply to an answer that it has.
      if (single?.error?.code === ENDED && (body as Data).params.message?.taskId)
        single = { result: { task: await call(server.url, 'GetTask', { id: (body as Data).params.message.taskId }) } };
      if (single?.error) throw new Error(single.error.message);
      gate.markSent(requestId);
      if (single) gate.receive(single, about);
      else
        try {
          for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>))
            gate.receive(JSON.parse(data), about);
        } catch (error) {
          return gate.streamEnded({ status: 'disconnected', error: String(error) }, about);
        }
      gate.streamEnded({ status: 'finished' }, about);
    },
    async refill() {
      const { tasks } = await call(server.url, 'ListTasks', { contextId: 'chat', includeArtifacts: true });
      gate.load(tasks.toReversed());
    },
    close: server.close,
  };
}

/** An agent that asks as `a2a` documents. */
export const a2a: Rig<A2aSession> = {
  name: 'A2A',
  protocol: 'a2a',
  waiting: 'with the server',
  open: openA2a,
};
