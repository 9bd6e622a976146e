/**
 * `opencode`: a session of opencode's server. Source: `v2/gen/types.gen.d.ts` of `@opencode-ai/sdk` 1.19, and what the server
 * of `opencode-ai` 1.18 sends. An item's body is what the SDK's methods take: `permission.reply` for an answer, else
 * `session.promptAsync`. The chat's id is the session's.
 *
 * It keeps the history and asks while its stream is open, before the call's input is told. One refusal refuses all that the
 * session asks, and ends the turn; an answer to what is gone is a 404, and has arrived. A message that comes before the
 * answers is lost; it waits for the end of the turn. Left to the host: the events of this session and its subagents', and `streamEnded` at
 * `session.idle`.
 */
import { resultText } from './shared/result-texts.js';
import type { OutcomeKind } from '../types/index.js';
import {
  wordsOnly,
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
import { asList, fileOf, objectOf, refuse, settle, textOf } from './shared/history.js';
import { read, write } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** How it tells the model of a refusal. */
const REFUSED = 'The user rejected permission to use this specific tool call';
const FEEDBACK = ' with the following feedback: ';

function createReader({ emit, calls: shown }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls: shown });
  /** Messages of the user, and sessions of subagents: their texts and calls are not this chat's. */
  const others = new Set<string>();
  /** What kind each text is, and how much of it was said. */
  const texts = new Map<string, [kind: string, length: number]>();
  /** Calls by their parts: an id may come again in another message. */
  const calls = new Map<string, { readonly id: string; readonly message: string; isOver: boolean }>();
  /** The call of each question; and the questions that wait for their call's input. */
  const asked = new Map<string, string>();
  const waiting: Data[] = [];
  let isOpen = false;
  let reason: Data;

  const say = (id: string, text: string): void => {
    const known = texts.get(id);
    if (!known) return;
    known[1] += text.length;
    writer.textDelta(id, text, known[0]);
  };
  const ask = ({ id: approvalId, ...opencode }: Data, toolCallId: string): void => {
    asked.set(approvalId, toolCallId);
    writer.emit({ type: 'tool-approval-request', approvalId, toolCallId, opencode });
  };
  const tool = ({
    id: place,
    messageID: message,
    callID: id,
    tool: name,
    state: { status, input, output, error },
  }: Data): void => {
    if (!/^(pending|running|completed|error)$/.test(status)) throw new TypeError('a call in no known state');
    const call = calls.get(place) ?? { id, message, isOver: false };
    if (status === 'pending' || call.isOver) return;
    if (!calls.has(place)) {
      // A call of a stream that has ended is known by what is shown of it.
      const known = shown().findLast(({ toolCallId, toolName }) => toolCallId === id && toolName === name);
      const isKnown = known && textOf(known.input) === textOf(input);
      if (!isKnown) writer.toolCall(id, name, input);
      call.isOver = isKnown && known.outcome !== undefined;
    }
    calls.set(place, call);
    if (call.isOver) return;
    if (status === 'running') {
      const at = waiting.findIndex(
        ({ tool: about }) => about.callID === id && (about.messageID === undefined || about.messageID === message),
      );
      if (at >= 0) ask(waiting.splice(at, 1)[0], id);
      return;
    }
    call.isOver = true;
    writer.toolResult(id, status === 'error' ? error : output, status === 'error');
  };
  const part = (it: Data): void => {
    const { id, type, text = '', time } = it;
    if (type === 'tool') tool(it);
    else if (type === 'text' || type === 'reasoning') {
      if (typeof text !== 'string') throw new TypeError('a text that is no text');
      if (!texts.has(id)) texts.set(id, [type, 0]);
      say(id, text.slice((texts.get(id) as [string, number])[1]));
      if (time?.end) writer.endText(id);
    } else if (type === 'file') writer.content({ type, mediaType: it.mime, url: it.url });
    else if (type === 'step-finish') {
      reason = it.reason;
      writer.endStep();
    }
  };
  const question = (it: Data): void => {
    const { id, permission, patterns, metadata, tool: called, sessionID } = it;
    if (called && !others.has(sessionID)) {
      const isAbout = (call: { id: string; message: string }): boolean =>
        call.id === called.callID && (called.messageID === undefined || call.message === called.messageID);
      if ([...calls.values()].some((call) => !call.isOver && isAbout(call))) ask(it, called.callID);
      else waiting.push(it);
    } else {
      // About no call, or about a subagent's: the question itself is shown as one.
      writer.toolCall(
        id,
        String(permission ?? 'permission'),
        { patterns, ...metadata },
        { providerExecuted: true, dynamic: true },
      );
      ask(it, id);
    }
  };
  const replied = ({ requestID, reply }: Data): void => {
    const id = asked.get(requestID);
    if (reply !== 'reject') writer.emit({ type: 'tool-approval-response', approvalId: requestID, approved: true });
    else if (id !== undefined) {
      const call = [...calls.values()].findLast((one) => one.id === id);
      if (call) call.isOver = true;
      if (!writer.confirmDecision(id)) writer.emit({ type: 'tool-output-denied', toolCallId: id });
    }
  };
  /** The turn is over: of what follows nothing belongs to it. */
  const close = (): void => {
    isOpen = false;
    reason = undefined;
    waiting.length = 0;
  };

  return ({ type, properties: it }) => {
    if (/^session\.(created|updated)$/.test(type)) {
      if (it.info.parentID) others.add(it.info.id);
    } else if (type === 'permission.asked') question(it);
    else if (type === 'permission.replied') replied(it);
    else if (!it || others.has(it.sessionID)) return /^(message|session)\./.test(type);
    else if (type === 'message.updated') {
      if (it.info.role === 'user') others.add(it.info.id);
    } else if (type === 'message.part.updated') {
      if (others.has(it.part.messageID)) return true;
      isOpen = true;
      part(it.part);
    } else if (type === 'message.part.delta') {
      if (it.field === 'text') say(it.partID, it.delta);
    } else if (type === 'session.error') {
      if (it.error?.name === 'MessageAbortedError') return true;
      writer.failReply(it.error?.data?.message ?? it.error?.name);
      close();
    } else if (type === 'session.idle') {
      if (isOpen) writer.endReply(reasonOf(reason));
      close();
    } else return /^(message|session)\./.test(type);
    return true;
  };
}

