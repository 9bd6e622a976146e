/**
 * The AI SDK's wire: requests are `{ id, messages }` with `UIMessage`s, and replies are a UI message stream. Requests
 * are read as `convertToModelMessages` and `streamText` read them: a decision counts in the last message only. The
 * tests of the kit compare both.
 */
import type { ReadCall, ReadRequest, Wire } from './wire.js';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly state?: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly input?: unknown;
  readonly rawInput?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  readonly preliminary?: boolean;
  readonly providerExecuted?: boolean;
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string };
}

interface Message {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly Part[];
}

/** The AI SDK's wire. */
export const uiMessageStream: Wire = {
  name: 'ui-message-stream',
  read,
  write: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  end: 'data: [DONE]\n\n',
  headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1', 'cache-control': 'no-cache' },
};

function read(body: unknown): ReadRequest {
  const { id, messages } = body as { id?: unknown; messages?: unknown };
  if (!Array.isArray(messages)) throw new TypeError('The request has no list `messages`.');
  const prompt: string[] = [];
  const open: string[] = [];
  const decisions: ReadCall[] = [];
  const lastUser = (messages as Message[]).findLastIndex(({ role }) => role === 'user');
  for (const [at, message] of (messages as Message[]).entries()) {
    const isLast = at === messages.length - 1;
    if (message.role !== 'assistant') {
      prompt.push(`${message.role}: ${message.parts.map(({ text = '' }) => text).join('')}`);
      continue;
    }
    for (const step of stepsOf(message.parts, at < lastUser)) {
      for (const part of step) {
        if (part.type === 'text') prompt.push(`assistant: ${part.text}`);
        else if (part.toolCallId !== undefined) {
          prompt.push(`call ${part.toolCallId}: ${toolOf(part)} ${JSON.stringify(part.input ?? part.rawInput)}`);
        }
      }
      for (const part of step) {
        const result = resultOf(part);
        const decided = isLast && part.state === 'approval-responded' ? part.approval : undefined;
        if (result !== undefined && !(decided && !part.providerExecuted)) prompt.push(result);
        if (decided?.approved !== undefined) decisions.push(callOf(part, decided as { approved: boolean }));
        else if (result === undefined && part.toolCallId !== undefined && !part.providerExecuted)
          open.push(part.toolCallId);
      }
    }
  }
  const last = (messages as Message[]).at(-1);
  const hasResult = (call: string): boolean => prompt.some((line) => line.startsWith(`result ${call}:`));
  return {
    chatId: String(id),
    ...(last?.role === 'assistant' && { continues: last.id }),
    decisions,
    prompt,
    // A call that occurs twice may have its result in the second place.
    open: open.filter((call) => !hasResult(call)),
  };
}

/**
 * The parts of each step that the model reads: not those of half-written calls, and not those of calls that were
 * undecided when the user wrote a message. (`ai` 6 refuses the latter.)
 */
function stepsOf(parts: readonly Part[], isPassed: boolean): Part[][] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else if (part.state !== 'input-streaming' && !(isPassed && part.state === 'approval-requested'))
      steps.at(-1)!.push(part);
  }
  return steps;
}

const toolOf = ({ type, toolName }: Part): string => toolName ?? type.replace(/^tool-/, '');

function callOf(part: Part, { approved, reason }: { approved: boolean; reason?: string }): ReadCall {
  return {
    id: part.toolCallId!,
    tool: toolOf(part),
    input: JSON.stringify(part.input),
    decided: { approved, ...(reason !== undefined && { reason }) },
    ...(part.providerExecuted && { isProviderExecuted: true }),
  };
}

/** The line of a call's result, if the message has it. */
function resultOf({ state, toolCallId, output, errorText, approval }: Part): string | undefined {
  if (state === 'output-available') return `result ${toolCallId}: output ${JSON.stringify(output)}`;
  if (state === 'output-error') return `result ${toolCallId}: error ${JSON.stringify(errorText)}`;
  const isDenied = state === 'output-denied' || (state === 'approval-responded' && approval?.approved === false);
  return isDenied ? deniedLine(toolCallId!, approval?.reason) : undefined;
}

/** The line of a denied call's result. */
export const deniedLine = (id: string, reason: string | undefined): string =>
  `result ${id}: denied${reason === undefined ? '' : ` ${JSON.stringify(reason)}`}`;
