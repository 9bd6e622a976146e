/**
 * `ag-ui`: the Agent User Interaction Protocol. Source: `@ag-ui/core` 1.0 (events, messages, `RunAgentInput`), `@ag-ui/client` 1.0 and
 * "Interrupts" of its specification; `tanstack` speaks it too, with words of its own.
 *
 * A run ends with interrupts, and the next one answers each of them once, in `resume`. The interrupt stands in the approval, as
 * it came: `approval['ag-ui']`. One that is about no call is shown as a call of its own, which never gets into a history.
 * Snapshots, state, activities and custom events are the app's: they pass through, and its state goes into the request there.
 */
import { wordsOnly, type Call, type Codec, type Context, type Data, type Decision, type Emit, type Entry, type Part, type Reader, type RequestContext } from './codec.js';
import { Flow } from './flow.js';
import { asParts, fileOf, isCall, textOf, valueOf, type Told } from './history.js';
import { read, write, type Answer } from './phrase.js';

/** The key of what comes back with a part, a call, a result or an approval. */
export const AG_UI = 'ag-ui';

/** Events that say nothing which the others do not. */
const SILENT = /^(TEXT_MESSAGE_START|REASONING_(START|MESSAGE_(START|END)))$/;

const keep = (own: Data): Data => ({ providerMetadata: { [AG_UI]: own } });

