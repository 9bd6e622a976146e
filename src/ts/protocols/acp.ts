/**
 * `acp`: the Agent Client Protocol, versions 1 and 2. Source: `v1/schema` and `v2/schema` of `@agentclientprotocol/sdk` 2.4.
 *
 * In: the agent's JSON-RPC messages about one prompt: `session/update`, `session/request_permission`, and the response to
 * `session/prompt`. Out: one JSON-RPC message an item: a message of the user is a `session/prompt` request (its id is the
 * item's, its session the chat), an answer is the response to the agent's request. `send` is over when the message is written.
 * The agent keeps the history; a history here is the list of updates that `session/load` replays.
 *
 * A decision is told by the option of its kind, and never by one that grants more: to an approval for once, where the agent
 * offers `allow_always` alone, the answer is `cancelled`, and nothing runs. There is no room for a reason or another input.
 * Left to the host: `session/cancel`, sent right before `gate.cancel()`, whose items then answer every open request with
 * `cancelled`; `streamEnded('step-limit')` for `max_turn_requests`; and to drop answers to requests of an earlier connection,
 * where their ids meant something else.
 */
import {
  asUpdate,
  chunkOf,
  inputOf,
  isOver,
  kindOf,
  merge,
  metaOf,
  nameOf,
  partOf,
  resultOf,
  wordPart,
} from './acp-content.js';
import type {
  Call,
  CallResult,
  Context,
  Data,
  ItemDecision,
  Entry,
  Part,
  Reader,
  RequestContext,
  StreamContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, settle, textOf } from './shared/history.js';
import { read, write } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

