/**
 * The OpenAI Agents SDK: the server of the docs, over HTTP on the loopback. Between two requests the server stores only
 * the state of a run, as a text. The scripted model is an implementation of the SDK's `Model`.
 */
import { Agent, setTracingDisabled, tool, type Model } from '@openai/agents';
import { z } from 'zod';
import { reply, type Posted } from './openai-agents.server';
import type { Line, Reply, Rig, Session } from './rig';
import { asks, done, events, exchange, gateFor, scripted, serve, slowly, TOOLS, type Data } from './support';

setTracingDisabled(true);

/** The content that the model receives, item by item. */
export function linesOf(input: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return input.flatMap((item: Data): Line[] => {
    const { type = 'message', role, content, callId } = item;
    if (type === 'function_call') {
      const call = `${item.name} ${JSON.parse(item.arguments).path}`;
      calls.set(callId, call);
      return [{ kind: 'call', call }];
    }
    if (type === 'function_call_result')
      return [{ kind: 'result', call: calls.get(callId) ?? `? ${callId}`, text: item.output.text }];
    if (type !== 'message') return [{ kind: 'other', text: type }];
    return (typeof content === 'string' ? [{ text: content }] : content).map(({ text }: Data) => ({
      kind: role === 'user' ? 'user' : 'text',
      text,
    }));
  });
}

async function* itemsOf(events: AsyncIterable<Data>): AsyncGenerator<Data> {
  for await (const event of events) if (event.type !== 'raw_model_stream_event') yield event;
}

function outputOf(scripted: Exclude<Reply, { error: string }>): Data[] {
  if ('text' in scripted)
    return [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: scripted.text }],
      },
    ];
  return scripted.calls.map(({ id, tool: name, path }) => ({
    type: 'function_call',
    callId: id,
    name,
    status: 'completed',
    arguments: JSON.stringify({ path }),
  }));
}

const USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A chat, its request bodies, and the server's history. */
export interface AgentsSession extends Session {
  readonly bodies: readonly Data[];
  history(): Data[];
}

/** The SDK with a server. With `whole`, the events of the model are omitted, so texts arrive in one piece. */
export function openaiAgents(whole = false): Rig<AgentsSession> {
  return {
    protocol: 'openai-agents',
    waiting: { savedOnly: 'the server of the docs has no request for its history, which lacks the calls that wait' },
    name: `OpenAI Agents SDK${whole ? ', run items only' : ''}`,
    async open(replies, options): Promise<AgentsSession> {
      const ran: string[] = [];
      const prompts: Line[][] = [];
      const bodies: Data[] = [];
      const next = scripted(replies);
      let responses = 0;
      const model = {
        getResponse: () => Promise.reject(new Error('this model streams')),
        async *getStreamedResponse({ input }: Data) {
          prompts.push(linesOf(input));
          const output = outputOf(next());
          yield { type: 'response_started' };
          for (const { content = [] } of output)
            for (const letter of content[0]?.text ?? '') yield { type: 'output_text_delta', delta: letter };
          yield { type: 'response_done', response: { id: `response-${responses++}`, usage: USAGE, output } };
        },
      } as unknown as Model;
      const tools = TOOLS.map((name) =>
        tool({
          name,
          description: name,
          parameters: z.object({ path: z.string() }),
          needsApproval: asks(name),
          execute: async ({ path }) => {
            ran.push(`${name} ${path}`);
            await slowly(path);
            return done(name, path);
          },
        }),
      );
      const agent = new Agent({ name: 'agent', model, tools });
      const chats: Parameters<typeof reply>[1] = new Map();
      const server = await serve(async (body: Posted) => {
        bodies.push(body);
        const run = reply(agent as Agent, chats, body);
        const first = await run.next();
        const stream = async function* (): AsyncGenerator<Data> {
          yield first.value;
          yield* run;
          // A copy, as a database returns it.
          chats.set(body.chatId, JSON.parse(JSON.stringify(chats.get(body.chatId))));
        };
        return events(whole ? itemsOf(stream()) : stream());
      });
      const gate = gateFor('openai-agents', options);
      return {
        gate,
        url: server.url,
        ran,
        prompts,
        bodies,
        history: () => chats.get('chat')?.history ?? [],
        send: (item) => exchange(gate, item, server.url),
        close: server.close,
      };
    },
  };
}