/** Reads one stream, which may hold several runs, or model calls, one after the other. */
function reader(emit: Emit, _: () => string, calls: () => readonly Data[]): Reader {
  /** Calls that have no result yet, as they were told. */
  const open = new Map<string, Data>();
  const flow = new Flow((chunk) => {
    if (chunk.type === 'tool-input-available') open.set(chunk.toolCallId, chunk);
    emit(chunk);
  }, calls);
  /** What comes back with a call. */
  const kept = new Map<string, Data>();
  /** Messages that somebody else is made to say. */
  const others = new Set<string>();
  /** Messages of the open step. */
  let ids = new Set<string | undefined>();
  let [isAnswered, thought, last]: [boolean, string?, string?] = [false];
  /** The call that grows by chunks, and ends with anything else. */
  let growing: string | undefined;

  /** What belongs to a message comes: behind results, that of another message belongs to another step. */
  const enter = (id?: string): void => {
    if (isAnswered && (id === undefined || !ids.has(id))) step();
    ids.add(id);
  };
  const step = (): void => {
    flow.step();
    ids = new Set();
    isAnswered = false;
  };
  const begin = (id: string, name: string, parent?: string): void => {
    enter(parent);
    flow.hush();
    kept.set(id, parent && { id: parent });
    flow.call(id, name);
  };
  const end = (id: string): void => {
    const own = kept.get(id);
    flow.called(id, undefined, own && keep(own));
  };
  /** A result: its message's id comes back too, and only a call keeps what is said beside it. */
  const settle = (id: string, event: Data): void => {
    isAnswered = true;
    end(id);
    const call = open.get(id) ?? calls().find(({ toolCallId }) => toolCallId === id);
    open.delete(id);
    if (flow.refused(id)) return;
    if (call && event.messageId) {
      const { toolName, input, callProviderMetadata, providerMetadata = callProviderMetadata } = call;
      emit({ type: 'tool-input-available', toolCallId: id, toolName, input, providerMetadata: { ...providerMetadata, [AG_UI]: { ...providerMetadata?.[AG_UI], result: event.messageId } } });
    }
    flow.result(id, event.content, event.metadata?.tanstack?.state === 'output-error', { providerExecuted: false });
  };
  const ask = (interrupt: Data): void => {
    const { id: approvalId, toolCallId = approvalId, reason, message, expiresAt } = interrupt;
    open.delete(toolCallId);
    if (reason === 'tanstack:client_tool_execution') return;
    if (toolCallId === approvalId) flow.whole(approvalId, reason, { message }, { providerExecuted: true, dynamic: true, ...keep({ isQuestion: true }) });
    emit({ type: 'tool-approval-request', approvalId, toolCallId, ...(expiresAt && { expiresAt: Date.parse(expiresAt) }), [AG_UI]: interrupt });
  };

  return (event) => {
    const { type, messageId, toolCallId, delta } = event;
    const isChunk = /_CHUNK$/.test(type);
    if (/^TEXT/.test(type) && (event.role ?? 'assistant') !== 'assistant') others.add(messageId);
    if (growing !== undefined && !(type === 'TOOL_CALL_CHUNK' && (toolCallId ?? growing) === growing)) {
      end(growing);
      growing = undefined;
    }
    if (type === 'RUN_STARTED') {
      const { runId } = event;
      // A run that answers goes on with the message that asked; any other is a message of its own, also when it is told again.
      flow.begin(undefined, calls().some(({ state }) => state === 'approval-responded') ? undefined : runId);
      emit({ type: 'message-metadata', messageMetadata: { [AG_UI]: { runId } } });
    } else if (/^(TEXT|REASONING)_MESSAGE_(CONTENT|CHUNK)$/.test(type)) {
      if (isChunk) last = messageId ?? last;
      const id: string = messageId ?? last;
      if (others.has(id)) return true;
      enter(id);
      flow.say(id, delta, type[0] === 'T' ? 'text' : 'reasoning', keep({ id }));
    } else if (type === 'TEXT_MESSAGE_END' || type === 'REASONING_END') {
      flow.hush(messageId);
    } else if (SILENT.test(type)) {
      if (type === 'REASONING_START') thought = messageId;
    } else if (type === 'REASONING_ENCRYPTED_VALUE') {
      const { entityId: id, encryptedValue } = event;
      if (event.subtype === 'tool-call') kept.set(id, { ...kept.get(id), encryptedValue });
      else if (id === thought || flow.has(id)) {
        flow.say(id, '', 'reasoning');
        flow.hush(id, { [AG_UI]: { id, encryptedValue } });
      }
    } else if (type === 'TOOL_CALL_START') {
      begin(toolCallId, event.toolCallName, event.parentMessageId);
    } else if (type === 'TOOL_CALL_ARGS') {
      flow.grow(toolCallId, delta);
    } else if (type === 'TOOL_CALL_CHUNK') {
      if (growing === undefined) begin(toolCallId, event.toolCallName, event.parentMessageId);
      growing ??= toolCallId as string;
      flow.grow(growing, delta);
    } else if (type === 'TOOL_CALL_END') {
      end(toolCallId);
    } else if (type === 'TOOL_CALL_RESULT') {
      settle(toolCallId, event);
    } else if (type === 'RUN_FINISHED') {
      const { outcome, metadata, finishReason = metadata?.tanstack?.finishReason } = event;
      // TanStack ends each model call so, and goes on with the results.
      if (!outcome && finishReason === 'tool_calls') step();
      else {
        if (outcome?.type === 'interrupt') {
          flow.called();
          outcome.interrupts.forEach(ask);
          // What needs no answer waits with the others: it is the backend's to run, in the next run.
          for (const chunk of open.values()) emit({ ...chunk, providerExecuted: true });
        }
        flow.end();
      }
    } else if (type === 'RUN_ERROR') {
      flow.fail(event.message);
    } else {
      return false;
    }
    return true;
  };
}