function createReader({ emit, calls: shown }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls: shown });
  /** The calls of this reply. */
  const calls = new Map<string, Data>();
  /** What was emitted of each call's name, title and input. */
  const emitted = new Map<string, string>();
  /** Messages that came in pieces. */
  const said = new Set<string>();
  let open = '';
  let running = 0;
  let isStep = false;

  /** Other content begins. After calls that are all over, it is another step's. */
  const turnTo = (what: string): void => {
    if (open !== what) writer.endText();
    open = what;
    if (!isStep || running) return;
    isStep = false;
    writer.endStep();
  };
  const say = (kind: string, { messageId, content }: Data): void => {
    const id: string = typeof messageId === 'string' ? messageId : kind;
    const part = partOf(content);
    said.add(id);
    turnTo(kind + id);
    if (part.type === 'text') writer.textDelta(id, part['text'], kind);
    else writer.content(chunkOf(part));
  };
  const update = (fields: Data, isAsked = false, more?: Data): void => {
    const { toolCallId: id } = fields;
    if (typeof id !== 'string') throw new TypeError('an update of a call without its id');
    const begins = fields.status === 'pending' || fields.status === 'in_progress';
    // A call that is over takes nothing more; an id that begins again is another call's.
    if (isOver(calls.get(id)) && !begins) return;
    if (isOver(calls.get(id))) calls.delete(id);
    const was = calls.get(id);
    const known = was ? undefined : shown().findLast(({ toolCallId }) => toolCallId === id);
    // A call of a stream that was cut off is known by what is shown of it.
    const call = merge(was ?? (known && { name: known.toolName, rawInput: known.input, title: known.title }), fields);
    if (known?.outcome && (!begins || wordsOf(call) === shownWords(known))) return;
    const isNamed = isAsked || ['name', 'title', 'kind', 'rawInput'].some((name) => fields[name] !== undefined);
    if (!was && !known && !isNamed) {
      // The report on a call of an earlier turn, which names nothing of it.
      if (isOver(call)) writer.toolResult(id, ...resultOf(call));
      return;
    }
    if (!was) {
      turnTo('');
      running++;
      isStep = true;
      if (known?.input !== undefined && !known.outcome) emitted.set(id, shownWords(known));
      else emitted.delete(id);
    }
    calls.set(id, call);
    const { status = 'pending', rawInput, rawOutput, content } = call;
    const head = { title: call.title, ...more, providerMetadata: { acp: metaOf(call) } };
    if (status === 'pending' && rawInput === undefined && !isAsked) {
      if (!was) writer.content({ type: 'tool-input-start', toolCallId: id, toolName: nameOf(call), ...head });
    } else if (emitted.get(id) !== wordsOf(call) && (!emitted.has(id) || isAsked || fields.rawInput !== undefined)) {
      emitted.set(id, wordsOf(call));
      writer.toolCall(id, nameOf(call), inputOf(call), head);
    }
    if (!isOver(call)) return;
    running--;
    const kept = rawOutput != null && content ? { providerMetadata: { acp: { content } } } : undefined;
    // What was denied or cancelled is reported as failed.
    if (status === 'completed' || !writer.confirmDecision(id)) writer.toolResult(id, ...resultOf(call), kept);
  };
  const ask = ({ id, params: { toolCall, subject, options, ...params } }: Data): void => {
    if (!Array.isArray(options)) throw new TypeError('a permission request without options');
    const about = toolCall ?? subject?.toolCall;
    const { toolCallId = `permission-${id}` } = about ?? subject ?? {};
    if (typeof about?.toolCallId === 'string' || calls.has(toolCallId)) {
      update({ ...about, toolCallId }, true);
    } else {
      // A permission that is about no call: nobody will report on it.
      const { type: name = 'permission', command, cwd } = subject ?? {};
      const { title, description } = params;
      update(
        { toolCallId, name, title, rawInput: command === undefined ? { title, description } : { command, cwd } },
        true,
        { providerExecuted: true },
      );
    }
    const usable = options.filter((option) => typeof option?.optionId === 'string' && typeof option.kind === 'string');
    writer.emit({
      type: 'tool-approval-request',
      approvalId: `${id}:${toolCallId}`,
      toolCallId,
      acp: { id, options: usable, toolCall, subject, ...params },
    });
  };
  const stop = (reason: string, error?: Data): void => {
    writer.endText();
    if (reason === 'cancelled') emit({ type: 'abort' });
    else if (reason === 'error') writer.failReply(error?.message);
    else if (reason === 'max_turn_requests') writer.endStep();
    else writer.endReply(reasonOf(reason));
    calls.clear();
    said.clear();
    [open, running, isStep] = ['', 0, false];
  };
  const tell = ({ sessionUpdate, ...rest }: Data): boolean => {
    const [kind, isChunk] = kindOf(sessionUpdate) ?? [];
    if (kind === 'user') return true;
    if (kind && isChunk) say(kind, rest);
    else if (kind) {
      if (!said.has(rest.messageId)) writer.each(rest.content, (content) => say(kind, { ...rest, content }));
    } else if (/^tool_call/.test(sessionUpdate)) {
      const fields = asUpdate(calls.get(rest.toolCallId), sessionUpdate, rest);
      update(sessionUpdate === 'tool_call' ? { status: 'pending', ...fields } : fields);
    } else if (/^plan(_update)?$/.test(sessionUpdate))
      writer.emit({ type: 'data-plan', id: rest.plan?.planId ?? 'plan', data: rest.plan ?? rest });
    else if (sessionUpdate !== 'state_update') return false;
    else if (rest.stopReason) stop(rest.stopReason, rest.error);
    return true;
  };
  return ({ method, id, params, result, error }) => {
    if (method === 'session/update') return tell(params.update);
    if (method === 'session/request_permission') ask({ id, params });
    else if (method === undefined && error) stop('error', error);
    else if (result?.stopReason) stop(result.stopReason);
    else if (result?.messageId) writer.startReply();
    else return false;
    return true;
  };
}

/** What decides whether a call is shown anew: its name, its title and its input. */
const wordsOf = (call: Data): string => textOf([nameOf(call), call.title, inputOf(call)]);

const shownWords = ({ toolName, title, input }: Data): string => textOf([toolName, title, input]);

