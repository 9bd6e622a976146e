/** The messages and the `RunAgentInput` of AG-UI and its dialects. */
import type { Answers } from './answers.js';
import { requestCalls } from './interrupts.js';
import { mayHaveRun, resultOfLost } from './lost-calls.js';
import { AG_UI } from './names.js';
import type { Calls } from '../shared/calls.js';
import type { Content, Interrupt, Message } from './types.js';
import type { Call, CallResult, Context, Entry, FilePart } from '../shared/codec.js';
import type { ItemDecision, Kept, Part, RequestContext } from '../shared/codec.js';
import { hasMoreThanText } from '../shared/content.js';
import { asList, asParts, fileOf, textOf, valueOf } from '../shared/history.js';
import {
  readHistory,
  writeHistory,
  type CallAnswer,
  type HistoryFormat,
  type Writing,
} from '../shared/history-format.js';
import type { Wire, With } from '../shared/wire.js';
import type { WrittenHistory } from '../shared/written-history.js';
import type { RunAgentInput, ToolCall } from '@ag-ui/core';

/** What is kept of a message beside its parts and calls: its id, and those of the call and its result. */
interface Own {
  readonly id?: string;
  readonly result?: string;
  readonly parts?: boolean;
  readonly encryptedValue?: string;
}

/** A message that is written. */
export type Written = With<Message, 'role'>;

/** What is written of a part or a call; reasoning and results are messages. */
interface Item extends Message {
  readonly own?: Own | undefined;
  readonly call?: Wire<ToolCall>;
  readonly part?: Content;
}

/** A `RunAgentInput`. */
export interface RunInput extends Omit<RunAgentInput, 'messages'> {
  readonly messages: readonly Written[];
}

/** A message's own id, or another one if that is missing or used. */
function name({ ids }: WrittenHistory, given: unknown, other: string): string {
  const id: string = typeof given === 'string' && given && !ids.has(given) ? given : other;
  ids.add(id);
  return id;
}

/** AG-UI messages. */
export const MESSAGES: HistoryFormat<Written, Item> = {
  message(role, parts, { written }) {
    if (role === 'tool') return parts as Written[];
    const thoughts = parts.filter((part) => part.role) as Written[];
    const said = parts.filter((part) => !part.role);
    const calls = said.filter((part) => part.call);
    const own = said.find((part) => typeof part.own?.id === 'string')?.own?.id;
    const texts = said.filter((part) => !part.call).map((part) => part.part);
    const isText = role !== 'user' || (texts.length === 1 && texts[0]?.type === 'text');
    const content = isText ? texts.map((part) => part?.text).join('') : (texts as Content[]);
    if (!said.length) return thoughts;
    const toolCalls = calls.map(({ call }) => call as Wire<ToolCall>);
    return [
      ...thoughts,
      {
        id: name(written, own, `message-${written.count++}`),
        role,
        ...((texts.length || !calls.length) && { content }),
        ...(calls.length && { toolCalls }),
      },
    ];
  },
  call: writeCall,
  hasContent: true,
  part(part, role, { written }) {
    const own = part.providerOptions?.[AG_UI] as Own | undefined;
    if (part.type !== 'reasoning') return writePart(part, role, own);
    const sealed = own?.encryptedValue;
    return {
      id: name(written, own?.id, `message-${written.count++}`),
      role: 'reasoning',
      content: part.text,
      ...(sealed && { encryptedValue: sealed }),
    };
  },
};

/**
 * The messages of a request: they include calls without a result. Calls of the open step whose ids are in `asked` get
 * no result, except those that may have run: Microsoft's server knows nothing of a cancelled call.
 */
const OF_REQUEST: HistoryFormat<Written, Item> = {
  ...MESSAGES,
  call(call, result, id, writing) {
    const { isOpen, request } = writing;
    const lost = result ? undefined : resultOfLost(call, writing);
    const asked = (isOpen && (request?.['asked'] as readonly string[] | undefined)) || [];
    const isAsked = !lost && asked.includes(call.toolCallId) && !mayHaveRun(call);
    return writeCall(call, isAsked ? undefined : (lost ?? result), id, writing);
  },
  open: () => true,
};

