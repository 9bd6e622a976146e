/**
 * `langgraph`: a LangGraph server whose agents ask by LangChain's human-in-the-loop middleware. Sources: `middleware/hitl.ts` of
 * `langchain` 1.5, `human_in_the_loop.py` of langchain 1.4 (its `per_call` mode too), `client.runs.stream` of
 * `@langchain/langgraph-sdk` 1.15.
 *
 * Events are `{ event, data }` as the client yields them, or `[mode, data]` as `graph.stream` does. Ask for `values` beside
 * `messages-tuple`: only the state tells that the middleware took an approved call out of its message because another one was
 * rejected. Decisions are positions in an interrupt: all of them are sent, in its order, each of a kind that it allows; a wrong
 * one would spoil the thread for good. What cannot be said so is sent as results, in a run that leaves the interrupt behind.
 *
 * Every answer names its interrupt (`{ resume: { [interruptId]: … } }`), so that the server ignores one that it receives again: a
 * bare `{ resume: { decisions } }` would answer whatever interrupt is open by then. Streams are read in langgraph-stream.ts.
 */
import { resultText } from './shared/result-texts.js';
import {
  wordsOnly,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type ItemDecision,
  type Entry,
  type Part,
  type RequestContext,
} from './shared/codec.js';
import { asList, asParts, fileOf, isToolCall, objectOf, textOf, resultOf } from './shared/history.js';
import { plain, wordsOf } from './langgraph-message.js';
import { DROPPED, createReader } from './langgraph-stream.js';
import { read, write, type CallAnswer } from './shared/phrase.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** What the middleware writes for a call that was rejected. */
const rejected = ({ toolName, toolCallId, result }: Call): string =>
  `User rejected the tool call for \`${toolName}\` with ${result?.['output'].reason === undefined ? `id ${toolCallId}` : 'reason:'}`;

function messages(entries: readonly Entry[], context: Context): Data[] {
  return write(entries, context, {
    message: (role, parts) => (role === 'tool' ? parts : wordMessage(role, parts)),
    call: (call, result, toolCallId) => wordCall({ ...call, toolCallId }, result, context),
    part: (part, role) => wordPart(part, role),
  });
}

function wordMessage(role: string, parts: readonly Data[]): Data {
  const uses = parts.filter(({ args }) => args);
  const blocks = parts.filter(({ args }) => !args);
  const isText = blocks.every(({ type }) => type === 'text');
  const content = isText ? blocks.map(({ text }) => text).join('') : blocks;
  if (role !== 'assistant') return { type: role === 'user' ? 'human' : role, content };
  return { type: 'ai', content, ...(uses.length && { tool_calls: uses }) };
}

function wordCall(call: Call, { kind }: CallResult, context: Context): [Data[], Data[]] {
  const { toolCallId: id, toolName: name } = call;
  const { text } = resultOf(call, { denied: rejected(call), ...context.texts }) as CallResult;
  const status = kind === 'executed' ? 'success' : 'error';
  return [
    [{ type: 'tool_call', id, name, args: objectOf(call, context) }],
    [{ type: 'tool', tool_call_id: id, name, status, content: text }],
  ];
}

function wordPart(part: Part, role: string): Data {
  const { type, text } = part as Data;
  if (type === 'text') return text ? { type, text } : undefined;
  const { url, mediaType } = fileOf(part);
  return type === 'file' && role === 'user' && url && /^image/.test(mediaType)
    ? { type: 'image_url', image_url: { url } }
    : undefined;
}

const ROLES: Data = { ai: 'assistant', tool: 'assistant', human: 'user', system: 'system' };

function partsOf(message: Data): [Entry['role'], readonly Data[]] {
  const { type, content, tool_calls: uses, tool_call_id: answers, status } = plain(message);
  if (type === 'tool') return ['assistant', [{ answers, value: wordsOf(content), failed: status === 'error' }]];
  return [ROLES[type], [...asParts(content), ...asList(uses).map((use) => ({ use }))]];
}

function parse(part: Data, texts: Context['texts']): Part | CallAnswer {
  const { value, failed, use, type, text, image_url: image } = part;
  if ('answers' in part) {
    const denial = failed && /^User rejected the tool call for `.*` with (id|reason: (.*))/s.exec(value);
    return denial ? { ...part, value: resultText({ kind: 'denied', reason: denial[2] }, texts) } : part;
  }
  if ('use' in part) return { type: 'tool-call', toolCallId: use.id, toolName: use.name, input: use.args };
  if (image) return { type: 'file', mediaType: 'image', data: image.url ?? image };
  if (typeof type !== 'string') throw new TypeError('a block without a type');
  return text === undefined
    ? { type: 'custom', kind: `langgraph.${type}`, providerOptions: { langgraph: { block: part } } }
    : { type: 'text', text };
}

