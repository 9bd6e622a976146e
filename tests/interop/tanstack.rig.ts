/**
 * TanStack AI: its `chat()` with a scripted adapter, with its own functions for requests and event streams.
 */
import { chat, chatParamsFromRequestBody, EventType, toolDefinition, toServerSentEventsResponse } from '@tanstack/ai';
import type { ToolGateOptions } from 'toolgate';
import { z } from 'zod';
import { IN_THE_CLIENT, type Line, type Reply, type Rig, type Session } from './rig';
import { asks, done, exchange, gateFor, scripted, serve, TOOLS, type Data } from './support';

/** A chat, and the requests to its server. */
export interface TanstackSession extends Session {
  readonly requests: readonly Data[];
}

function toolsOf(ran: string[]): Data[] {
  return TOOLS.map((name) =>
    toolDefinition({
      name,
      description: name,
      inputSchema: z.object({ path: z.string() }),
      needsApproval: asks(name),
    }).server(({ path }) => {
      ran.push(`${name} ${path}`);
      return done(name, path);
    }),
  );
}

/** One reply of the model, in an adapter's stream format. */
function* said(
  reply: Exclude<Reply, { error: string }>,
  messageId: string,
  { runId = 'run', threadId = 'thread' }: Data,
): Generator<Data> {
  yield { type: EventType.RUN_STARTED, runId, threadId };
  if ('text' in reply) {
    yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' };
    for (const delta of [reply.text.slice(0, 2), reply.text.slice(2)])
      yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta };
    yield { type: EventType.TEXT_MESSAGE_END, messageId };
  } else {
    for (const { id: toolCallId, tool, path } of reply.calls) {
      yield {
        type: EventType.TOOL_CALL_START,
        toolCallId,
        toolCallName: tool,
        toolName: tool,
        parentMessageId: messageId,
      };
      yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify({ path }) };
      yield { type: EventType.TOOL_CALL_END, toolCallId, toolCallName: tool, input: { path } };
    }
  }
  yield { type: EventType.RUN_FINISHED, runId, threadId, finishReason: 'calls' in reply ? 'tool_calls' : 'stop' };
}

function linesOf(messages: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return messages.flatMap(({ role, content, toolCalls = [], toolCallId }): Line[] => {
    const text =
      typeof content === 'string' ? content : (content ?? []).map((part: Data) => part.content ?? '').join('');
    if (role === 'tool') return [{ kind: 'result', text, call: calls.get(toolCallId) }];
    if (role === 'user') return [{ kind: 'user', text }];
    for (const call of toolCalls)
      calls.set(call.id, `${call.function.name} ${JSON.parse(call.function.arguments).path}`);
    return [
      ...(text ? [{ kind: 'text', text } as const] : []),
      ...toolCalls.map((call: Data) => ({ kind: 'call', call: calls.get(call.id) })),
    ];
  });
}

/** Opens a chat. `tools` replaces the usual tools. */
export async function openTanstack(
  replies: readonly Reply[],
  options: ToolGateOptions,
  tools?: Data[],
): Promise<TanstackSession> {
  const [ran, prompts, requests]: [string[], Line[][], Data[]] = [[], [], []];
  const next = scripted(replies);
  const adapter: Data = {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    async *chatStream(asked: Data): AsyncGenerator<Data> {
      prompts.push(linesOf(asked.messages));
      yield* said(next(), `said-${prompts.length}`, asked);
    },
  };
  const { url, close } = await serve(async (body) => {
    requests.push(body);
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequestBody(body);
    const more = { ...(parentRunId && { parentRunId }), ...(resume && { resume }) };
    const stream = chat({
      adapter,
      messages: messages as Data,
      tools: tools ?? toolsOf(ran),
      threadId,
      runId,
      debug: false,
      ...more,
    });
    return toServerSentEventsResponse(stream as Data);
  });
  const gate = gateFor('tanstack', options);
  return { gate, url, ran, prompts, requests, send: (item) => exchange(gate, item, url), close };
}

/** TanStack AI. */
export const tanstackRig: Rig = {
  name: 'TanStack AI',
  protocol: 'tanstack',
  waiting: IN_THE_CLIENT,
  runsAgain: true,
  open: openTanstack,
};