function writeCall(
  call: Call,
  result: CallResult | undefined,
  id: string,
  { written, context }: Pick<Writing, 'written' | 'context'>,
): [Item[], Item[]] {
  const { input, providerOptions } = call;
  const own = providerOptions?.[AG_UI] as Own | undefined;
  const sealed = own?.encryptedValue;
  const named = { name: call.toolName, arguments: typeof input === 'string' ? JSON.stringify(input) : textOf(input) };
  const said: Item[] = [
    { own, call: { id, type: 'function', function: named, ...(sealed && { encryptedValue: sealed }) } },
  ];
  if (!result) return [said, []];
  const { kind, text, failed, content } = result;
  // Servers before AG-UI 1.0 accept text only. One that sent parts accepts them.
  const parts =
    content && own?.parts ? content.map((part) => writePart(part as FilePart, 'user', own)?.part) : undefined;
  if (content && hasMoreThanText(content) && !parts?.every(Boolean)) context.reportLoss('content', call.toolCallId);
  // TanStack AI gives a result message the id of the message with the call. Such a result gets an id of its own.
  return [
    said,
    [
      {
        id: name(written, own?.result === own?.id ? undefined : own?.result, `tool-${id}`),
        role: 'tool',
        toolCallId: id,
        content: (parts?.filter(Boolean) as Content[] | undefined) ?? text,
        ...((failed || kind !== 'executed') && { error: text }),
      },
    ],
  ];
}

function writePart(part: Exclude<Part, Call>, role: Entry['role'], own: Own | undefined): Item | undefined {
  const { type, text } = part;
  if (type === 'text') return text ? { own, part: { type, text } } : undefined;
  const { url, base64, mediaType } = fileOf(part);
  if (role !== 'user' || type !== 'file' || !url) return undefined;
  const [kind = ''] = /^(image|audio|video)/.exec(mediaType) ?? [];
  const source = { type: base64 === undefined ? 'url' : 'data', value: base64 ?? url, mimeType: mediaType };
  return { own, part: { type: kind || 'document', source } };
}

/** A message with the reasoning before it, which may not be known yet. */
type Joined = Message & { readonly thoughts?: Message[] };

/**
 * Merges reasoning messages into the assistant message that follows them, and omits `activity` messages and those that
 * come again.
 */
function joined(history: readonly Message[]): Joined[] {
  const list: Joined[] = [];
  const seen = new Map<unknown, string>();
  for (const message of history) {
    // Servers store a turn again if the client sends it again with its answer.
    const [id, text] = [message?.id, textOf(message)];
    if (id && seen.get(id) === text) continue;
    seen.set(id, text);
    const before = list.at(-1);
    const isOpen = before?.thoughts && !before.id;
    const role = message?.role;
    if (role === 'reasoning' && isOpen) before.thoughts?.push(message);
    else if (role === 'reasoning') list.push({ role: 'assistant', thoughts: [message] });
    else if (role === 'assistant' && isOpen) Object.assign(before, message);
    else if (role !== 'activity') list.push(message && { ...message });
  }
  return list;
}

/** What is read of a message: a part, a call, reasoning or a result. */
interface Stored extends Omit<Partial<Content>, 'metadata'>, Omit<Item, 'metadata'> {
  readonly function?: Wire<ToolCall['function']>;
  /** Only messages of TanStack AI with parts have this. */
  readonly approval?: { readonly id?: string; readonly approved?: boolean };
}

function partsOf({ id, role, content, toolCalls, thoughts = [], ...rest }: Joined): [Entry['role'], readonly object[]] {
  if (role === 'tool') return ['assistant', [{ id, role, content, ...rest }]];
  const own = (id && { id }) as Own | undefined;
  const parts = [
    ...thoughts,
    ...asParts(content || []).map((part) => ({ ...part, own })),
    ...asList(toolCalls).map((call) => ({ ...call, own })),
  ];
  return [(role === 'developer' ? 'system' : role) as Entry['role'], parts];
}

