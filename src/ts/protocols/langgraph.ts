/**
 * `langgraph`: a LangGraph server whose agents request approvals with LangChain's human-in-the-loop middleware.
 * Sources: `middleware/hitl.ts` of `langchain` 1.5, `human_in_the_loop.py` of langchain 1.4 (including its `per_call`
 * mode), `client.runs.stream` of `@langchain/langgraph-sdk` 1.15.
 *
 * Events are `{ event, data }` as `client.runs.stream` yields them, `[mode, data]` as `graph.stream` does, or those of
 * `client.threads.stream`. Request the stream mode `values` in addition to `messages-tuple`: only the state shows that
 * the middleware removed an approved call from its message because another one was rejected. The answer to an interrupt
 * has one decision for each of its actions, in their order, and of a kind that the interrupt allows. A wrong answer
 * would break the thread permanently, so decisions that cannot be expressed this way are sent as results, in a run that
 * abandons the interrupt. An interrupt with any other value is a question for the page's form.
 *
 * Every answer names its interrupt (`{ resume: { [interruptId]: … } }`), so that the server ignores a repeated answer:
 * `{ resume: { decisions } }` would answer whichever interrupt is open then. Streams are read in langgraph/stream.ts.
 */
import { resultText } from './shared/result-texts.js';
import { unanswered } from './shared/stand-ins.js';
import { lossyCapabilities, type Call, type CallResult, type Context, type Entry } from './shared/codec.js';
import type { ItemDecision, Part, RequestContext } from './shared/codec.js';
import { asList, asParts, fileOf, isToolCall, objectInput, resultOf } from './shared/history.js';
import { plain, wordsOf, type Block, type GivenMessage, type ThreadMessage, type Use } from './langgraph/message.js';
import { DROPPED, refusesBareApproval, resumeOf, type Needed } from './langgraph/decision.js';
import { createReader } from './langgraph/stream.js';
import {
  readHistory,
  writeEntries,
  writeHistory,
  type CallAnswer,
  type HistoryFormat,
} from './shared/history-format.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Wire } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { LangGraphBody, LangGraphEvent, Typed } from '../types/backends.js';

/** The text that the middleware writes for a rejected call. */
const rejected = ({ toolName, toolCallId, result }: Call): string =>
  `User rejected the tool call for \`${toolName}\` with ${result?.output.reason === undefined ? `id ${toolCallId}` : 'reason:'}`;

/** A block or a call of a message that is written; a result is a message. */
type Item = Block & Omit<Use, 'type'> & ThreadMessage;

const MESSAGES: HistoryFormat<ThreadMessage, Item> = {
  message: (role, parts) => (role === 'tool' ? parts : writeMessage(role, parts)),
  call: (call, result, toolCallId, { context }) => writeCall({ ...call, toolCallId }, result, context),
  part: writePart,
};

function writeMessage(role: string, parts: readonly Item[]): ThreadMessage {
  const uses = parts.filter(({ args }) => args);
  const blocks = parts.filter(({ args }) => !args);
  const isText = blocks.every(({ type }) => type === 'text');
  const content = isText ? blocks.map(({ text }) => text).join('') : blocks;
  if (role !== 'assistant') return { type: role === 'user' ? 'human' : role, content };
  return { type: 'ai', content, ...(uses.length && { tool_calls: uses as readonly Use[] }) };
}

function writeCall(call: Call, { kind }: CallResult, context: Context): [Item[], Item[]] {
  const { toolCallId: id, toolName: name } = call;
  const { text } = resultOf(call, { denied: rejected(call), ...context.texts }) as CallResult;
  const status = kind === 'executed' ? 'success' : 'error';
  return [
    [{ type: 'tool_call', id, name, args: objectInput(call, context) }],
    [{ type: 'tool', tool_call_id: id, name, status, content: text }],
  ];
}

function writePart(part: Exclude<Part, Call>, role: string): Item | undefined {
  const { type, text } = part;
  if (type === 'text') return text ? { type, text } : undefined;
  const { url, mediaType } = fileOf(part);
  return type === 'file' && role === 'user' && url && /^image/.test(mediaType)
    ? { type: 'image_url', image_url: { url } }
    : undefined;
}

const ROLES: Readonly<Record<string, Entry['role']>> = {
  ai: 'assistant',
  tool: 'assistant',
  human: 'user',
  system: 'system',
};

/** What is read of a message: a block, a call or a result. */
interface Stored extends Block, Partial<Pick<CallAnswer, 'answers' | 'value' | 'failed'>> {
  readonly use?: Use;
}

function partsOf(message: GivenMessage): [Entry['role'] | undefined, readonly Stored[]] {
  const { type, content, tool_calls: uses, tool_call_id: answers, status } = plain(message);
  if (type === 'tool') return ['assistant', [{ answers, value: wordsOf(content), failed: status === 'error' }]];
  return [ROLES[type], [...(asParts(content) as readonly Stored[]), ...asList(uses).map((use) => ({ use }))]];
}

