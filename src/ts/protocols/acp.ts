/**
 * `acp`: the Agent Client Protocol, versions 1 and 2. Source: `v1/schema` and `v2/schema` of `@agentclientprotocol/sdk`
 * 2.4.
 *
 * Receives the agent's JSON-RPC messages about one prompt: `session/update`, `session/request_permission`,
 * `elicitation/create`, and the response to `session/prompt`. Sends one JSON-RPC message per item: a user message is a
 * `session/prompt` request, with the item's id as its id and the chat's id as its session; a decision is the response
 * to the agent's request. `send` may resolve as soon as the message is written. The agent stores the history; `load`
 * and `assemble` use the list of updates that `session/load` replays.
 *
 * A decision selects the option of its kind, and never an option that grants more: if the user approves once, and the
 * agent only offers `allow_always`, the response is `cancelled`, and the tool does not run. If several options have
 * that kind, a `reason` that is the id of one selects it, otherwise the first; but of several `allow_always` none,
 * because the first may grant the most: Gemini CLI's allows all tools of a server. The protocol cannot carry another
 * reason or an edited input.
 *
 * The host must send `session/cancel` right before it calls `gate.cancel()`, which queues a `cancelled` response to
 * every open request; call `streamEnded({ status: 'step-limit' })` for `max_turn_requests`, and with `disconnected`
 * when the connection ends; and pass on the requests that are open on the next one. Request ids start again on each
 * connection, so no other request of an earlier one is answered.
 */
import type * as v1 from '@agentclientprotocol/sdk';
import { asUpdate, inputOf, isOver, kindOf, merge, metaOf, nameOf } from './acp/content.js';
import { partOf, resultOf, writePart } from './acp/content.js';
import type { AcpCall, AcpKept, Content, Update } from './acp/content.js';
import type { Call, CallResult, Context, ItemDecision, Entry, Part, RequestContext } from './shared/codec.js';
import { asList, asParts, setResult, textOf } from './shared/history.js';
import { readHistory, writeHistory, type HistoryFormat } from './shared/history-format.js';
import { createReader } from './acp/stream.js';
import { withdrawAll } from './shared/other-decisions.js';
import { answerOf } from './shared/questions.js';
import { isClosed, isDenial } from './shared/result-texts.js';
import type { AnyOf, Wire, With } from './shared/wire.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import type { AcpBody, AcpUpdate, Rpc } from '../types/backends.js';

