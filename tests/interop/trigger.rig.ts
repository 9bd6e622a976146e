/**
 * Trigger.dev: an agent (`chat.agent`) in the test harness of `@trigger.dev/sdk`, and its chat transport, over a server
 * on the loopback with the two addresses of a session: `in/append`, and the events of `out`.
 */
import { stepCountIs, streamText, type ChatTransport, type UIMessage } from 'ai';
import { transportFile } from '../../pkg-scripts/lib/transports.mjs';
import { modelAndTools } from './ai-sdk.server';
import type { Line, Reply } from './rig';
import { serve, type Data } from './support';
import type { TransportBackend } from './transports.rig';

const load = (file: string): Promise<Data> => import(transportFile(`@trigger.dev/sdk/dist/esm/v3/${file}.js`));

let agents = 0;

/** Starts an agent with a chat, and a transport to it. */
export async function startTrigger(replies: readonly Reply[]): Promise<TransportBackend> {
  const [{ mockChatAgent }, { chat }, { TriggerChatTransport }] = await Promise.all(
    ['test/index', 'ai', 'chat'].map(load),
  );
  const [ran, prompts, bodies]: [string[], Line[][], Data[]] = [[], [], []];
  const { model, tools, approvals } = modelAndTools(7, replies, ran, prompts);
  const run = ({ messages, signal: abortSignal }: Data): unknown =>
    streamText({
      model: model as Data,
      tools,
      messages,
      abortSignal,
      stopWhen: stepCountIs(5),
      maxRetries: 0,
      onError: () => {},
      ...approvals,
    });
  const agent = chat.agent({ id: `agent-${agents++}`, tools, run });
  const harness = mockChatAgent(agent, { chatId: 'chat' });
  /** The events of the session. The id of an event is its place, beginning with 1. */
  const log: Data[] = [];
  const server = await serve(async (body, request) => {
    if (request.method === 'POST') {
      bodies.push(body.payload);
      const { chunks } = await harness.sendMessage(body.payload.message);
      log.push(...chunks, { type: 'trigger:turn-complete' });
      return Response.json({ seq: bodies.length });
    }
    const read = Number(request.headers.get('last-event-id') ?? 0);
    const text = log.map((event, at) => `id: ${at + 1}\ndata: ${JSON.stringify(event)}\n\n`).slice(read);
    return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } });
  });
  const transport: ChatTransport<UIMessage> = new TriggerChatTransport({
    task: 'agent',
    accessToken: () => Promise.resolve('token'),
    startSession: () => Promise.resolve({ publicAccessToken: 'token' }),
    baseURL: server.url,
  });
  return {
    transport,
    ran,
    prompts,
    bodies,
    async close() {
      await harness.close();
      await server.close();
    },
  };
}
