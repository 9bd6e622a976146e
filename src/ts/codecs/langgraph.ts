/**
 * `langgraph`: a LangGraph server whose agents ask by LangChain's human-in-the-loop middleware. Sources: `middleware/hitl.ts` of
 * `langchain` 1.5, `human_in_the_loop.py` of langchain 1.4 (its `per_call` mode too), `client.runs.stream` of
 * `@langchain/langgraph-sdk` 1.15.
 *
 * Events are `{ event, data }` as the client yields them, or `[mode, data]` as `graph.stream` does. Ask for `values` beside
 * `messages-tuple`: only the state tells that the middleware took an approved call out of its message because another one was
 * rejected. Decisions are positions in an interrupt: all of them leave, in its order, each of a kind that it allows; a wrong
 * one would spoil the thread for good. What cannot be said so is told as results, in a run that leaves the interrupt behind.
 */
import { resultText } from '../texts.js';
import { wordsOnly, type Call, type Codec, type Context, type Data, type Decision, type Emit, type Entry, type Part, type Reader, type RequestContext } from './codec.js';
import { Flow } from './flow.js';
import { asParts, fileOf, isCall, objectOf, textOf, told, type Told } from './history.js';
import { read, write, type Answer } from './phrase.js';

/** What an interrupt may allow; `respond` in Python alone. */
const KINDS = ['approve', 'edit', 'reject', 'respond'];

/** The text of a call that the backend dropped. */
const DROPPED = { kind: 'interrupted' } as const;

/** A message as a server writes it, also one that went through `JSON.stringify` as it is. */
function plain(message: Data): Data {
  const { type, id, kwargs, role } = message;
  const own = type === 'constructor' ? { ...kwargs, type: id.at(-1) } : { ...message, type: type ?? role };
  const [kind] = /^(ai|tool|system)/i.exec(own.type) ?? [/^(assistant)/.test(own.type) ? 'ai' : 'human'];
  return { ...own, type: kind.toLowerCase() };
}