const UPDATES: HistoryFormat<Update, Update> = {
  message(_, parts, { written }) {
    const messageId = `message-${written.count}`;
    if (parts.some(({ toolCallId }) => toolCallId === undefined)) written.count++;
    return parts.reduce(join, []).map((part) => (part.toolCallId === undefined ? { ...part, messageId } : part));
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
};

function updates(entries: readonly Entry[], context: Context): Update[] {
  const chunkedIds = entries.filter(({ role }) => role !== 'system');
  if (chunkedIds.length < entries.length) context.reportLoss('system');
  return writeHistory(chunkedIds, context, UPDATES);
}

/** Joins consecutive texts. */
function join(list: Update[], part: Update): Update[] {
  const last = list.at(-1);
  // Only calls have lists of content.
  const [before, block] = [last?.content, part.content] as [Content?, Content?];
  if (last?.sessionUpdate !== part.sessionUpdate || before?.type !== 'text' || block?.type !== 'text')
    return [...list, part];
  return [...list.slice(0, -1), { ...last, content: { ...before, text: `${before.text}${block.text}` } }];
}

function writeCall(
  { toolCallId, toolName, input, providerOptions, result: contentMetadata }: Call,
  { kind, text, value }: CallResult,
): Update {
  return {
    ...merge({ title: toolName }, (providerOptions as AcpKept)?.acp ?? {}),
    sessionUpdate: 'tool_call',
    toolCallId,
    name: toolName,
    status: kind === 'executed' ? 'completed' : 'failed',
    rawInput: input,
    rawOutput: kind === 'executed' ? value : text,
    ...merge({}, (contentMetadata?.providerOptions as AcpKept)?.acp ?? {}),
  };
}

/** A part of a message: all updates of a call, or a block of content; chunks of one text are one block. */
type Item = { call?: AcpCall; kind?: string; block?: Content };
type Message = { readonly role: Entry['role']; id: string | undefined; readonly parts: Item[] };
/** An item of a history as it arrives: an update, alone or in its notification. */
type Stored = Update & { readonly update?: Update; readonly params?: { readonly update?: Update } };

function messages(history: readonly Stored[], { reportRepair }: Context): Message[] {
  const list: Message[] = [];
  /** The newest call with each id. */
  const calls = new Map<unknown, Item>();
  const add = (item: Stored): void => {
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
      isOver(was?.call) && (sessionUpdate === 'tool_call' || /^(pending|in_progress)$/.test(textOf(rest.status)));
    if (!kind && was && !isAnother) {
      was.call = merge(was.call, asUpdate(was.call, sessionUpdate, rest));
      return;
    }
    const role = kind === 'user' ? kind : 'assistant';
    const blocks = kind ? asParts(rest.content as readonly Content[]) : [];
    let message = list.at(-1);
    // Text after a call that is over belongs to the next step, unless it has the same message id.
    const followsResult = isOver(message?.parts.at(-1)?.call);
    const isSame = !kind || (messageId && message?.id === messageId) || !(followsResult || (messageId && message?.id));
    if (message?.role !== role || !isSame) list.push((message = { role, id: undefined, parts: [] }));
    message.id ??= messageId;
    for (const block of blocks) {
      const last = message.parts.at(-1);
      const isText = block?.type === 'text' && typeof block.text === 'string';
      if (isText && last?.block?.type === 'text' && last.kind === kind)
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

function parse({ kind, block, call }: Item, { texts }: Context): Wire<Part> {
  if (!call)
    return kind === 'reasoning' && block?.type === 'text' ? { type: kind, text: block.text } : partOf(block as Content);
  const part: Call = {
    type: 'tool-call',
    toolCallId: call.toolCallId as string,
    toolName: nameOf(call),
    input: inputOf(call),
    providerOptions: { acp: metaOf(call) },
  };
  const { rawOutput, content } = call;
  if (isOver(call))
    setResult(part, ...resultOf(call), texts, rawOutput != null && content ? { acp: { content } } : undefined);
  return part;
}

function body(_: readonly Entry[], { chatId, item, newMessages, reportLoss }: RequestContext): AcpBody {
  const prompt = newMessages.flatMap(({ role, content }) =>
    content.flatMap((part) => {
      const block = role === 'user' && writePart(part);
      if (!block && (role !== 'user' || part.type !== 'text')) reportLoss(role === 'user' ? 'file' : 'system');
      return block || [];
    }),
  );
  return { jsonrpc: '2.0', id: item.id, method: 'session/prompt', params: { sessionId: chatId, prompt } };
}

/** What this protocol keeps of a request: its id, the options of a permission, and the mode of an elicitation. */
type Asked = { readonly acp?: With<AnyOf<{ id: v1.RequestId; options: v1.PermissionOption[]; mode: string }>, 'id'> };

/**
 * Returns the response to an elicitation, or to a permission request: the option of the decision's kind. For a call
 * without a request, returns a notification with its result, of an extension that agents may ignore.
 */
function answer(decision: ItemDecision<Asked, Asked | undefined>, { chatId, reportLoss }: Context): AcpBody {
  const { outcome, remember, reason, toolCallId, output, approval, metadata } = decision;
  if (metadata?.acp?.mode) {
    const { action, value: content } = answerOf(decision);
    return { jsonrpc: '2.0', id: metadata.acp.id, result: { action, ...(!!content && { content }) } };
  }
  if (!approval?.acp || outcome === 'executed' || outcome === 'failed') {
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
  const kinds =
    outcome === 'approved' || (isClosed(outcome) && isDenial(outcome))
      ? reaches.map((reach) => `${word}_${reach}`)
      : [];
  const offered = kinds.map((kind) => {
    const [first, ...others] = asList(options).filter((option) => option?.kind === kind);
    return kind === 'allow_always' && others.length ? undefined : first;
  });
  const named = asList(options).find(({ optionId, kind }) => optionId === reason && kinds.includes(textOf(kind)));
  const chosen = named ?? offered.find(Boolean);
  if (!named && !offered[0] && outcome !== 'cancelled') reportLoss('option', toolCallId);
  if (!named && reason !== undefined) reportLoss('reason', toolCallId);
  return {
    jsonrpc: '2.0',
    id,
    result: { outcome: chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' } },
  };
}

/** The Agent Client Protocol. */
export const acp: Protocol<AcpBody, Rpc, AcpUpdate> = makeProtocol({
  name: 'acp',
  capabilities: {
    kind: 'answering',
    reason: false,
    editedInput: false,
    cancel: true,
    remember: true,
    history: 'server',
    denialVisible: false,
    lost: ['approval', 'pending', 'system', 'reasoning', 'file', 'custom', 'content', 'reason', 'option', 'id'],
    // The SDK ignores a second response, but request ids start again on every connection.
    repeat: 'unknown',
  },
  leaveConnection: withdrawAll,
  createReader,
  write: updates,
  read: (history: readonly Stored[], context) =>
    readHistory(
      messages(history, context),
      context,
      ({ role, parts }) => [role, parts],
      (part) => parse(part, context),
    ),
  body,
  answer,
});
