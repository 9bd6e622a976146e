/**
 * `opencode`: a session of opencode's server. Source: `v2/gen/types.gen.d.ts` of `@opencode-ai/sdk` 1.19, and the
 * events that the server of `opencode-ai` 1.18 sends. An item's body is the argument of an SDK method:
 * `permission.reply` for a decision, otherwise `session.promptAsync`. The chat's id is the session's id.
 *
 * The server stores the history. It requests approvals while its stream is open, before it sends the call's input. One
 * rejection rejects all open requests of the session and ends the turn. A decision for a request that no longer exists
 * gets a 404, and counts as received. A message that arrives before the decisions is lost, so messages wait for the end
 * of the turn.
 *
 * The host must pass the events of this session and of its subagents' sessions, and call `streamEnded` for
 * `session.idle`.
 */
import { answerText } from './shared/result-texts.js';
import {
  lossyCapabilities,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type ItemDecision,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
  type RequestContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, fileOf, objectInput, setDenial, setResult, textOf } from './shared/history.js';
import { readHistory, writeEntries, writeHistory, type HistoryFormat } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** The text that opencode writes for the model about a rejected call. */
const REFUSED = 'The user rejected permission to use this specific tool call';
const FEEDBACK = ' with the following feedback: ';

function createReader(stream: StreamContext): Reader {
  const { calls: shown } = stream;
  const writer = new ReplyWriter(stream);
  /** Ids of user messages and of subagents' sessions: their texts and calls do not belong to this chat. */
  const others = new Set<string>();
  /** The titles of subagents' sessions. */
  const subagents = new Map<string, string>();
  /** The kind of each text, and the length of its emitted part. */
  const texts = new Map<string, [kind: string, length: number]>();
  /** Calls by part id: call ids may repeat in another message. */
  const calls = new Map<string, { readonly id: string; readonly message: string; isOver: boolean }>();
  /** The call of each approval request, and the requests that wait for their call's input. */
  const requests = new Map<string, string>();
  const waiting: Data[] = [];
  let isOpen = false;
  let reason: Data;

  const addText = (id: string, text: string): void => {
    const known = texts.get(id);
    if (!known) return;
    known[1] += text.length;
    writer.textDelta(id, text, known[0]);
  };
  const requestApproval = ({ id: approvalId, ...opencode }: Data, toolCallId: string): void => {
    requests.set(approvalId, toolCallId);
    const requestedBy = subagents.get(opencode.sessionID);
    writer.emit({
      type: 'tool-approval-request',
      approvalId,
      toolCallId,
      ...(requestedBy !== undefined && { requestedBy }),
      opencode,
    });
  };
  const tool = ({
    id: place,
    messageID: message,
    callID: id,
    tool: name,
    state: { status, input, output, error },
  }: Data): void => {
    if (!/^(pending|running|completed|error)$/.test(status)) throw new TypeError('unknown state of a call');
    const call = calls.get(place) ?? { id, message, isOver: false };
    if (status === 'pending' || call.isOver) return;
    if (!calls.has(place)) {
      // After a reconnect, the reader knows a call only from the messages that are shown.
      const known = shown().findLast(({ toolCallId, toolName }) => toolCallId === id && toolName === name);
      const isKnown = known && textOf(known.input) === textOf(input);
      if (!isKnown) writer.call(id, name, input);
      call.isOver = isKnown && known.outcome !== undefined;
    }
    calls.set(place, call);
    if (call.isOver) return;
    if (status === 'running') {
      const at = waiting.findIndex(
        ({ tool: about }) => about.callID === id && (about.messageID === undefined || about.messageID === message),
      );
      if (at >= 0) requestApproval(waiting.splice(at, 1)[0], id);
      return;
    }
    call.isOver = true;
    writer.result(id, status === 'error' ? error : output, status === 'error');
  };
  const part = (it: Data): void => {
    const { id, type, text = '', time } = it;
    if (type === 'tool') tool(it);
    else if (type === 'text' || type === 'reasoning') {
      if (typeof text !== 'string') throw new TypeError('`text` must be a string');
      if (!texts.has(id)) texts.set(id, [type, 0]);
      addText(id, text.slice((texts.get(id) as [string, number])[1]));
      if (time?.end) writer.endText(id);
    } else if (type === 'file') writer.content({ type, mediaType: it.mime, url: it.url });
    else if (type === 'step-finish') {
      reason = it.reason;
      writer.endStep();
    }
  };
  const readRequest = (it: Data): void => {
    const { id, permission, patterns, metadata, tool: called, sessionID } = it;
    if (called && !others.has(sessionID)) {
      const isAbout = (call: { id: string; message: string }): boolean =>
        call.id === called.callID && (called.messageID === undefined || call.message === called.messageID);
      // A page that opens a waiting session knows its calls only from the loaded messages.
      const isLoaded = !isOpen && shown().some((one) => one['toolCallId'] === called.callID && !one['outcome']);
      const isOpenCall = [...calls.values()].some((call) => !call.isOver && isAbout(call));
      if (isOpenCall || isLoaded) requestApproval(it, called.callID);
      else waiting.push(it);
    } else {
      // The request does not belong to a call, or belongs to a subagent's: it is shown as a call of its own.
      writer.call(
        id,
        String(permission ?? 'permission'),
        { patterns, ...metadata },
        { providerExecuted: true, dynamic: true },
      );
      requestApproval(it, id);
    }
  };
  const readReply = ({ requestID, reply }: Data): void => {
    const id = requests.get(requestID);
    if (reply !== 'reject') writer.emit({ type: 'tool-approval-response', approvalId: requestID, approved: true });
    else if (id !== undefined) {
      const call = [...calls.values()].findLast((one) => one.id === id);
      if (call) call.isOver = true;
      if (!writer.confirmDecision(id)) writer.emit({ type: 'tool-output-denied', toolCallId: id });
    }
  };
  /** Ends the turn: later events do not belong to it. */
  const close = (): void => {
    isOpen = false;
    reason = undefined;
    waiting.length = 0;
  };

  return ({ type, properties: it }) => {
    if (/^session\.(created|updated)$/.test(type)) {
      const { id, parentID, title } = it.info;
      if (parentID) {
        others.add(id);
        if (typeof title === 'string' && title) subagents.set(id, title);
      }
    } else if (type === 'permission.asked') readRequest(it);
    else if (type === 'permission.replied') readReply(it);
    else if (!it || others.has(it.sessionID)) return /^(message|session)\./.test(type);
    else if (type === 'message.updated') {
      if (it.info.role === 'user') others.add(it.info.id);
    } else if (type === 'message.part.updated') {
      if (others.has(it.part.messageID)) return true;
      isOpen = true;
      part(it.part);
    } else if (type === 'message.part.delta') {
      if (it.field === 'text') addText(it.partID, it.delta);
    } else if (type === 'session.error') {
      if (it.error?.name === 'MessageAbortedError') return true;
      writer.failReply(it.error?.data?.message ?? it.error?.name);
      close();
    } else if (type === 'session.idle') {
      if (isOpen) writer.endReply(finishReasonOf(reason));
      close();
    } else return /^(message|session)\./.test(type);
    return true;
  };
}