function parse(part: Stored, texts: Context['texts']): Wire<Part> | CallAnswer {
  const { value, failed, use, type, text, image_url: image } = part;
  if ('answers' in part) {
    const denial = failed && /^User rejected the tool call for `.*` with (id|reason: (.*))/s.exec(value as string);
    const known = denial && { value: resultText({ kind: 'denied', reason: denial[2] }, texts) };
    return { ...part, ...known } as CallAnswer;
  }
  if (use) return { type: 'tool-call', toolCallId: use.id, toolName: use.name, input: use.args };
  if (image)
    return { type: 'file', mediaType: 'image', data: (image as { readonly url?: string }).url ?? (image as string) };
  if (typeof type !== 'string') throw new TypeError('expected a block with a type');
  return text === undefined
    ? { type: 'custom', kind: `langgraph.${type}`, providerOptions: { langgraph: { block: part } } }
    : { type: 'text', text };
}

/** What the reader stored about the interrupt of a decision. */
const ownOf = ({ approval, metadata }: ItemDecision): Needed =>
  (approval ?? metadata)?.['langgraph'] as unknown as Needed;

/**
 * Returns the body that answers the interrupts of decisions; undefined if a decision cannot be expressed. Interrupts
 * that name a namespace are answered with `thread.input.respond`, the others with a command.
 */
function answersTo(decisions: readonly ItemDecision[], { texts }: Context) {
  const answers = resumeOf(decisions, ownOf, texts);
  const [first] = answers?.keys() ?? [];
  // An interrupt without an id can only be answered alone.
  if (!answers || (answers.has(undefined) && answers.size > 1)) return undefined;
  const spaces = new Map(decisions.map((decision) => [ownOf(decision).interrupt, ownOf(decision).namespace]));
  if (spaces.get(first)) {
    const responses = [...answers].map(([id, response]) => ({ namespace: spaces.get(id), interrupt_id: id, response }));
    return { responses };
  }
  return {
    command: {
      resume: answers.has(undefined) ? answers.get(undefined) : Object.fromEntries(answers as Map<string, unknown>),
    },
  };
}

function body(entries: readonly Entry[], context: RequestContext): LangGraphBody {
  const { chatId, item, decisions, newMessages, texts, history, request } = context;
  const config = { configurable: { thread_id: chatId } };
  const left = unanswered(entries);
  const resume = decisions.length ? answersTo([...decisions, ...left], context) : undefined;
  if (resume) return { ...resume, config };
  const last = entries.findLastIndex(({ role }) => role === 'assistant');
  const asked = decisions.length ? entries.slice(last, last + 1) : [];
  // The thread treats results with the same message id as one message, so a repeated request adds nothing.
  const closed = asked.map((entry) => withResults(entry, texts));
  const results = writeEntries(closed, context, MESSAGES).filter(({ type }) => type === 'tool');
  const answers = results.map((message, place) => ({ ...message, id: `${item.key}:${place}` }));
  // The thread treats user messages with the same id as one message, so a repeated request adds nothing.
  const sent = request.messages.slice(request.messages.findLastIndex(({ role }) => role !== 'user') + 1);
  const named = (entry: Entry, place: number): ThreadMessage[] =>
    writeEntries([entry], context, MESSAGES).map((message) => ({ ...message, id: sent[place]?.id }));
  const said =
    sent.length === newMessages.length ? newMessages.flatMap(named) : writeEntries(newMessages, context, MESSAGES);
  // Without an answer to its question, the run would start anew beside the open interrupt.
  const declined = !decisions.length && left.length ? answersTo(left, context) : undefined;
  const update = { messages: said };
  if (declined?.command) return { command: { ...declined.command, update }, config };
  if (declined) return { ...declined, update, config };
  const all = decisions.length ? entries.slice(0, entries.length - newMessages.length) : entries;
  return {
    input: {
      messages: history === 'client' ? writeHistory(all, context, MESSAGES) : decisions.length ? answers : said,
    },
    config,
  };
}

/** Gives every call of a step a result: a new run never runs calls without one. */
function withResults({ role, content }: Entry, texts: Context['texts']): Entry {
  const result = { type: '', output: { type: 'error-text', value: resultText(DROPPED, texts) } };
  return { role, content: content.map((part) => (isToolCall(part) && !part.result ? { ...part, result } : part)) };
}

/** LangGraph, with LangChain's human-in-the-loop middleware. */
export const langgraph: Protocol<LangGraphBody, LangGraphEvent, Typed> = makeProtocol({
  name: 'langgraph',
  capabilities: {
    ...lossyCapabilities('approval pending json input reasoning custom file content'),
    editedInput: true,
    history: 'server',
    repeat: 'ignored',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  createReader,
  write: (entries, context) => writeHistory(entries, context, MESSAGES),
  read: (history: readonly GivenMessage[], context) =>
    readHistory(history, context, partsOf, (part) => parse(part, context.texts)),
  body,
  lacksChoice: ({ approval: { langgraph: own } }, { input }) =>
    input === undefined && refusesBareApproval(own?.allowed),
  acceptsEdit: ({ langgraph: own }) => !own || asList(own.allowed).includes('edit'),
});
