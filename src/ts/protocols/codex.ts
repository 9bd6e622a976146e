/**
 * `codex`: a thread of Codex's app server. Source: the types that `codex app-server generate-ts` of `@openai/codex`
 * 0.169 writes.
 *
 * The app relays the app server's JSON-RPC messages over a socket. A user message is a `turn/start` request, with the
 * item's id as its id and the chat's id as its thread; a decision is the response to the app server's request. The
 * thread stores the history: `load` takes its turns or items. It has no calls that were declined.
 *
 * A request has no field for the reason of a denial, and none for an edited input. `serverRequest/resolved` does not
 * say how a request was answered: what follows about its call does.
 *
 * Questions to the user are requests without an item. They are calls of the page if the app lists their names in
 * `browserTools`.
 *
 * The host must pass the messages of this thread only; call `streamEnded` for `turn/completed`, and with `disconnected`
 * when the connection ends; answer requests that become `passthrough` events; and pass on the requests that are open on
 * the next connection. Ids start again there, so no other request of an earlier one is answered.
 */
import { callOf, resultOf, userPartOf, writeCall } from './codex/items.js';
import type { CodexKept, Item, RequestId, WrittenItem } from './codex/items.js';
import { responseTo } from './codex/questions.js';
import type { Params } from './codex/frames.js';
import { createReader } from './codex/stream.js';
import { lossyCapabilities, type Call, type ItemDecision } from './shared/codec.js';
import type { Context, Entry, Part } from './shared/codec.js';
import { asList, asParts, fileOf, setDenial, setResult, textOf } from './shared/history.js';
import { readHistory, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import { withdrawAll } from './shared/other-decisions.js';
import { answerText } from './shared/result-texts.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import type { CodexBody, CodexItem, Rpc } from '../types/backends.js';

const textItem = (text: string): WrittenItem => ({ type: 'text', text, text_elements: [] });

const ITEMS: HistoryFormat<WrittenItem, WrittenItem> = {
  message: (role, parts, { written }) =>
    role === 'user'
      ? { type: 'userMessage', id: `item-${written.count++}`, content: parts }
      : parts.map((item) => (item.id ? item : { ...item, id: `item-${written.count++}` })),
  call: (call, result, id, { context }) => [[writeCall(call, result, id, context)]],
  // Item ids are unique in a thread.
  isUnique: true,
  part: writePart,
};

function items(entries: readonly Entry[], context: Context): WrittenItem[] {
  const conversation = entries.filter(({ role }) => role !== 'system');
  if (conversation.length < entries.length) context.reportLoss('system');
  return writeHistory(conversation, context, ITEMS);
}

function writePart(part: Part, role: Entry['role']): WrittenItem | undefined {
  const { type, text } = part;
  if (type === 'text' && text) return role === 'user' ? textItem(text) : { type: 'agentMessage', text };
  if (type === 'reasoning' && text) return { type, summary: [text], content: [] };
  if (type !== 'file' || role !== 'user') return undefined;
  const { url, mediaType } = fileOf(part);
  return url && /^image/.test(mediaType) ? { type: 'image', url } : undefined;
}

/** An item, or a turn with its items, as it arrives. */
type Stored = (Item & { readonly items?: readonly Item[] }) | null;
/** The items of the assistant, or the parts of the user's message. */
type Message = { readonly role: Entry['role']; readonly parts: Item[] };

/** Groups the items of turns into messages. Text after a call begins another step. */
function messages(history: readonly Stored[]): Message[] {
  const list: Message[] = [];
  for (const item of history.flatMap((one) => (Array.isArray(one?.items) ? one.items : [one]))) {
    const role = item?.type === 'userMessage' ? 'user' : 'assistant';
    const last = list.at(-1);
    const followsCall = last?.parts.length && callOf(last.parts.at(-1) ?? {}) && !callOf(item ?? {});
    if (role === 'assistant' && last?.role === role && !followsCall) last.parts.push(item);
    else list.push({ role, parts: role === 'user' ? ([...asParts(item?.content)] as Item[]) : [item as Item] });
  }
  return list;
}

function parse(item: Item, role: Entry['role'], { texts }: Context): Parsed | undefined {
  if (role === 'user') return userPartOf(item);
  const { type, id, text, summary, content, status } = item;
  if (typeof type !== 'string') throw new TypeError('expected an item with a type');
  if (type === 'agentMessage') return { type: 'text', text };
  if (type === 'reasoning') return { type, text: [...asList(summary), ...asList(content)].join('\n\n') };
  const known = callOf(item);
  if (!known) return undefined;
  const { name: toolName, input, server } = known;
  const more = server !== undefined && { providerOptions: { codex: { server } } };
  const call: Call = { type: 'tool-call', toolCallId: id, toolName: toolName as string, input, ...more };
  const result = resultOf(item);
  if (status === 'declined') setDenial(call, undefined, texts);
  else if (result) setResult(call, ...result, texts);
  return call;
}

/** A decision, with what this protocol keeps of its request: the id, the kind and the parameters. */
type Asked = Params & { readonly id: RequestId; readonly kind: string };
type Decision = ItemDecision<{ readonly codex: Asked }, CodexKept>;

/** Whether a decision may be sent: older app servers, and those that offer no list, accept all. */
const isOffered = ({ availableDecisions: list }: Asked, decision: string): boolean =>
  !Array.isArray(list) || list.includes(decision);

function resultFor({ outcome, remember, reason, toolCallId, approval }: Decision, { reportLoss }: Context) {
  const { codex } = approval;
  const isApproved = outcome === 'approved';
  if (!isApproved && reason !== undefined) reportLoss('reason', toolCallId);
  if (codex.kind === 'permissions') {
    if (remember && !isApproved) reportLoss('option', toolCallId);
    const granted = Object.entries(codex.permissions ?? {}).filter(([, value]) => isApproved && value !== null);
    return { permissions: Object.fromEntries(granted), scope: remember && isApproved ? 'session' : 'turn' };
  }
  const isKept = remember !== undefined && isApproved && isOffered(codex, 'acceptForSession');
  if (remember && !isKept) reportLoss('option', toolCallId);
  if (isApproved) return { decision: isKept ? 'acceptForSession' : 'accept' };
  // `decline` is accepted even if the app server does not list it; `cancel` would also end the turn.
  return { decision: outcome === 'cancelled' ? 'cancel' : 'decline' };
}

function answer(decision: Decision, context: Context): CodexBody {
  const { approval, outcome, reason, output, metadata, toolName } = decision;
  const isResult = outcome === 'executed' || outcome === 'failed';
  if (approval?.codex && !isResult) return { id: approval.codex.id, result: resultFor(decision, context) };
  const { id, isQuestion } = metadata?.codex ?? {};
  if (isQuestion) return { id, result: responseTo(decision) };
  const text = outcome === 'executed' ? textOf(output) : answerText(outcome, reason, context.texts);
  if (id === undefined)
    return {
      id: `result-${decision.toolCallId}`,
      method: 'thread/inject_items',
      params: { threadId: context.chatId, items: [messageItem(`${toolName}: ${text}`)] },
    };
  return { id, result: { contentItems: [{ type: 'inputText', text }], success: outcome === 'executed' } };
}

const messageItem = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

function body(newMessages: readonly Entry[], context: Context, id: string): CodexBody {
  const input = items(newMessages, context).flatMap(({ content = [] }) => content as readonly object[]);
  return { id, method: 'turn/start', params: { threadId: context.chatId, clientUserMessageId: id, input } };
}

/** Codex's app server. */
export const codex: Protocol<CodexBody, Rpc, CodexItem> = makeProtocol({
  name: 'codex',
  capabilities: {
    ...lossyCapabilities('approval pending json input system file custom content id reason option'),
    kind: 'answering',
    reason: false,
    cancel: true,
    remember: true,
    history: 'server',
    messageWhilePending: true,
  },
  leaveConnection: withdrawAll,
  createReader,
  write: items,
  read: (history: readonly Stored[], context) => {
    const roles = new Map<unknown, Entry['role']>();
    return readHistory(
      messages(history),
      context,
      ({ role, parts }) => {
        for (const part of parts) roles.set(part, role);
        return [role, parts];
      },
      (part) => parse(part, roles.get(part) as Entry['role'], context),
    );
  },
  body: (_, context) => body(context.newMessages, context, context.item.id),
  answer,
});