const MESSAGES: HistoryFormat = {
  message: (role, parts) => ({ info: { role }, parts }),
  call: (call, result, callID, { context }) => [
    [{ type: 'tool', callID, tool: call.toolName, state: stateOf(call, result, context) }],
  ],
  part: writePart,
};

function withoutSystem(entries: readonly Entry[], { reportLoss }: Context): readonly Entry[] {
  if (entries.some(({ role }) => role === 'system')) reportLoss('system');
  return entries.filter(({ role }) => role !== 'system');
}

function stateOf(call: Call, { kind, text, failed }: CallResult, context: Context): Data {
  const input = objectInput(call, context);
  if (kind === 'executed' && !failed) return { status: 'completed', input, output: text };
  const { reason } = (call.response ?? {}) as Data;
  const refusal = reason ? REFUSED + FEEDBACK + reason : `${REFUSED}.`;
  return { status: 'error', input, error: kind === 'denied' ? refusal : text };
}

function writePart(part: Part): Data {
  const { type, text, filename } = part as Data;
  if (type === 'text' || type === 'reasoning') return text ? { type, text } : undefined;
  const { url, mediaType: mime } = fileOf(part);
  return type === 'file' && url ? { type, mime, url, ...(filename && { filename }) } : undefined;
}

function parse(
  { type, text, mime: mediaType, url: data, filename, callID: toolCallId, tool: toolName, state }: Data,
  texts: Context['texts'],
): Part | undefined {
  if (typeof type !== 'string') throw new TypeError('expected a part with a type');
  if (type === 'text' || type === 'reasoning') return { type, text };
  if (type === 'file') return { type, mediaType, data, filename };
  if (type !== 'tool') return undefined;
  const { status, input, output, error = '' } = state;
  const call: Call = { type: 'tool-call', toolCallId, toolName, input };
  if (status === 'completed') setResult(call, output, false, texts);
  if (status !== 'error') return call;
  setResult(call, error, true, texts);
  const [refusal, reason] = String(error).split(FEEDBACK) as [string, string?];
  if (refusal.startsWith(REFUSED)) setDenial(call, reason, texts);
  return call;
}

function answer(
  { approvalId: requestID, approval, toolName, outcome, reason, output, remember }: ItemDecision,
  { chatId, texts }: Context,
): unknown {
  if (!approval || outcome === 'executed' || outcome === 'failed') {
    // opencode does not run browser tools: the result is added to the session as a text, and starts no turn.
    const text = outcome === 'executed' ? textOf(output) : answerText(outcome, reason, texts);
    return { sessionID: chatId, noReply: true, parts: [{ type: 'text', text: `${toolName}: ${text}` }] };
  }
  if (outcome === 'approved') return { requestID, reply: remember ? 'always' : 'once' };
  return { requestID, reply: 'reject', ...(reason && { message: reason }) };
}

function body(context: RequestContext): unknown {
  const messages = writeEntries(withoutSystem(context.newMessages, context), context, MESSAGES);
  return { sessionID: context.chatId, parts: messages.flatMap(({ parts }) => parts) };
}

/** opencode's server. */
export const opencode: Protocol = makeProtocol({
  name: 'opencode',
  capabilities: {
    ...lossyCapabilities('approval pending json input system custom file content'),
    kind: 'answering',
    remember: true,
    history: 'server',
    repeat: 'ignored',
  },
  createReader,
  write: (entries, context) => writeHistory(withoutSystem(entries, context), context, MESSAGES),
  read: (history, context) =>
    readHistory(
      history,
      context,
      ({ info, parts }) => [info.role, asList(parts)],
      (part) => parse(part, context.texts),
    ),
  body: (_, context) => body(context),
  answer,
});