function messages(entries: readonly Entry[], context: Context): Data[] {
  if (entries.some(({ role }) => role === 'system')) context.reportLoss('system');
  const conversation = entries.filter(({ role }) => role !== 'system');
  return write(conversation, context, {
    message: (role, parts) => ({ info: { role }, parts }),
    call: (call, result, callID) => [
      [{ type: 'tool', callID, tool: call.toolName, state: stateOf(call, result, context) }],
    ],
    part: wordPart,
  });
}

function stateOf(call: Call, { kind, text, failed }: CallResult, context: Context): Data {
  const input = objectOf(call, context);
  if (kind === 'executed' && !failed) return { status: 'completed', input, output: text };
  const { reason } = (call.response ?? {}) as Data;
  const refusal = reason ? REFUSED + FEEDBACK + reason : `${REFUSED}.`;
  return { status: 'error', input, error: kind === 'denied' ? refusal : text };
}

function wordPart(part: Part): Data {
  const { type, text, filename } = part as Data;
  if (type === 'text' || type === 'reasoning') return text ? { type, text } : undefined;
  const { url, mediaType: mime } = fileOf(part);
  return type === 'file' && url ? { type, mime, url, ...(filename && { filename }) } : undefined;
}

function parse(
  { type, text, mime: mediaType, url: data, filename, callID: toolCallId, tool: toolName, state }: Data,
  texts: Context['texts'],
): Part | undefined {
  if (typeof type !== 'string') throw new TypeError('a part without a type');
  if (type === 'text' || type === 'reasoning') return { type, text };
  if (type === 'file') return { type, mediaType, data, filename };
  if (type !== 'tool') return undefined;
  const { status, input, output, error = '' } = state;
  const call: Call = { type: 'tool-call', toolCallId, toolName, input };
  if (status === 'completed') settle(call, output, false, texts);
  if (status !== 'error') return call;
  settle(call, error, true, texts);
  const [refusal, reason] = String(error).split(FEEDBACK) as [string, string?];
  if (refusal.startsWith(REFUSED)) refuse(call, reason, texts);
  return call;
}

function answer(
  { approvalId: requestID, approval, toolName, outcome, reason, output, remember }: ItemDecision,
  { chatId, texts }: Context,
): unknown {
  if (!approval || outcome === 'executed' || outcome === 'failed') {
    // opencode runs no tool of the page: what became of the call is added to the session, and starts no turn.
    const text =
      outcome === 'executed' ? textOf(output) : (reason ?? resultText({ kind: outcome as OutcomeKind }, texts));
    return { sessionID: chatId, noReply: true, parts: [{ type: 'text', text: `${toolName}: ${text}` }] };
  }
  if (outcome === 'approved') return { requestID, reply: remember ? 'always' : 'once' };
  return { requestID, reply: 'reject', ...(reason && { message: reason }) };
}

function body(context: RequestContext): unknown {
  return { sessionID: context.chatId, parts: messages(context.newMessages, context).flatMap(({ parts }) => parts) };
}

/** opencode's server. */
export const opencode: Protocol = makeProtocol({
  name: 'opencode',
  capabilities: {
    ...wordsOnly('approval pending json input system custom file'),
    kind: 'answering',
    remember: true,
    history: 'server',
    repeat: 'ignored',
  },
  createReader,
  write: messages,
  read: (history, context) =>
    read(
      history,
      context,
      ({ info, parts }) => [info.role, asList(parts)],
      (part) => parse(part, context.texts),
    ),
  body: (_, context) => body(context),
  answer,
});
