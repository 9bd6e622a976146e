/**
 * TanStack AI's own server, `chat()`, with a scripted model. It runs approved calls, and reads denials, by itself.
 */
import { chat, chatParamsFromRequestBody, EventType, toolDefinition, toServerSentEventsResponse } from '@tanstack/ai';
import { z } from 'zod';
import { eventsOf, type Data } from '../../interop/support';
import type { Backend, Line, ScriptedModel } from '../kit/src/index';

/** Tools that need no approval. */
const FREE: readonly string[] = ['read', 'edit'];

/** The definitions of the tools, for the client too. */
export const definitions: Data[] = ['read', 'edit', 'remove', 'send', 'search'].map((name) =>
  toolDefinition({
    name,
    description: name,
    inputSchema: z.object({ path: z.string() }),
    needsApproval: !FREE.includes(name),
  }),
);

const toolsOf = (model: ScriptedModel): Data[] =>
  definitions.map((definition) =>
    definition.server(async (_input: unknown, { toolCallId }: Data) => {
      // The scenarios count the runs of calls that were approved.
      if (!FREE.includes(definition.name)) model.ran(toolCallId);
      return `${definition.name} done`;
    }),
  );

/** The model's prompt, one line for each text, call and result. */
function linesOf(messages: readonly Data[]): string[] {
  return messages.flatMap(({ role, content, toolCalls = [], toolCallId }) => {
    const text: string =
      typeof content === 'string'
        ? content
        : (content ?? []).map((part: Data) => part.content ?? part.text ?? '').join('');
    if (role === 'tool') return [`result ${toolCallId}: ${resultOf(text)}`];
    return [
      ...(text ? [`${role}: ${text}`] : []),
      ...toolCalls.map((call: Data) => `call ${call.id}: ${call.function.name} ${call.function.arguments}`),
    ];
  });
}

function resultOf(text: string): string {
  // The texts of the server, of its client, and of Toolgate.
  if (/User declined tool execution|User denied this action|was denied by user/.test(text)) return 'denied';
  return text.startsWith('{"error"') ? `error ${text}` : `output ${JSON.stringify(text)}`;
}

/** The events of one model call. */
async function* said(lines: readonly Line[], model: ScriptedModel, { runId, threadId }: Data): AsyncGenerator<Data> {
  const messageId = `reply-${runId}-${Math.random()}`;
  let reason = 'stop';
  yield { type: EventType.RUN_STARTED, runId, threadId };
  for (const line of lines) {
    if (!('type' in line)) {
      await model.reached(line.until);
      continue;
    }
    const { type, toolCallId, toolName, input, delta } = line as Data;
    if (type === 'text-start') yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' };
    if (type === 'text-delta') yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta };
    if (type === 'text-end') yield { type: EventType.TEXT_MESSAGE_END, messageId };
    if (type === 'tool-input-available') {
      reason = 'tool_calls';
      yield {
        type: EventType.TOOL_CALL_START,
        toolCallId,
        toolCallName: toolName,
        toolName,
        parentMessageId: messageId,
      };
      yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify(input) };
      yield { type: EventType.TOOL_CALL_END, toolCallId, toolCallName: toolName, input };
    }
  }
  yield { type: EventType.RUN_FINISHED, runId, threadId, finishReason: reason };
}

/** The server. */
export const tanstackServer: Backend = {
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  async *answer(body, model) {
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequestBody(body);
    const adapter: Data = {
      kind: 'text',
      name: 'scripted',
      model: 'scripted',
      async *chatStream(asked: Data): AsyncGenerator<Data> {
        yield* said(model.next(linesOf(asked.messages)), model, { runId, threadId });
      },
    };
    const stream = chat({
      adapter,
      messages: messages as Data,
      tools: toolsOf(model),
      threadId,
      runId,
      debug: false,
      ...(parentRunId && { parentRunId }),
      ...(resume && { resume }),
    });
    const response = toServerSentEventsResponse(stream as Data);
    for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) yield `data: ${data}\n\n`;
  },
};