function parse({ own, role, ...part }: Stored, calls: Calls): Wire<Part> | CallAnswer {
  const { id, content, function: called, encryptedValue, error, toolCallId } = part;
  const sealed = encryptedValue && { encryptedValue };
  if (role === 'tool') {
    const call = calls.withoutResult(toolCallId as string);
    const failed = error !== undefined && error !== null;
    const parts = !failed && Array.isArray(content) ? content.map((one) => partOf(one)) : undefined;
    const more = { ...(id && { result: id }), ...(parts && { parts: true }) };
    if (call && (id || parts)) call.providerOptions = { [AG_UI]: { ...call.providerOptions?.[AG_UI], ...more } };
    const value = error ?? content ?? undefined;
    return { answers: toolCallId as string, value, failed, ...(parts && { content: parts }) };
  }
  if (role) return { type: 'reasoning', text: content as string, providerOptions: { [AG_UI]: { id, ...sealed } } };
  const providerOptions = ((own || sealed) && { [AG_UI]: { ...own, ...sealed } }) as Kept | undefined;
  if (called) {
    const { id: approvalId, approved } = part.approval ?? {};
    const asked = approvalId && {
      request: { type: '', approvalId, [AG_UI]: { id: approvalId, toolCallId: id } },
      ...(approved !== undefined && { response: { type: '', approved } }),
    };
    const input = valueOf(called.arguments as string);
    return { type: 'tool-call', toolCallId: id, toolName: called.name, input, providerOptions, ...asked };
  }
  return partOf(part, providerOptions);
}

/** Reads a part of a message, or of a tool's result. Throws for an unknown one. */
export function partOf({ type, text, source }: Partial<Content>, providerOptions?: Kept): Part {
  if (type === 'text') return { type, text: text as string, providerOptions };
  const given = source as NonNullable<Content['source']>;
  const mediaType = (given.mimeType ?? type) as string;
  const data = given.type === 'data' ? `data:${mediaType};base64,${given.value}` : (given.value as string);
  return { type: 'file', mediaType, data, providerOptions };
}

/**
 * Returns a `RunAgentInput`. The run's id is the item's key, so a retry has the same run id. Decisions are sent in a
 * run of their own.
 */
export function runInput(entries: readonly Entry[], context: RequestContext, answers: Answers): RunInput {
  const { resume = [], ...more } = answers;
  const { chatId, item, history, newMessages, decisions } = context;
  const hasRun = ({ outcome }: ItemDecision): boolean => /^(executed|failed)$/.test(outcome);
  const idsOf = (list: readonly ItemDecision[]): string[] => list.map(({ toolCallId }) => toolCallId);
  const results: unknown[] = idsOf(decisions.filter(hasRun));
  const said = decisions.length ? entries.slice(0, entries.length - newMessages.length) : entries;
  const all = writeHistory(said, context, OF_REQUEST, {
    step: said.at(-1),
    asked: idsOf(decisions.filter((decision) => !hasRun(decision))),
    lastMessage: said.findLastIndex(({ role }) => role === 'user'),
  });
  // Call ids may repeat: only results of the last step are new.
  const last = all.findLastIndex(({ role }) => role === 'assistant');
  const requests = requestCalls(decisions.map(({ approval }) => approval?.[AG_UI] as Interrupt | undefined));
  if (requests.length && last >= 0)
    all[last] = { ...(all[last] as Written), toolCalls: [...asList(all[last]?.toolCalls), ...requests] };
  const isNew = ({ toolCallId }: Message, place: number): boolean => place > last && results.includes(toolCallId);
  return {
    threadId: chatId,
    runId: item.key,
    state: {},
    messages:
      history === 'server'
        ? [
            ...all.filter(isNew),
            ...(decisions.length ? [] : withOwnIds(all.slice(all.length - newMessages.length), item.key)),
          ]
        : all,
    tools: [],
    context: [],
    forwardedProps: {},
    ...(resume.length && { resume }),
    ...more,
  };
}

/**
 * Gives new messages ids that no other request has. Where the server stores the history, ids by position could belong
 * to other messages, because the client may not know them all.
 */
const withOwnIds = (list: readonly Written[], key: string): Written[] =>
  list.map((message, at) => ({ ...message, id: `${key}-${at}` }));

/** Reads a history of AG-UI messages. */
export const readMessages = (history: readonly Message[], context: Context): Entry[] =>
  readHistory(joined(history), context, partsOf, parse);
