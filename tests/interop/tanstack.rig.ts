/**
 * TanStack AI: its `chat()` with a scripted adapter, behind its own reading of requests and writing of event streams.
 */
import { chat, chatParamsFromRequest, EventType, toolDefinition, toServerSentEventsResponse } from '@tanstack/ai';
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { z } from 'zod';
import type { Line, Reply, Rig, ScriptedCall, Session } from './rig';
import { exchange } from './sse';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

/** A chat, and what its server was sent. */
export interface TanstackSession extends Session {
  readonly requests: readonly Data[];
}

function toolsOf(ran: string[]): Data[] {
  return (['read', 'remove', 'send'] as const).map((name) =>
    toolDefinition({ name, description: name, inputSchema: z.object({ path: z.string() }), needsApproval: name !== 'read' }).server(({ path }) => {
      ran.push(`${name} ${path}`);
      return `${name} ${path}: done`;
    }),
  );
}

/** What the model said in one call, as an adapter streams it. */
function* said(reply: Reply, messageId: string, { runId = 'run', threadId = 'thread' }: Data): Generator<Data> {
  yield { type: EventType.RUN_STARTED, runId, threadId };
  if ('text' in reply) {
    yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' };
    for (const delta of [reply.text.slice(0, 2), reply.text.slice(2)]) yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta };
    yield { type: EventType.TEXT_MESSAGE_END, messageId };
  } else if ('calls' in reply) {
    for (const { id: toolCallId, tool, path } of reply.calls) {
      yield { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: tool, toolName: tool, parentMessageId: messageId };
      yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify({ path }) };
      yield { type: EventType.TOOL_CALL_END, toolCallId, toolCallName: tool, input: { path } };
    }
  } else {
    throw new Error(reply.error);
  }
  yield { type: EventType.RUN_FINISHED, runId, threadId, finishReason: 'calls' in reply ? 'tool_calls' : 'stop' };
}

function linesOf(messages: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return messages.flatMap(({ role, content, toolCalls = [], toolCallId }): Line[] => {
    const text = typeof content === 'string' ? content : (content ?? []).map((part: Data) => part.content ?? '').join('');
    if (role === 'tool') return [{ kind: 'result', text, call: calls.get(toolCallId) }];
    if (role === 'user') return [{ kind: 'user', text }];
    for (const call of toolCalls) calls.set(call.id, `${call.function.name} ${JSON.parse(call.function.arguments).path}`);
    return [...(text ? [{ kind: 'text', text } as const] : []), ...toolCalls.map((call: Data) => ({ kind: 'call', call: calls.get(call.id) }))];
  });
}

/** Opens a chat; with `tools`, these in place of the usual ones. */
export async function openTanstack(replies: readonly Reply[], options: ToolGateOptions, tools?: Data[]): Promise<TanstackSession> {
  const ran: string[] = [];
  const prompts: Line[][] = [];
  const requests: Data[] = [];
  let step = 0;
  const adapter: Data = {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    async *chatStream(asked: Data): AsyncGenerator<Data> {
      prompts.push(linesOf(asked.messages));
      const reply = replies[step++];
      if (!reply) throw new Error('the script is over');
      yield* said(reply, `said-${step}`, asked);
    },
  };
  const gate = new ToolGate({ protocol: 'tanstack', chatId: 'thread', ...options });
  const served = tools ?? toolsOf(ran);
  return {
    gate,
    ran,
    prompts,
    requests,
    send: (item) =>
      exchange(gate, item, async (body) => {
        requests.push(JSON.parse(body));
        const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(new Request('http://localhost/', { method: 'POST', body }));
        const stream = chat({ adapter, messages: messages as Data, tools: served, threadId, runId, ...(parentRunId && { parentRunId }), ...(resume && { resume }) });
        return toServerSentEventsResponse(stream as Data);
      }),
  };
}

/** The calls of one step, for scripts. */
export const callsOf = (...calls: readonly ScriptedCall[]): Reply => ({ calls });

/** TanStack AI. */
export const tanstackRig: Rig = {
  name: 'TanStack AI',
  open: openTanstack,
  quirks: {
    cancel: { why: 'it runs nothing of a step before its approvals are answered', ran: [] },
    'a message while approvals are pending': { why: 'it runs nothing of a step before its approvals are answered', ran: ['remove /a'] },
  },
};