function updates(entries: readonly Entry[], context: Context): Data[] {
  let count = 0;
  const said = entries.filter(({ role }) => role !== 'system');
  if (said.length < entries.length) context.reportLoss('system');
  return write(said, context, {
    message(_, parts) {
      const messageId = `message-${count}`;
      if (parts.some(({ toolCallId }) => toolCallId === undefined)) count++;
      return parts
        .reduce(join, [])
        .map((part: Data) => (part.toolCallId === undefined ? { ...part, messageId } : part));
    },
    call: (call, result, toolCallId) => [[wordCall({ ...call, toolCallId }, result)]],
    // An id is one call's alone in a session.
    isUnique: true,
    part(part, role) {
      const content = wordPart(part);
      const sessionUpdate =
        role === 'user'
          ? 'user_message_chunk'
          : part.type === 'reasoning'
            ? 'agent_thought_chunk'
            : 'agent_message_chunk';
      return content && { sessionUpdate, content };
    },
  });
}

/** Texts that stand side by side are one. */
function join(list: Data[], part: Data): Data[] {
  const last = list.at(-1);
  if (last?.sessionUpdate !== part.sessionUpdate || last.content?.type !== 'text' || part.content?.type !== 'text')
    return [...list, part];
  return [...list.slice(0, -1), { ...last, content: { ...last.content, text: last.content.text + part.content.text } }];
}

function wordCall(
  { toolCallId, toolName, input, providerOptions, result: kept }: Call,
  { kind, text, value }: CallResult,
): Data {
  return {
    ...merge({ title: toolName }, providerOptions?.['acp'] ?? {}),
    sessionUpdate: 'tool_call',
    toolCallId,
    name: toolName,
    status: kind === 'executed' ? 'completed' : 'failed',
    rawInput: input,
    rawOutput: kind === 'executed' ? value : text,
    ...merge({}, kept?.providerOptions?.['acp'] ?? {}),
  };
}

/** A message in a history. Pieces of one text are one part; a call is one part with all that is said of it. */
interface Message {
  readonly role: Entry['role'];
  id: string | undefined;
  readonly parts: Data[];
}

function messages(history: readonly Data[], { reportRepair }: Context): Message[] {
  const list: Message[] = [];
  /** The newest call with each id. */
  const calls = new Map<string, Data>();
  const add = (item: Data): void => {
    const { sessionUpdate, messageId: given, ...rest } = item.params?.update ?? item.update ?? item;
    const messageId = typeof given === 'string' ? given : undefined;
    const [kind] = kindOf(sessionUpdate) ?? [];
    if (!kind && !/^tool_call/.test(sessionUpdate)) {
      if (typeof sessionUpdate !== 'string') throw new TypeError('not an update');
      return;
    }
    if (!kind && typeof rest.toolCallId !== 'string') throw new TypeError('an update of a call without its id');
    const was = calls.get(rest.toolCallId);
    // A call that is over and begins again is another one.
    const isAnother =
      isOver(was?.call) && (sessionUpdate === 'tool_call' || /^(pending|in_progress)$/.test(rest.status));
    if (!kind && was && !isAnother) {
      was.call = merge(was.call, asUpdate(was.call, sessionUpdate, rest));
      return;
    }
    const role = kind === 'user' ? kind : 'assistant';
    const blocks = kind ? asParts(rest.content) : [];
    let message = list.at(-1);
    // After a call that is over, a text is the next step's, but for one of the same message.
    const isBehind = isOver(message?.parts.at(-1)?.call);
    const isSame = !kind || (messageId && message?.id === messageId) || !(isBehind || (messageId && message?.id));
    if (message?.role !== role || !isSame) list.push((message = { role, id: undefined, parts: [] }));
    message.id ??= messageId;
    for (const block of blocks) {
      const last = message.parts.at(-1);
      const isText = block?.type === 'text' && typeof block.text === 'string';
      if (isText && last?.kind === kind && last.block?.type === 'text')
        last.block = { ...last.block, text: last.block.text + block.text };
      else message.parts.push({ kind, block });
    }
    if (kind) return;
    const part = { call: merge(undefined, asUpdate(undefined, sessionUpdate, rest)) };
    message.parts.push(part);
    calls.set(rest.toolCallId, part);
  };
  history.forEach((item, place) => {
    try {
      add(item);
    } catch {
      reportRepair('malformed', `update ${place} could not be read: it was left out`);
    }
  });
  return list;
}

