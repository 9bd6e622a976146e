/**
 * A server of AG-UI, with a scripted model. It follows the page "Interrupts" of AG-UI's documentation, and stores
 * nothing: the model reads what the request has. A run that asks ends with interrupts; the next request answers all of
 * them, and the server sends the results of the calls.
 */
import type { Data } from '../../interop/support';
import type { Backend, Line, ScriptedModel } from '../kit/src/index';

/** The model's prompt, one line for each text, call and result. */
function linesOf({ role, content, toolCalls = [], toolCallId }: Data): string[] {
  if (role === 'tool') return [`result ${toolCallId}: ${resultOf(content)}`];
  return [
    ...(content ? [`${role}: ${content}`] : []),
    ...toolCalls.map((call: Data) => `call ${call.id}: ${call.function.name} ${call.function.arguments}`),
  ];
}

/** The text of a denial's result: the server's, or Toolgate's. */
const DENIED = /denied by (?:the )?user\.\s*(.*)$/i;

function resultOf(content: string): string {
  const [denied, reason] = DENIED.exec(content) ?? [];
  if (denied === undefined) return `output ${JSON.stringify(content)}`;
  return reason ? `denied ${JSON.stringify(reason)}` : 'denied';
}

let ids = 0;

const resultMessage = (call: Data, content: string): Data => ({
  id: `result-${ids++}`,
  role: 'tool',
  toolCallId: call.id,
  content,
});

/** Acts on the answers of a request. Returns the results of the calls. */
function settled({ messages, resume = [] }: Data, model: ScriptedModel): Data[] {
  const calls: Data[] = messages.flatMap(({ toolCalls = [] }: Data) => toolCalls);
  return resume.flatMap(({ interruptId, status, payload }: Data) => {
    const call = calls.find(({ id }) => interruptId === `ask-${id}`);
    if (!call) return [];
    const isApproved = status === 'resolved' && payload?.approved === true;
    if (isApproved) model.ran(call.id);
    const content = isApproved ? `${call.function.name} done` : `Denied by the user. ${payload?.reason ?? ''}`;
    return [resultMessage(call, content)];
  });
}

/** What the model says in one step. */
interface Step {
  readonly events: AsyncIterable<Data>;
  /** The message of the model, and its questions: complete after the events. */
  readonly message: Data;
  readonly interrupts: Data[];
}

function stepOf(lines: readonly Line[], model: ScriptedModel): Step {
  const message: Data = { id: `reply-${ids++}`, role: 'assistant', content: '', toolCalls: [] };
  const interrupts: Data[] = [];
  const { id: messageId } = message;
  async function* events(): AsyncGenerator<Data> {
    for (const line of lines) {
      if (!('type' in line)) {
        await model.reached((line as { until: string }).until);
        continue;
      }
      const { type, toolCallId, toolName, input, delta, approvalId } = line as Data;
      if (type === 'text-start') yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
      if (type === 'text-delta') yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta };
      if (type === 'text-end') yield { type: 'TEXT_MESSAGE_END', messageId };
      if (type === 'text-delta') message.content += delta;
      if (type === 'tool-input-available') {
        const given = JSON.stringify(input);
        message.toolCalls.push({ id: toolCallId, function: { name: toolName, arguments: given } });
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName, parentMessageId: messageId };
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: given };
        yield { type: 'TOOL_CALL_END', toolCallId };
      }
      if (type === 'tool-approval-request') interrupts.push({ id: approvalId, toolCallId });
    }
  }
  return { events: events(), message, interrupts };
}

/** The events of a run. */
async function* runOf(input: Data, model: ScriptedModel, reason: string): AsyncGenerator<Data> {
  const messages: Data[] = [...input.messages];
  function* answered(results: Data[]): Generator<Data> {
    messages.push(...results);
    for (const { id: messageId, toolCallId, content } of results)
      yield { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' };
  }
  yield* answered(settled(input, model));
  for (;;) {
    const { events, message, interrupts } = stepOf(model.next(messages.flatMap(linesOf)), model);
    yield* events;
    messages.push(message);
    const asked: string[] = interrupts.map(({ toolCallId }) => toolCallId);
    const free: Data[] = message.toolCalls.filter((call: Data) => !asked.includes(call.id));
    yield* answered(free.map((call) => resultMessage(call, `${call.function.name} done`)));
    if (asked.length > 0) return yield { type: 'interrupt', interrupts: interrupts.map((one) => ({ ...one, reason })) };
    if (free.length === 0) return yield { type: 'success' };
  }
}

/** A server whose interrupts have this `reason`. */
export const agUiServer = (reason: string): Backend => ({
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  async *answer(body, model) {
    const input = body as Data;
    const written = (event: Data): string => `data: ${JSON.stringify(event)}\n\n`;
    const run = { threadId: input.threadId, runId: input.runId };
    yield written({ type: 'RUN_STARTED', ...run });
    try {
      for await (const event of runOf(input, model, reason)) {
        const isOutcome = event.type === 'interrupt' || event.type === 'success';
        yield written(isOutcome ? { type: 'RUN_FINISHED', ...run, outcome: event } : event);
      }
    } catch (error) {
      yield written({ type: 'RUN_ERROR', message: (error as Error).message });
    }
  },
});