/** The history. With `asked`, calls without a result stand in it too, and those of the last step that are asked about have none. */
export function messages(entries: readonly Entry[], context: Context, asked?: readonly string[]): Data[] {
  const last = entries.at(-1);
  const used = new Set<string>();
  const name = (given: Data, other: string): string => {
    const id: string = given && !used.has(given) ? given : other;
    used.add(id);
    return id;
  };
  let count = 0;
  const message = (role: Entry['role'] | 'tool', parts: Data[]): Data => {
    if (role === 'tool') return parts;
    const thoughts = parts.filter((part) => part.role);
    const said = parts.filter((part) => !part.role);
    const calls = said.filter((part) => part.call);
    const own = said.find((part) => part.own?.id)?.own.id;
    const texts = said.filter((part) => !part.call).map((part) => part.part);
    const isText = role !== 'user' || (texts.length === 1 && texts[0].type === 'text');
    const content = isText ? texts.map(({ text }) => text).join('') : texts;
    if (!said.length) return thoughts;
    const toolCalls = calls.map(({ call }) => call);
    return [...thoughts, { id: name(own, `message-${count++}`), role, ...((texts.length || !calls.length) && { content }), ...(calls.length && { toolCalls }) }];
  };
  return write(withoutQuestions(entries), context, {
    message,
    call: (call, result) => wordCall(call, last?.content.includes(call) && asked?.includes(call.toolCallId) ? undefined : result, name),
    part(part, role) {
      const own = part.providerOptions?.[AG_UI];
      if (part.type !== 'reasoning') return wordPart(part, role, own);
      const sealed = own?.encryptedValue;
      return { id: name(own?.id, `message-${count++}`), role: 'reasoning', content: part['text'], ...(sealed && { encryptedValue: sealed }) };
    },
    open: () => asked !== undefined,
  });
}

/** Without the calls that stand for questions of the agent. */
const withoutQuestions = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, content: entry.content.filter((part) => !(isCall(part) && part.providerOptions?.[AG_UI]?.isQuestion)) }));

function wordCall(call: Call, result: Told | undefined, name: (given: Data, other: string) => string): [Data[], Data[]] {
  const { toolCallId: id, input, providerOptions } = call;
  const own = providerOptions?.[AG_UI];
  const sealed = own?.encryptedValue;
  const named = { name: call.toolName, arguments: typeof input === 'string' ? JSON.stringify(input) : textOf(input) };
  const said = [{ own, call: { id, type: 'function', function: named, ...(sealed && { encryptedValue: sealed }) } }];
  if (!result) return [said, []];
  const { kind, text, failed } = result;
  // TanStack AI gives a result the id of the message that asked.
  return [said, [{ id: name(own?.result === own?.id ? undefined : own.result, `tool-${id}`), role: 'tool', toolCallId: id, content: text, ...((failed || kind !== 'executed') && { error: text }) }]];
}

function wordPart(part: Part, role: Entry['role'], own: Data): Data {
  const { type, text } = part as Data;
  if (type === 'text') return text ? { own, part: { type, text } } : undefined;
  const { url, base64, mediaType } = fileOf(part);
  if (role !== 'user' || type !== 'file' || !url) return undefined;
  const [kind = ''] = /^(image|audio|video)/.exec(mediaType) ?? [];
  const source = base64 === undefined ? { type: 'url', value: url, mimeType: mediaType } : { type: 'data', value: base64, mimeType: mediaType };
  return { own, part: { type: kind || 'document', source } };
}

/** Reasoning stands in messages of its own, ahead of what it led to. */
function joined(history: readonly Data[]): Data[] {
  const list: Data[] = [];
  for (const message of history) {
    const before = list.at(-1);
    if (message.role === 'reasoning' && before?.thoughts && !before.id) before.thoughts.push(message);
    else if (message.role === 'reasoning') list.push({ role: 'assistant', thoughts: [message] });
    else if (message.role === 'assistant' && before?.thoughts && !before.id) Object.assign(before, message);
    else if (message.role !== 'activity') list.push({ ...message });
  }
  return list;
}

function partsOf({ id, role, content, toolCalls = [], thoughts = [], ...rest }: Data): [Entry['role'], readonly Data[]] {
  if (role === 'tool') return ['assistant', [{ id, role, content, ...rest }]];
  const own = id && { id };
  const parts = [...thoughts, ...asParts(content || []).map((part) => ({ ...part, own })), ...toolCalls.map((call: Data) => ({ ...call, own }))];
  return [role === 'developer' ? 'system' : role, parts];
}