function parse({ kind, block, call }: Data, { texts }: Context): Part {
  if (!call) return kind === 'reasoning' && block?.type === 'text' ? { type: kind, text: block.text } : partOf(block);
  const part: Call = {
    type: 'tool-call',
    toolCallId: call.toolCallId,
    toolName: nameOf(call),
    input: inputOf(call),
    providerOptions: { acp: metaOf(call) },
  };
  const { rawOutput, content } = call;
  if (isOver(call))
    settle(part, ...resultOf(call), texts, rawOutput != null && content ? { acp: { content } } : undefined);
  return part;
}

function body(_: readonly Entry[], { chatId, item, newMessages, reportLoss }: RequestContext): unknown {
  const prompt = newMessages.flatMap(({ role, content }) =>
    content.flatMap((part) => {
      const block = role === 'user' && wordPart(part);
      if (!block && (role !== 'user' || part.type !== 'text')) reportLoss(role === 'user' ? 'file' : 'system');
      return block || [];
    }),
  );
  return { jsonrpc: '2.0', id: item.id, method: 'session/prompt', params: { sessionId: chatId, prompt } };
}

/**
 * The response to a permission request: the option of the decision's kind. A call that nobody asked about has no request to
 * respond to: what became of it is a notification of an extension, which agents that do not know it ignore.
 */
function answer(
  { outcome, remember, reason, toolCallId, output, approval }: ItemDecision,
  { chatId, reportLoss }: Context,
): unknown {
  if (!approval?.acp || /^(executed|failed)$/.test(outcome)) {
    const params = {
      sessionId: chatId,
      toolCallId,
      outcome,
      ...(output !== undefined && { output }),
      ...(reason !== undefined && { reason }),
    };
    return { jsonrpc: '2.0', method: '_toolgate/tool_result', params };
  }
  const { id, options } = approval.acp;
  const word = outcome === 'approved' ? 'allow' : 'reject';
  const reaches = remember ? ['always', 'once'] : ['once'];
  // A denial that holds for longer still grants nothing.
  if (word === 'reject') reaches.push('always');
  const kinds = /^(approved|denied|skipped|expired)$/.test(outcome) ? reaches.map((reach) => `${word}_${reach}`) : [];
  const offered = kinds.map((kind) => asList(options).find((option: Data) => option?.kind === kind));
  const chosen = offered.find(Boolean);
  if (!offered[0] && outcome !== 'cancelled') reportLoss('option', toolCallId);
  if (reason !== undefined) reportLoss('reason', toolCallId);
  return {
    jsonrpc: '2.0',
    id,
    result: { outcome: chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' } },
  };
}

/** The Agent Client Protocol. */
export const acp: Protocol = makeProtocol({
  name: 'acp',
  capabilities: {
    kind: 'answering',
    reason: false,
    editedInput: false,
    cancel: true,
    remember: true,
    history: 'server',
    denialVisible: false,
    lost: ['approval', 'pending', 'system', 'reasoning', 'file', 'custom', 'reason', 'option', 'id'],
    // The SDK ignores a second response, but the numbers of requests begin anew on every connection.
    repeat: 'unknown',
  },
  createReader,
  uniqueCallIds: true,
  write: updates,
  read: (history, context) =>
    read(
      messages(history, context),
      context,
      ({ role, parts }) => [role, parts],
      (part) => parse(part, context),
    ),
  body,
  answer,
});