function reader(emit: Emit, _: () => string, calls: () => readonly Data[]): Reader {
  const flow = new Flow(emit, calls);
  /** The messages that stood in the thread before this run. */
  let old: Set<unknown> | undefined;
  /** The message that is being told. */
  let current: unknown;
  /** What was told of each text, and the results and calls that were told whole. */
  const said = new Map<string, string>();
  const settled = new Set<string>();
  const whole = new Map<string, Data>();
  /** The calls of the message by their places in it. */
  const places = new Map<number, string>();

  /** `how`: 0 for a piece of a message, 1 for all of it so far, 2 for the whole. */
  const speak = ({ id, content, tool_calls: uses = [], tool_call_chunks: pieces = [] }: Data, how: number): void => {
    const isTold = ({ id: use }: Data): boolean => !whole.has(use) && calls().some(({ toolCallId }) => toolCallId === use);
    if (old?.has(id) || (id !== current && how && uses.some(isTold))) return;
    if (id !== current && current !== undefined) flow.step();
    current = id;
    for (const kind of ['reasoning', 'text']) {
      const key = `${id}:${kind}`;
      const before = said.get(key) ?? '';
      const text: string = asParts(content).map((block) => block[kind] ?? (kind === 'text' ? '' : (block.thinking ?? ''))).join('');
      const more = how ? text.slice(before.length) : text;
      said.set(key, before + more);
      if (more) flow.say(key, more, kind);
    }
    if (how === 1) return;
    for (const { index, id: use, name, args } of how ? [] : pieces) {
      const call = use ?? places.get(index) ?? '';
      places.set(index, call);
      if (name && !flow.has(call)) flow.call(call, name);
      flow.grow(call, args ?? '');
    }
    for (const { id: use, name, args: input } of !how && pieces.length ? [] : uses) {
      if (whole.has(use)) continue;
      whole.set(use, { toolCallId: use, toolName: name, input });
      if (flow.has(use)) flow.called(use, input);
      else flow.whole(use, name, input);
    }
    if (how) flow.hush();
  };

  /** The result of a call. */
  const settle = (id: string, content: Data, failed: boolean): void => {
    if (settled.has(id)) return;
    settled.add(id);
    flow.called();
    if (!failed || !flow.refused(id)) flow.result(id, wordsOf(content), failed);
  };

  const tell = (message: Data, how: number): void => {
    const { type, tool_call_id: id, content, status } = message;
    if (type === 'ai') speak(message, how);
    else if (type === 'tool') settle(id, content, status === 'error');
  };

  const unsettled = (): Data[] => [...whole.values(), ...calls()].filter(({ toolCallId, outcome }) => !outcome && !settled.has(toolCallId));

  /** The state of the thread: what is new in it, and which calls it has left behind. */
  const compare = (messages: readonly Data[]): void => {
    old ??= new Set(messages.map(({ id }) => id).filter((id) => id !== current));
    const open = new Set(unsettled().map(({ toolCallId }) => toolCallId));
    for (const message of messages) {
      const { tool_call_id: id } = message;
      if (!id || open.has(id) || whole.has(id)) tell(message, 2);
    }
    for (const { toolCallId: id, approval } of unsettled()) {
      const holder = messages.findLastIndex(({ tool_calls: uses }) => uses?.some((use: Data) => use.id === id));
      const isOver = holder < 0 || messages.slice(holder + 1).some(({ type }) => type !== 'tool');
      if (approval?.approved && isOver) settle(id, resultText(DROPPED), true);
    }
  };

  const ask = (interrupts: readonly Data[]): boolean => {
    const asked = new Set<string>();
    flow.called();
    const open = unsettled();
    let isBatch = false;
    for (const { id: interrupt = current, value = {}, response_schema: schema } of interrupts) {
      const single = value.type === 'tool_approval';
      const actions: Data[] = single ? [value] : (value.action_requests ?? value.actionRequests ?? []);
      const configs: Data[] = value.review_configs ?? value.reviewConfigs ?? [];
      const edit = [value.actionRequests && 'editedAction', (single || value.action_requests) && 'edited_action'].filter(Boolean);
      isBatch ||= !single && actions.length > 0;
      actions.forEach(({ name, args, description, tool_call_id: named }, position) => {
        const free = open.filter((call) => !asked.has(call.toolCallId) && call.toolName === name);
        const same = free.find(({ toolCallId, input }) => toolCallId === named || (!named && textOf(input) === textOf(args))) ?? free[0];
        const approvalId = `${interrupt}:${position}`;
        const toolCallId = same?.toolCallId ?? named ?? approvalId;
        const config = configs.find((one) => (one.action_name ?? one.actionName) === name);
        const allowed = config?.allowed_decisions ?? config?.allowedDecisions ?? KINDS.filter((kind, place) => (schema ? textOf(schema).includes(`"const":"${kind}"`) : place < 3));
        if (!same) flow.whole(toolCallId, name, args);
        asked.add(toolCallId);
        flow.begin();
        emit({ type: 'tool-approval-request', approvalId, toolCallId, langgraph: { interrupt, position, count: actions.length, allowed, edit, single, description } });
      });
    }
    // The middleware asks for the others of the message too, and answers itself.
    for (const { toolCallId, approval } of isBatch ? open : []) {
      if (asked.has(toolCallId) || approval) continue;
      const approvalId = `auto:${toolCallId}`;
      asked.add(toolCallId);
      emit({ type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true });
      emit({ type: 'tool-approval-response', approvalId, approved: true });
    }
    return asked.size > 0;
  };

  return (given) => {
    const [event, data = {}]: Data[] = Array.isArray(given) ? given : [given.event, given.data ?? {}];
    const each = (messages: Data, how: number): void => [messages ?? []].flat().forEach((message: Data) => tell(plain(message), how));
    if (event === 'messages') each(data[0], 0);
    else if (event === 'messages/partial') each(data, 1);
    else if (event === 'messages/complete') {
      old ??= new Set(data.map(({ id }: Data) => id));
      each(data, 2);
    } else if (event === 'values' || event === 'updates') {
      const { __interrupt__: interrupts, ...nodes } = data;
      if (event === 'updates') for (const update of Object.values<Data>(nodes).flat()) each(update?.messages, 2);
      else if (data.messages) compare(data.messages.map(plain));
      return !interrupts || ask(interrupts);
    } else if (event === 'metadata') flow.begin();
    else if (event === 'error') flow.fail(data.message ?? textOf(data));
    else if (event === 'end') flow.end();
    else return /^messages\//.test(event);
    return true;
  };
}

/** A content as a text, if it is one. */
const wordsOf = (content: Data): Data =>
  Array.isArray(content) && content.every(({ type }) => type === 'text') ? content.map(({ text }) => text).join('') : content;

/** What the middleware writes for a call that was rejected. */
const rejected = ({ toolName, toolCallId, result }: Call): string =>
  `User rejected the tool call for \`${toolName}\` with ${result?.['output'].reason === undefined ? `id ${toolCallId}` : 'reason:'}`;