function parse({ own, role, ...part }: Data, calls: ReadonlyMap<string, Call>): Part | Answer {
  const { id, type, content, function: called, encryptedValue, source, error, toolCallId } = part;
  const sealed = encryptedValue && { encryptedValue };
  if (role === 'tool') {
    const call = calls.get(toolCallId);
    if (call && id) call.providerOptions = { [AG_UI]: { ...call.providerOptions?.[AG_UI], result: id } };
    return { answers: toolCallId, value: error ?? content, failed: error !== undefined };
  }
  if (role) return { type: 'reasoning', text: content, providerOptions: { [AG_UI]: { id, ...sealed } } };
  const providerOptions = (own || sealed) && { [AG_UI]: { ...own, ...sealed } };
  if (called) {
    const { id: approvalId, approved } = part.approval ?? {};
    const asked = approvalId && { request: { type, approvalId, [AG_UI]: { id: approvalId, toolCallId: id } }, ...(approved !== undefined && { response: { type, approved } }) };
    return { type: 'tool-call', toolCallId: id, toolName: called.name, input: valueOf(called.arguments), providerOptions, ...asked };
  }
  if (type === 'text') return { type, text: part.text, providerOptions };
  const mediaType = source.mimeType ?? type;
  return { type: 'file', mediaType, data: source.type === 'data' ? `data:${mediaType};base64,${source.value}` : source.value, providerOptions };
}

/** An answer to an interrupt; nothing for a call that no interrupt asked about. */
export function answerTo({ outcome, approval, editedInput, reason }: Decision): Data[] {
  if (!approval?.[AG_UI]) return [];
  const { id: interruptId, toolCallId, responseSchema, expiresAt, reason: why } = approval[AG_UI];
  const approved = /^(approved|executed|failed)$/.test(outcome);
  const isQuestion = why && !toolCallId;
  const isYesOrNo = isQuestion && (responseSchema?.type ?? (why === 'confirmation' && 'boolean')) === 'boolean';
  // What has expired cannot be answered any more, only given up; nor can a question that wants more than a yes or no.
  if (outcome === 'cancelled' || (outcome === 'expired' && expiresAt) || (isQuestion && !isYesOrNo && !approved)) return [{ interruptId, status: 'cancelled' }];
  let payload = isYesOrNo ? approved : approved ? { approved, ...(editedInput !== undefined && { editedArgs: editedInput }) } : { approved, ...(reason && { reason }) };
  if (isQuestion && editedInput !== undefined) payload = editedInput;
  return [{ interruptId, status: 'resolved', payload }];
}

/** A `RunAgentInput`. The run's id is the item's key: a retry is the same run. */
export function runInput(entries: readonly Entry[], context: RequestContext, resume: Data[], more?: Data): Data {
  const { chatId, item, history, news, decisions } = context;
  const hasRun = ({ outcome }: Decision): boolean => /^(executed|failed)$/.test(outcome);
  const idsOf = (list: readonly Decision[]): string[] => list.map(({ toolCallId }) => toolCallId);
  const results = idsOf(decisions.filter(hasRun));
  const all = messages(entries, context, idsOf(decisions.filter((decision) => !hasRun(decision))));
  const isNew = ({ toolCallId }: Data): boolean => results.includes(toolCallId);
  return {
    threadId: chatId,
    runId: item.key,
    ...more,
    state: {},
    messages: history === 'server' ? [...all.filter(isNew), ...all.slice(all.length - news.length)] : all,
    tools: [],
    context: [],
    forwardedProps: {},
    ...(resume.length && { resume }),
  };
}

/** A history of the protocol's own messages. */
export const readMessages = (history: readonly Data[], context: Context): Entry[] => read(joined(history), context, partsOf, parse);

/** The Agent User Interaction Protocol. */
export const codec: Codec = {
  capabilities: { ...wordsOnly('approval pending json file custom'), editedInput: true, cancel: true },
  answersFirst: true,
  reader,
  write: (entries, context) => messages(entries, context),
  read: readMessages,
  body: (entries, context) => runInput(entries, context, context.decisions.flatMap(answerTo)),
  // The schema of the answer says whether it may carry other arguments.
  editable({ [AG_UI]: asked }) {
    return !!asked && (!asked.toolCallId || /"editedArgs"/.test(textOf(asked.responseSchema)));
  },
};
