/**
 * `a2a`: an agent that speaks A2A, version 1.0. Source: `a2a.proto` and the JSON-RPC binding of the specification, and
 * `@a2a-js/sdk` 1.3.
 *
 * Every body is a JSON-RPC request: `SendStreamingMessage`, or `CancelTask` if the user cancelled. The specification
 * has no format for approvals: a2a/approvals.ts has the convention. A task in `TASK_STATE_INPUT_REQUIRED` takes one
 * message with its id, which answers all its requests, so the decisions of a step are sent together. Without a request,
 * it waits for the user's next message, which then has the task's id. `TASK_STATE_AUTH_REQUIRED` becomes a
 * `passthrough` event: the specification forbids to treat it as an authorization of an operation.
 *
 * The chat's id is the context's id, until the agent names another one. The agent stores the history: `load` takes the
 * tasks of the context, the oldest first, or a list of messages.
 */
import { answerOf, conventionOf, partsOfAgent, partsOfUser } from './a2a/approvals.js';
import type { A2aKept, A2aMessage as WireMessage, A2aPart, Origin } from './a2a/approvals.js';
import { artifactParts, isAnswer, isWaiting, parsePart, writeCall, writePart } from './a2a/parts.js';
import { createReader, type Task } from './a2a/stream.js';
import type { Calls } from './shared/calls.js';
import { lossyCapabilities, type ItemDecision, type RequestContext } from './shared/codec.js';
import type { Call, Context, Entry } from './shared/codec.js';
import { asList, conversationOf, setDenial } from './shared/history.js';
import { readHistory, writeEntries, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import type { With } from './shared/wire.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import type { A2aBody, A2aMessage, Rpc } from '../types/backends.js';

/** A message that is written. */
type Message = With<WireMessage, 'parts'>;

/** A part that is written, and the metadata of its content. */
type Written = { readonly part: A2aPart; readonly a2a: Origin | undefined };

function messageOf(role: string, parts: readonly A2aPart[], a2a: Origin | undefined): Message[] {
  const { taskId, contextId } = a2a ?? {};
  const of = { ...(contextId && { contextId }), ...(taskId && { taskId }) };
  return parts.length ? [{ role, ...of, parts }] : [];
}

/** The messages without their ids. */
const MESSAGES: HistoryFormat<Message, Written> = {
  message(role, written) {
    const a2a = written[0]?.a2a;
    const parts = written.map(({ part }) => part);
    if (role !== 'tool') return messageOf(role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', parts, a2a);
    const results = parts.filter((part) => !isAnswer(part));
    return [...messageOf('ROLE_USER', parts.filter(isAnswer), a2a), ...messageOf('ROLE_AGENT', results, a2a)];
  },
  call(call, result, id) {
    const a2a = (call.request as A2aKept)?.a2a ?? (call.providerOptions as A2aKept)?.a2a;
    return writeCall(call, result, id).map((parts) => parts.map((part) => ({ part, a2a }))) as [Written[], Written[]];
  },
  part(part) {
    const written = writePart(part);
    return written && { part: written, a2a: (part.providerOptions as A2aKept)?.a2a };
  },
  open: () => true,
};

function write(entries: readonly Entry[], context: Context): Message[] {
  const written = writeHistory(conversationOf(entries, context), context, MESSAGES);
  return joined(written).map((one, index) => ({ messageId: `message-${index}`, ...one }));
}

/** Joins a message of the agent that has no calls with the next one: when they are read, they are one step. */
function joined(written: readonly Message[]): Message[] {
  const list: Message[] = [];
  for (const one of written) {
    const last = list.at(-1);
    const isNext = last?.role === 'ROLE_AGENT' && one.role === last.role && one.taskId === last.taskId;
    if (isNext && !last.parts.some(conventionOf))
      list[list.length - 1] = { ...last, parts: [...last.parts, ...one.parts] };
    else list.push(one);
  }
  return list;
}

/** One part of a message, and what its message says about it. */
interface Item {
  readonly part: A2aPart;
  readonly a2a: Origin;
  /** Whether a request in the message still waits. */
  readonly isOpen: boolean;
}

/** A task or a message, as it arrives. */
type Stored = (Task & WireMessage) | null;

/** Returns the messages of tasks, as messages of the conversation. Throws nothing: a damaged one is read later. */
function messagesOf(history: readonly Stored[]): { role: Entry['role'] | undefined; items: readonly Item[] }[] {
  const list: { role: Entry['role'] | undefined; items: readonly Item[] }[] = [];
  /** The newest request that names no action, which Agent Stack's answers are about. */
  let asked: string | undefined;
  const add = (message: WireMessage, isOpen: boolean): void => {
    const { messageId: id, taskId, contextId, role } = message;
    const isUser = role === 'ROLE_USER';
    if (!isUser && role !== 'ROLE_AGENT') return void list.push({ role: undefined, items: [] });
    const parts = isUser ? partsOfUser(message, asked) : partsOfAgent(message);
    const requests = parts.filter((part) => conventionOf(part)?.type === 'tool-approval-request');
    asked = requests.at(-1)?.data?.approvalId ?? asked;
    const isQuestion = !isUser && isOpen && !requests.length;
    const a2a = {
      ...(taskId && { taskId }),
      ...(contextId && { contextId }),
      ...(id && { id }),
      ...(isQuestion && { isQuestion }),
    };
    const items = parts.map((part) => ({ part, a2a, isOpen }));
    // An answer belongs to the step before it, even though it is part of a user message.
    const answers = items.filter(({ part }) => isUser && conventionOf(part));
    const others = items.filter((item) => !answers.includes(item));
    if (answers.length) list.push({ role: 'assistant', items: answers });
    if (others.length || !answers.length) list.push({ role: isUser ? 'user' : 'assistant', items: others });
  };
  for (const one of history) {
    if (!one?.status) {
      add(one ?? {}, true);
      continue;
    }
    const { id: taskId, contextId, status, artifacts } = one;
    const isOpen = isWaiting(status.state);
    const { message } = status;
    const about = { taskId, contextId };
    for (const said of asList(one.history))
      if (message === undefined || said?.messageId !== message.messageId) add({ ...about, ...said }, false);
    for (const artifact of asList(artifacts))
      add(
        { ...about, role: 'ROLE_AGENT', messageId: artifact?.artifactId, parts: artifactParts(artifact ?? {}) },
        false,
      );
    if (message) add({ ...about, ...message }, isOpen);
  }
  return list;
}

function parse({ part, a2a, isOpen }: Item, calls: Calls, { texts }: Context): Parsed | undefined | null {
  const said = conventionOf(part);
  if (!said) return parsePart(part, a2a);
  const { type, toolCallId, toolName, input, approvalId = toolCallId, output, error, via } = said;
  if (type === 'tool-result') {
    // The agent's result of a denied call adds nothing.
    if (calls.get(toolCallId)?.response?.['approved'] === false) return undefined;
    return { answers: toolCallId, value: error ?? output, failed: error !== undefined };
  }
  const request = { type: '', approvalId, a2a: { ...a2a, ...(via && { via }) } };
  if (type !== 'tool-approval-response') {
    const call: Call = { type: 'tool-call', toolCallId, toolName, input, providerExecuted: true };
    call.providerOptions = { a2a: { ...a2a, ...(type !== 'tool-call' && { approvalId }) } };
    if (type !== 'tool-call' && isOpen) call.request = request;
    return call;
  }
  const call = calls.firstWithout(
    'response',
    (one) => (one.request?.approvalId ?? (one.providerOptions as A2aKept)?.a2a?.approvalId) === approvalId,
  );
  if (!call) return null;
  call.request ??= request;
  if (said.approved === true) call.response = { type: '', approved: true };
  else setDenial(call, said.reason, texts);
  return undefined;
}

/** Returns what the agent's newest content says about its task. */
function newestOf(entries: readonly Entry[]): Origin {
  const parts = entries.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content);
  return parts.map(({ providerOptions }) => (providerOptions as A2aKept)?.a2a).findLast(Boolean) ?? {};
}

function body(entries: readonly Entry[], context: RequestContext): A2aBody {
  const { chatId, decisions, item, newMessages } = context;
  const newest = newestOf(entries);
  const asked = decisions.map(({ approval }) => (approval as A2aKept)?.a2a).findLast(Boolean) ?? newest;
  const { taskId, contextId = chatId } = asked;
  const request = { jsonrpc: '2.0', id: item.id } as const;
  if (taskId && decisions.length && decisions.every(({ outcome }) => outcome === 'cancelled'))
    return { ...request, method: 'CancelTask', params: { id: taskId } };
  const answers = decisions.map((decision) => answerOf(decision as ItemDecision<A2aKept>, context));
  const parts = writeEntries(conversationOf(newMessages, context), context, MESSAGES).flatMap((one) => one.parts);
  const metadata = Object.assign({}, ...answers.map((answer) => answer.metadata));
  const message = {
    // The key stays the same when the item is sent again, so an agent can recognize the repetition.
    messageId: item.key,
    contextId,
    ...(taskId && (answers.length || newest.isQuestion) && { taskId }),
    role: 'ROLE_USER',
    parts: [...answers.map(({ part }) => part), ...parts],
    ...(Object.keys(metadata).length && { metadata }),
  };
  return { ...request, method: 'SendStreamingMessage', params: { message } };
}

/** Agents that speak A2A 1.0. */
export const a2a: Protocol<A2aBody, Rpc, A2aMessage> = makeProtocol({
  name: 'a2a',
  capabilities: {
    ...lossyCapabilities('system reasoning custom file content reason'),
    cancel: true,
    history: 'server',
  },
  answersBeforeMessages: true,
  createReader,
  write,
  read: (history: readonly Stored[], context) =>
    readHistory(
      messagesOf(history),
      context,
      ({ role, items }) => [role, items],
      (item, calls) => parse(item, calls, context),
      true,
    ),
  body,
});
