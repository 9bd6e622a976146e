/**
 * `mastra`: an agent behind Mastra's server. Source: `stream/types.d.ts` and `agent/agent.d.ts` of `@mastra/core` 1.71,
 * and the routes of `@mastra/server`: every item is a body for `/api/agents/:id/<action>`.
 *
 * The agent requests one approval at a time: the reply to a decision requests the next one, and the last reply has the
 * results of all calls. A message in between makes the agent forget the step, so decisions are sent before messages.
 * The agent's memory stores the history; without a memory (`history: 'client'`) it accepts the history of AI SDK 5, and
 * drops calls that have an approval.
 *
 * The host must name the agent and the memory's thread, and mark a decision as sent no sooner than its reply begins,
 * which is the default.
 */
import { answerText } from './shared/result-texts.js';
import {
  lossyCapabilities,
  type Call,
  type CallResult,
  type Context,
  type Entry,
  type ItemDecision,
  type Part,
  type Reader,
  type StreamContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, fileOf, setDenial, setResult, textOf } from './shared/history.js';
import { requestFor } from './shared/page-approvals.js';
import {
  readHistory,
  writeEntries,
  writeHistory,
  type CallAnswer,
  type HistoryFormat,
} from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Merged, Wire } from './shared/wire.js';
import type * as Mastra from '@mastra/core/agent/message-list';
import type { AgentChunkType } from '@mastra/core/stream';
import type { Protocol } from '../types/index.js';
import type { MastraBody, Said, Typed } from '../types/backends.js';

/** A chunk of a reply. Reading one without the payload that it should have throws. */
type Chunk = Merged<AgentChunkType> & { payload: Merged<Extract<AgentChunkType, { payload: object }>['payload']> };

/** The messages of AI SDK 5, for an agent without a memory. */
type Message = Mastra.AIV5Type.ModelMessage;
type PartOf<MESSAGE extends { content: unknown }> = Extract<MESSAGE['content'], readonly unknown[]>[number];
type MessagePart = PartOf<Message>;

/** What `read` accepts: these messages, older ones, and the memory's, whose metadata has the approvals that wait. */
type Stored = { readonly role: Entry['role'] | 'tool'; readonly content: string | readonly StoredPart[] | null };
type StoredPart = Merged<PartOf<Message | Mastra.MastraMessageV1> | Mastra.MastraMessagePart | FileUIPart> & Waiting;
type FileUIPart = Mastra.AIV5Type.FileUIPart;
type Decision = ItemDecision<{ readonly mastra?: { readonly runId?: string } } | undefined>;
type Waiting = { pendingToolApprovals?: Record<string, { type?: string; toolCallId?: string; runId?: string } | null> };

function createReader(stream: StreamContext): Reader<Chunk> {
  const writer = new ReplyWriter(stream);
  return ({ type, runId, payload }) => {
    const { id, toolCallId, toolName, args, providerMetadata, error, mimeType: mediaType } = payload ?? {};
    const [, kind, place] = /^(text|reasoning)-(start|delta|end)$/.exec(type) ?? [];
    const more = { ...hosted(payload ?? {}), ...(providerMetadata && { providerMetadata }) };
    if (type === 'start') writer.startReply({ mastra: { runId } });
    else if (place === 'end') writer.endText(id, providerMetadata);
    else if (kind) writer.textDelta(id, payload.text, kind);
    else if (type === 'tool-call-input-streaming-start') writer.lane(toolCallId).start(toolCallId, toolName, more);
    else if (type === 'tool-call-delta') writer.lane(toolCallId).delta(payload.argsTextDelta);
    else if (type === 'tool-call') {
      if (!writer.lane(toolCallId).isOpen) writer.call(toolCallId, toolName, args, more);
      else writer.lane(toolCallId).end(args, more);
      // The request does not open a step: its call may belong to a step of the previous reply.
    } else if (type === 'tool-call-approval')
      writer.ask(toolCallId, { toolCallId, toolName, input: args }, { mastra: { runId } });
    else if (type === 'tool-result')
      writer.result(
        toolCallId,
        payload.isError ? textOf(payload.result) : payload.result,
        Boolean(payload.isError),
        more,
      );
    else if (type === 'tool-error') writer.result(toolCallId, messageOf(error), true, more);
    else if (type === 'tool-output-denied') writer.confirmDecision(toolCallId) || writer.emit({ type, toolCallId });
    else if (type === 'file')
      writer.content({ type, mediaType, url: `data:${mediaType};base64,${payload.base64 ?? payload.data}` });
    else if (type === 'step-finish') writer.endStep();
    else if (type === 'error') writer.failReply(messageOf(error));
    else if (type === 'tripwire') writer.failReply(payload.reason);
    else if (type !== 'finish') return /^(step-start|tool-call-input-streaming-end)$/.test(type);
    // After an error, the reply has already ended.
    else if (payload?.stepResult?.reason !== 'error') writer.endReply(finishReasonOf(payload?.stepResult?.reason));
    return true;
  };
}

