/**
 * `acp`: the Agent Client Protocol, versions 1 and 2. Source: `v1/schema` and `v2/schema` of `@agentclientprotocol/sdk`
 * 2.4.
 *
 * Receives the agent's JSON-RPC messages about one prompt: `session/update`, `session/request_permission`, and the
 * response to `session/prompt`. Sends one JSON-RPC message per item: a user message is a `session/prompt` request (its
 * id is the item's, its session is the chat), a decision is the response to the agent's request. `send` may resolve as
 * soon as the message is written. The agent stores the history; `load` and `assemble` use the list of updates that
 * `session/load` replays.
 *
 * A decision selects the option of its kind, and never an option that grants more: if the user approves once, and the
 * agent only offers `allow_always`, the response is `cancelled`, and the tool does not run. The protocol cannot carry a
 * reason or an edited input.
 *
 * The host must send `session/cancel` right before it calls `gate.cancel()`, whose items then answer every open request
 * with `cancelled`; call `streamEnded('step-limit')` for `max_turn_requests`; and drop responses to requests of an
 * earlier connection, because request ids start again on each connection.
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
  writePart,
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
import { asList, asParts, setResult, textOf } from './shared/history.js';
import { readHistory, writeHistory } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

function createReader({ emit, calls: shown }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls: shown });
  /** The calls of this reply. */
  const calls = new Map<string, Data>();
  /** The name, title and input of each call as they were last emitted. */
  const emitted = new Map<string, string>();
  /** Ids of messages that arrived in chunks. */
  const chunkedIds = new Set<string>();
  let open = '';
  let running = 0;
  let isStep = false;

  /** Switches to other content. If all calls of the step are over, the content begins another step. */
  const switchTo = (what: string): void => {
    if (open !== what) writer.endText();
    open = what;
    if (!isStep || running) return;
    isStep = false;
    writer.endStep();
  };
  const addContent = (kind: string, { messageId, content }: Data): void => {
    const id: string = typeof messageId === 'string' ? messageId : kind;
    const part = partOf(content);
    chunkedIds.add(id);
    switchTo(kind + id);
    if (part.type === 'text') writer.textDelta(id, part['text'], kind);
    else writer.content(chunkOf(part));
  };
  const updateCall = (fields: Data, isAsked = false, more?: Data): void => {
    const { toolCallId: id } = fields;
    if (typeof id !== 'string') throw new TypeError('expected an update of a call with its id');
    const begins = fields.status === 'pending' || fields.status === 'in_progress';
    // A call that is over ignores further updates. If its id begins again, the update belongs to a new call.
    if (isOver(calls.get(id)) && !begins) return;
    if (isOver(calls.get(id))) calls.delete(id);
    const was = calls.get(id);
    const known = was ? undefined : shown().findLast(({ toolCallId }) => toolCallId === id);
    // After a reconnect, the reader knows a call only from the messages that are shown.
    const call = merge(was ?? (known && { name: known.toolName, rawInput: known.input, title: known.title }), fields);
    if (known?.outcome && (!begins || contentKey(call) === shownContentKey(known))) return;
    const isNamed = isAsked || ['name', 'title', 'kind', 'rawInput'].some((name) => fields[name] !== undefined);
    if (!was && !known && !isNamed) {
      // An update about a call of an earlier turn, without a name.
      if (isOver(call)) writer.toolResult(id, ...resultOf(call));
      return;
    }
    if (!was) {
      switchTo('');
      running++;
      isStep = true;
      if (known?.input !== undefined && !known.outcome) emitted.set(id, shownContentKey(known));
      else emitted.delete(id);
    }
    calls.set(id, call);
    const { status = 'pending', rawInput, rawOutput, content } = call;
    const head = { title: call.title, ...more, providerMetadata: { acp: metaOf(call) } };
    if (status === 'pending' && rawInput === undefined && !isAsked) {
      if (!was) writer.content({ type: 'tool-input-start', toolCallId: id, toolName: nameOf(call), ...head });
    } else if (emitted.get(id) !== contentKey(call) && (!emitted.has(id) || isAsked || fields.rawInput !== undefined)) {
      emitted.set(id, contentKey(call));
      writer.toolCall(id, nameOf(call), inputOf(call), head);
    }
    if (!isOver(call)) return;
    running--;
    const contentMetadata = rawOutput != null && content ? { providerMetadata: { acp: { content } } } : undefined;
    // The agent reports denied and cancelled calls as failed.
    if (status === 'completed' || !writer.confirmDecision(id))
      writer.toolResult(id, ...resultOf(call), contentMetadata);
  };
  const requestApproval = ({ id, params: { toolCall, subject, options, ...params } }: Data): void => {
    if (!Array.isArray(options)) throw new TypeError('expected a permission request with options');
    const about = toolCall ?? subject?.toolCall;
    const { toolCallId = `permission-${id}` } = about ?? subject ?? {};
    if (typeof about?.toolCallId === 'string' || calls.has(toolCallId)) {
      updateCall({ ...about, toolCallId }, true);
    } else {
      // The permission does not belong to a call, so no result will follow.
      const { type: name = 'permission', command, cwd } = subject ?? {};
      const { title, description } = params;
      updateCall(
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
  const endReply = (reason: string, error?: Data): void => {
    writer.endText();
    if (reason === 'cancelled') emit({ type: 'abort' });
    else if (reason === 'error') writer.failReply(error?.message);
    else if (reason === 'max_turn_requests') writer.endStep();
    else writer.endReply(finishReasonOf(reason));
    calls.clear();
    chunkedIds.clear();
    [open, running, isStep] = ['', 0, false];
  };
  const readUpdate = ({ sessionUpdate, ...rest }: Data): boolean => {
    const [kind, isChunk] = kindOf(sessionUpdate) ?? [];
    if (kind === 'user') return true;
    if (kind && isChunk) addContent(kind, rest);
    else if (kind) {
      if (!chunkedIds.has(rest.messageId))
        writer.each(rest.content, (content) => addContent(kind, { ...rest, content }));
    } else if (/^tool_call/.test(sessionUpdate)) {
      const fields = asUpdate(calls.get(rest.toolCallId), sessionUpdate, rest);
      updateCall(sessionUpdate === 'tool_call' ? { status: 'pending', ...fields } : fields);
    } else if (/^plan(_update)?$/.test(sessionUpdate))
      writer.emit({ type: 'data-plan', id: rest.plan?.planId ?? 'plan', data: rest.plan ?? rest });
    else if (sessionUpdate !== 'state_update') return false;
    else if (rest.stopReason) endReply(rest.stopReason, rest.error);
    return true;
  };
  return ({ method, id, params, result, error }) => {
    if (method === 'session/update') return readUpdate(params.update);
    if (method === 'session/request_permission') requestApproval({ id, params });
    else if (method === undefined && error) endReply('error', error);
    else if (result?.stopReason) endReply(result.stopReason);
    else if (result?.messageId) writer.startReply();
    else return false;
    return true;
  };
}

/** The content that, if it changes, makes the call be shown again: its name, title and input. */
const contentKey = (call: Data): string => textOf([nameOf(call), call.title, inputOf(call)]);

const shownContentKey = ({ toolName, title, input }: Data): string => textOf([toolName, title, input]);

function updates(entries: readonly Entry[], context: Context): Data[] {
  let count = 0;
  const chunkedIds = entries.filter(({ role }) => role !== 'system');
  if (chunkedIds.length < entries.length) context.reportLoss('system');
  return writeHistory(chunkedIds, context, {
    message(_, parts) {
      const messageId = `message-${count}`;
      if (parts.some(({ toolCallId }) => toolCallId === undefined)) count++;
      return parts
        .reduce(join, [])
        .map((part: Data) => (part.toolCallId === undefined ? { ...part, messageId } : part));
    },
    call: (call, result, toolCallId) => [[writeCall({ ...call, toolCallId }, result)]],
    // Call ids are unique within a session.
    isUnique: true,
    part(part, role) {
      const content = writePart(part);
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

/** Joins consecutive texts. */
function join(list: Data[], part: Data): Data[] {
  const last = list.at(-1);
  if (last?.sessionUpdate !== part.sessionUpdate || last.content?.type !== 'text' || part.content?.type !== 'text')
    return [...list, part];
  return [...list.slice(0, -1), { ...last, content: { ...last.content, text: last.content.text + part.content.text } }];
}

function writeCall(
  { toolCallId, toolName, input, providerOptions, result: contentMetadata }: Call,
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
    ...merge({}, contentMetadata?.providerOptions?.['acp'] ?? {}),
  };
}

/** A message of a history. Chunks of one text are one part; all updates of a call are one part. */
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
      if (typeof sessionUpdate !== 'string') throw new TypeError('expected an update');
      return;
    }
    if (!kind && typeof rest.toolCallId !== 'string') throw new TypeError('expected an update of a call with its id');
    const was = calls.get(rest.toolCallId);
    // A call that is over and begins again is a new call.
    const isAnother =
      isOver(was?.call) && (sessionUpdate === 'tool_call' || /^(pending|in_progress)$/.test(rest.status));
    if (!kind && was && !isAnother) {
      was.call = merge(was.call, asUpdate(was.call, sessionUpdate, rest));
      return;
    }
    const role = kind === 'user' ? kind : 'assistant';
    const blocks = kind ? asParts(rest.content) : [];
    let message = list.at(-1);
    // Text after a call that is over belongs to the next step, unless it has the same message id.
    const followsResult = isOver(message?.parts.at(-1)?.call);
    const isSame = !kind || (messageId && message?.id === messageId) || !(followsResult || (messageId && message?.id));
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
      reportRepair('malformed', `Omitted update ${place}: it could not be read.`);
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
    setResult(part, ...resultOf(call), texts, rawOutput != null && content ? { acp: { content } } : undefined);
  return part;
}

function body(_: readonly Entry[], { chatId, item, newMessages, reportLoss }: RequestContext): unknown {
  const prompt = newMessages.flatMap(({ role, content }) =>
    content.flatMap((part) => {
      const block = role === 'user' && writePart(part);
      if (!block && (role !== 'user' || part.type !== 'text')) reportLoss(role === 'user' ? 'file' : 'system');
      return block || [];
    }),
  );
  return { jsonrpc: '2.0', id: item.id, method: 'session/prompt', params: { sessionId: chatId, prompt } };
}

/**
 * Returns the response to a permission request: the option of the decision's kind. For a call without a request,
 * returns a notification with its result, of an extension that agents may ignore.
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
  // A permanent denial grants nothing, so it may be used for a single one.
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
    // The SDK ignores a second response, but request ids start again on every connection.
    repeat: 'unknown',
  },
  createReader,
  uniqueCallIds: true,
  write: updates,
  read: (history, context) =>
    readHistory(
      messages(history, context),
      context,
      ({ role, parts }) => [role, parts],
      (part) => parse(part, context),
    ),
  body,
  answer,
});