/** One decision, of a kind that the interrupt allows; undefined if there is none for it. */
function decide(
  { outcome, reason, toolName: name, input, editedInput, output, approval }: ItemDecision,
  texts: Context['texts'],
): Data {
  const { allowed, edit } = approval.langgraph;
  const can = (kind: string): boolean => asList(allowed).includes(kind);
  const isApproved = outcome === 'approved';
  if (isApproved && editedInput === undefined && can('approve')) return { type: 'approve' };
  if (isApproved && can('edit')) {
    const action = { name, args: editedInput ?? input };
    return { type: 'edit', ...Object.fromEntries(asList(edit).map((key) => [key, action])) };
  }
  if (outcome === 'executed' && can('respond')) return { type: 'respond', message: textOf(output) };
  if (!can('reject') || /^(exec|fail)/.test(outcome)) return undefined;
  const message = isApproved
    ? resultText(DROPPED, texts)
    : (reason ?? (outcome === 'denied' ? undefined : resultText({ kind: outcome as 'skipped' }, texts)));
  return { type: 'reject', ...(message !== undefined && { message }) };
}

/** The answer to every interrupt that the decisions belong to; undefined if one of them cannot be said. */
function resumeWith(decisions: readonly ItemDecision[], texts: Context['texts']): Data {
  const answers = new Map<string | undefined, Data>();
  let rest = 0;
  for (const decision of decisions) {
    const { interrupt, position, count, single }: Data = decision.approval?.langgraph ?? {};
    const answer = count && decide(decision, texts);
    if (!answer) return undefined;
    const list: Data[] = answers.get(interrupt)?.decisions ?? [];
    rest += (list.length ? 0 : count) - 1;
    list[position] = answer;
    answers.set(interrupt, single ? answer : { decisions: list });
  }
  // Some positions are undecided.
  if (rest) return undefined;
  // An interrupt without an id can only be answered by itself.
  if (answers.has(undefined)) return answers.size === 1 ? answers.get(undefined) : undefined;
  return Object.fromEntries(answers as Map<string, Data>);
}

function body(entries: readonly Entry[], context: RequestContext): Data {
  const { chatId, item, decisions, newMessages, texts, history, request } = context;
  const config = { configurable: { thread_id: chatId } };
  const resume = decisions.length ? resumeWith(decisions, texts) : undefined;
  if (resume) return { command: { resume }, config };
  const last = entries.findLastIndex(({ role }) => role === 'assistant');
  const asked = decisions.length ? entries.slice(last, last + 1) : [];
  // Results that arrive twice under one id are one message of the thread.
  const results = messages(
    asked.map((entry) => closed(entry, texts)),
    context,
  ).filter(({ type }) => type === 'tool');
  const answers = results.map((message, place) => ({ ...message, id: `${item.key}:${place}` }));
  // A message that comes twice under one id is one message of the thread.
  const sent = request.messages.slice(request.messages.findLastIndex(({ role }) => role !== 'user') + 1);
  const named = (entry: Entry, place: number): Data[] =>
    messages([entry], context).map((message) => ({ ...message, id: sent[place]?.id }));
  const said = sent.length === newMessages.length ? newMessages.flatMap(named) : messages(newMessages, context);
  const all = decisions.length ? entries.slice(0, entries.length - newMessages.length) : entries;
  return {
    input: { messages: history === 'client' ? messages(all, context) : decisions.length ? answers : said },
    config,
  };
}

/** A step whose calls all have a result: a new run leaves those behind that have none. */
function closed({ role, content }: Entry, texts: Context['texts']): Entry {
  const result = { type: '', output: { type: 'error-text', value: resultText(DROPPED, texts) } };
  return { role, content: content.map((part) => (isToolCall(part) && !part.result ? { ...part, result } : part)) };
}

/** LangGraph, with LangChain's human-in-the-loop middleware. */
export const langgraph: Protocol = makeProtocol({
  name: 'langgraph',
  capabilities: {
    ...wordsOnly('approval pending json input reasoning custom file'),
    editedInput: true,
    history: 'server',
    repeat: 'ignored',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  createReader,
  write: messages,
  read: (history, context) => read(history, context, partsOf, (part) => parse(part, context.texts)),
  body,
  acceptsEdit: ({ langgraph: own }) => !own || asList(own.allowed).includes('edit'),
});