const messageOf = (error: unknown): string => (error as Partial<Error> | undefined)?.message ?? textOf(error);

const hosted = ({ providerExecuted }: { readonly providerExecuted?: boolean | undefined }) =>
  providerExecuted && { providerExecuted };

const MESSAGES: HistoryFormat<Message, MessagePart> = {
  // The parts are those that the role's messages have.
  message: (role, content) =>
    ({
      role,
      content: role === 'system' ? content.map((part) => (part as Mastra.AIV5Type.TextPart).text).join('') : content,
    }) as Message,
  call: (call, result, toolCallId) => writeCall({ ...call, toolCallId }, result),
  part: writePart,
};

const outputOf = (value: unknown) =>
  ({ type: typeof value === 'string' ? 'text' : 'json', value }) as Mastra.AIV5Type.ToolResultPart['output'];

function writeCall(call: Call, { kind, text, value }: CallResult): [MessagePart[], MessagePart[]] {
  const { type, toolCallId, toolName, input } = call;
  const result: MessagePart = {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: kind === 'executed' ? outputOf(value) : { type: 'error-text', value: text },
  };
  const said = { type, toolCallId, toolName, input, ...hosted(call) };
  return call.providerExecuted ? [[said, result], []] : [[said], [result]];
}

function writePart(part: Exclude<Part, Call>): MessagePart | undefined {
  const { type, text, filename, providerOptions } = part;
  const more = providerOptions && { providerOptions: providerOptions as Mastra.AIV5Type.TextPart['providerOptions'] };
  if (type === 'text' || type === 'reasoning') return { type, text, ...more } as MessagePart;
  const { url: data, mediaType } = fileOf(part);
  return type === 'file' && data ? { type, data, mediaType, ...(filename && { filename }), ...more } : undefined;
}

/**
 * Returns the steps of a message of Mastra's memory, which stores all steps of a reply in one message. Returns other
 * messages unchanged.
 */
function stepsOf(message: Stored): Stored[] {
  const memory = Object(message?.content) as Merged<Mastra.MastraMessageContentV2>;
  const { parts: given, toolInvocations, content } = memory;
  if (!Array.isArray(given) && memory.format !== 2) return [message];
  // Some rows have the calls, or the text, only beside the parts.
  const parts = asList(given) as readonly StoredPart[];
  const calls = parts.some((part) => part?.toolInvocation) ? [] : asList(toolInvocations);
  const before = calls.map((toolInvocation): StoredPart => ({ type: 'tool-invocation', toolInvocation }));
  const hasText = parts.length > 0 || typeof content !== 'string' || !content;
  const { pendingToolApprovals } = (memory.metadata ?? {}) as Waiting;
  const steps: (Stored & { content: StoredPart[] })[] = [];
  for (const part of [...before, ...parts, ...(hasText ? [] : [{ type: 'text', text: content }])]) {
    if (part?.type === 'step-start' || !steps.length) steps.push({ role: message.role, content: [] });
    steps.at(-1)?.content.push({ ...part, pendingToolApprovals });
  }
  return steps;
}