function messages(entries: readonly Entry[], context: Context): Data[] {
  return write(entries, context, {
    message: (role, parts) => (role === 'tool' ? parts : wordMessage(role, parts)),
    call: (call, result) => wordCall(call, result, context),
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

function wordCall(call: Call, { kind }: Told, context: Context): [Data[], Data[]] {
  const { toolCallId: id, toolName: name } = call;
  const { text } = told(call, { denied: rejected(call), ...context.texts }) as Told;
  const status = kind === 'executed' ? 'success' : 'error';
  return [[{ type: 'tool_call', id, name, args: objectOf(call, context) }], [{ type: 'tool', tool_call_id: id, name, status, content: text }]];
}

function wordPart(part: Part, role: string): Data {
  const { type, text } = part as Data;
  if (type === 'text') return text ? { type, text } : undefined;
  const { url, mediaType } = fileOf(part);
  return type === 'file' && role === 'user' && url && /^image/.test(mediaType) ? { type: 'image_url', image_url: { url } } : undefined;
}

const ROLES: Data = { ai: 'assistant', tool: 'assistant', human: 'user', system: 'system' };

function partsOf(message: Data): [Entry['role'], readonly Data[]] {
  const { type, content, tool_calls: uses = [], tool_call_id: answers, status } = plain(message);
  if (answers) return ['assistant', [{ answers, value: wordsOf(content), failed: status === 'error' }]];
  return [ROLES[type], [...asParts(content), ...uses]];
}

function parse(part: Data, texts: Context['texts']): Part | Answer {
  const { answers, value, failed, args, id, name, type, text, image_url: image } = part;
  if (answers) {
    const denial = failed && /^User rejected the tool call for `.*` with (id|reason: (.*))/s.exec(value);
    return denial ? { ...part, value: resultText({ kind: 'denied', reason: denial[2] }, texts) } : part;
  }
  if (args) return { type: 'tool-call', toolCallId: id, toolName: name, input: args };
  if (image) return { type: 'file', mediaType: 'image', data: image.url ?? image };
  return text === undefined ? { type: 'custom', kind: `langgraph.${type}`, providerOptions: { langgraph: { block: part } } } : { type: 'text', text };
}

/** One decision, of a kind that the interrupt allows; undefined if there is none for it. */
function decide({ outcome, reason, toolName: name, input, editedInput, output, approval }: Decision, texts: Context['texts']): Data {
  const { allowed, edit } = approval.langgraph;
  const can = (kind: string): boolean => allowed.includes(kind);
  const isApproved = outcome === 'approved';
  if (isApproved && editedInput === undefined && can('approve')) return { type: 'approve' };
  if (isApproved && can('edit')) {
    const action = { name, args: editedInput ?? input };
    return { type: 'edit', ...Object.fromEntries(edit.map((key: string) => [key, action])) };
  }
  if (outcome === 'executed' && can('respond')) return { type: 'respond', message: textOf(output) };
  if (!can('reject') || /^(exec|fail)/.test(outcome)) return undefined;
  const message = isApproved ? resultText(DROPPED, texts) : (reason ?? (outcome === 'denied' ? undefined : resultText({ kind: outcome as 'skipped' }, texts)));
  return { type: 'reject', ...(message !== undefined && { message }) };
}

/** The answer to every interrupt that the decisions belong to; undefined if one of them cannot be said. */
function resumeWith(decisions: readonly Decision[], texts: Context['texts']): Data {
  const answers = new Map<string, Data>();
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
  const [first] = answers.values();
  return answers.size === 1 && first.decisions ? first : Object.fromEntries(answers);
}

function body(entries: readonly Entry[], context: RequestContext): Data {
  const { chatId, decisions, news, texts, history, request } = context;
  const config = { configurable: { thread_id: chatId } };
  const resume = decisions.length && !news.length ? resumeWith(decisions, texts) : undefined;
  if (resume) return { command: { resume }, config };
  const asked = decisions.length ? entries.slice(entries.findLastIndex(({ role }) => role === 'assistant')).slice(0, 1) : [];
  const answers = messages(asked.map((entry) => closed(entry, texts)), context).filter(({ type }) => type === 'tool');
  // A message that comes twice under one id is one message of the thread.
  const sent = request.messages.slice(request.messages.findLastIndex(({ role }) => role !== 'user') + 1);
  const named = (entry: Entry, place: number): Data[] => messages([entry], context).map((message) => ({ ...message, id: sent[place]?.id }));
  const said = sent.length === news.length ? news.flatMap(named) : messages(news, context);
  return { input: { messages: history === 'client' ? messages(entries, context) : [...answers, ...said] }, config };
}

/** A step whose calls all have a result: a new run leaves those behind that have none. */
function closed({ role, content }: Entry, texts: Context['texts']): Entry {
  const result = { type: '', output: { type: 'error-text', value: resultText(DROPPED, texts) } };
  return { role, content: content.map((part) => (isCall(part) && !part.result ? { ...part, result } : part)) };
}

/** LangGraph, with LangChain's human-in-the-loop middleware. */
export const codec: Codec = {
  capabilities: { ...wordsOnly('approval pending json input reasoning custom file'), editedInput: true, history: 'server' },
  answersFirst: true,
  reader,
  write: messages,
  read: (history, context) => read(history, context, partsOf, (part) => parse(part, context.texts)),
  body,
  editable: ({ langgraph: own }) => own?.allowed.includes('edit') ?? true,
};