function parse(part: StoredPart, texts: Context['texts']): Wire<Part> | CallAnswer | undefined {
  const { type, text, toolCallId, toolName, input, args, output, result, toolInvocation: invocation } = part;
  if (typeof type !== 'string') throw new TypeError('expected a part with a type');
  const providerOptions = part.providerOptions ?? part.providerMetadata;
  // `readHistory` omits a call without an id or a name.
  const call = {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: input ?? args,
    ...hosted(part),
    providerOptions,
  } as Call;
  if (type === 'tool-call') return call;
  if (type === 'tool-result')
    return {
      answers: toolCallId,
      value: output ? output.value : result,
      failed: /^error/.test(`${output?.type}`) || part.isError === true,
    };
  if (invocation)
    return storedCall(
      { ...call, toolCallId: invocation.toolCallId, toolName: invocation.toolName, input: invocation.args } as Call,
      part,
      texts,
    );
  if (type === 'text' || type === 'reasoning') return { type, text: text ?? part.reasoning, providerOptions };
  if (type !== 'file') return undefined;
  return {
    type,
    mediaType: part.mediaType ?? part.mimeType,
    data: part.data ?? part.url,
    filename: part.filename,
    providerOptions,
  };
}

/** Returns a call of the memory, with its result and its approval. */
function storedCall(call: Call, { toolInvocation, pendingToolApprovals }: StoredPart, texts: Context['texts']): Call {
  const { state, result, isError, errorText, approval }: Wire<Mastra.MastraToolInvocation> = toolInvocation ?? {};
  const { toolCallId } = call;
  const open = Object.values(pendingToolApprovals ?? {}).find(
    (one) => one?.toolCallId === toolCallId && one.type === 'approval',
  );
  if (state === 'result' || state === 'output-error')
    setResult(call, state === 'result' ? result : (errorText ?? result), isError === true || state !== 'result', texts);
  if (open && !call.result) call.request = { ...requestFor(call), mastra: { runId: open.runId } };
  if (!approval) return call;
  call.request = requestFor(call);
  if (state === 'output-denied') setDenial(call, approval.reason, texts);
  else if (approval.approved === true) call.response = { type: '', approved: true };
  return call;
}

function answer(decision: Decision, { texts }: Context): MastraBody {
  const { approval, toolCallId, toolName, input, outcome, reason, output: value } = decision;
  // A call without an approval can only be answered with a result: the browser tool's, or an error text if it did not
  // run.
  if (!approval || outcome === 'executed' || outcome === 'failed') {
    const text = answerText(outcome, reason, texts);
    const output = outcome === 'executed' ? outputOf(value) : { type: 'error-text', value: text };
    // Without the call next to its result, the model would see a call without an input.
    const said = { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] };
    return {
      action: 'stream',
      body: { messages: [said, { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }] },
    };
  }
  const body = { runId: approval.mastra?.runId, toolCallId };
  if (outcome === 'approved') return { action: 'approve-tool-call', body };
  return { action: 'decline-tool-call', body: { ...body, ...(reason && { reason }) } };
}

/** Mastra's agents. */
export const mastra: Protocol<MastraBody, Typed, Said> = makeProtocol({
  name: 'mastra',
  capabilities: {
    ...lossyCapabilities('approval pending custom file content'),
    kind: 'answering',
    history: 'server',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  repliesToDenials: true,
  denialCloses: 'call',
  createReader,
  write: (entries, context) => writeHistory(entries, context, MESSAGES),
  read: (history: readonly Stored[], context) =>
    readHistory(
      history.flatMap(stepsOf),
      context,
      ({ role, content }) => [role === 'tool' ? 'assistant' : role, asParts(content)],
      (part) => parse(part, context.texts),
    ),
  body: (entries, context) => ({
    action: 'stream',
    body: {
      messages:
        context.history === 'server'
          ? writeEntries(context.newMessages, context, MESSAGES)
          : writeHistory(entries, context, MESSAGES),
    },
  }),
  answer,
});
