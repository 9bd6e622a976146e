/** Reads the events of opencode's server about one session and those of its subagents. */
import type { Reader, StreamContext } from '../shared/codec.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { textOf } from '../shared/history.js';
import { ReplyWriter, STAND_IN, type AskedCall } from '../shared/reply-writer.js';
import { questionOf, requestOf, type Asked, type Content, type MessagePart } from './requests.js';

/** An event as it arrives: the server of `opencode-ai` 1.18 sends the content of some as `data`. */
export interface Message {
  readonly type: string;
  readonly properties: Content;
  readonly data?: Content;
}

/** The error of a question that was closed without an answer of this page. The model does not read it. */
const CLOSED = 'The question was answered elsewhere or withdrawn.';

/** Reads the events of one reply. */
export function createReader(stream: StreamContext): Reader<Message> {
  const { calls: shown, chatId } = stream;
  const writer = new ReplyWriter(stream);
  /** Ids of user messages: their texts do not belong to the reply. */
  const others = new Set<unknown>();
  /** The titles of subagents' sessions. */
  const subagents = new Map<unknown, string>();
  /** The kind of each text, and the length of its emitted part. */
  const texts = new Map<string, [kind: string, length: number]>();
  /** Calls by part id: call ids may repeat in another message. */
  const calls = new Map<string, { readonly id: string; readonly message: string; isOver?: boolean | undefined }>();
  /** The call of each approval request, and the requests that wait for their call's input. */
  const requests = new Map<string, string>();
  const waiting: Asked[] = [];
  let isOpen = false;
  let reason: string | undefined;

  const addText = (id: string, text: string): void => {
    const known = texts.get(id);
    if (!known) return;
    known[1] += text.length;
    writer.textDelta(id, text, known[0]);
  };
  /** Whether an event belongs to a subagent's session: its texts and calls do not belong to this chat. */
  const isOther = (sessionID: unknown): boolean =>
    typeof sessionID === 'string' && (subagents.has(sessionID) || (chatId !== undefined && sessionID !== chatId));
  const requestApproval = ({ id: approvalId, ...opencode }: Asked, asked: AskedCall): void => {
    const { sessionID } = opencode;
    const requestedBy = isOther(sessionID) && { requestedBy: subagents.get(sessionID) || sessionID };
    requests.set(approvalId, writer.ask(approvalId, asked, { ...requestedBy, opencode }));
  };
  const tool = ({ id: place, messageID: message, callID: id, tool: name, state }: MessagePart): void => {
    const { status, input, output, error } = state;
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
        ({ tool: about }) => about?.callID === id && (about.messageID === undefined || about.messageID === message),
      );
      if (at >= 0) for (const it of waiting.splice(at, 1)) requestApproval(it, { toolCallId: id });
      return;
    }
    call.isOver = true;
    writer.result(id, status === 'error' ? error : output, status === 'error');
  };
  const part = (it: MessagePart): void => {
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
  const readRequest = (it: Asked): void => {
    const { id, permission, patterns, metadata, tool: called, sessionID } = it;
    if (!called || isOther(sessionID)) {
      // The request does not belong to a call, or belongs to a subagent's: it is shown as a call of its own.
      const input = { patterns, ...metadata };
      return requestApproval(it, {
        toolCallId: id,
        toolName: String(permission ?? 'permission'),
        input,
        more: STAND_IN,
      });
    }
    const isAbout = (call: { id: string; message: string }): boolean =>
      call.id === called.callID && (called.messageID === undefined || call.message === called.messageID);
    // A page that opens a waiting session knows its calls only from the loaded messages.
    const isLoaded = !isOpen && shown().some((one) => one['toolCallId'] === called.callID && !one['outcome']);
    const isOpenCall = [...calls.values()].some((call) => !call.isOver && isAbout(call));
    if (isOpenCall || isLoaded) requestApproval(it, { toolCallId: called.callID });
    else waiting.push(it);
  };
  const readQuestion = ({ id, questions, sessionID }: Content, isV2: boolean): void => {
    const opencode = { requestID: id, sessionID, isV2, questions: questions.length };
    if (!writer.question(id, { questions: questions.map(questionOf) }, 'question', { opencode }))
      stream.unanswerable(`question ${id}`);
  };
  /** Closes a question that was answered, by this page or another client. */
  const closeQuestion = ({ requestID }: Content): void => {
    if (shown().some(({ toolCallId, outcome }) => toolCallId === requestID && !outcome))
      writer.result(requestID, CLOSED, true);
  };
  const readReply = ({ requestID, reply }: Content): void => {
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

  return ({ type, properties, data: it = properties }) => {
    const [, what, version, event] = /^(permission|question)\.(v2\.)?(\w+)$/.exec(type) ?? [];
    if (/^session\.(created|updated)$/.test(type)) {
      const { id, parentID, title } = it.info;
      if (parentID) subagents.set(id, typeof title === 'string' ? title : '');
    } else if (what === 'question' && event === 'asked') readQuestion(it, version !== undefined);
    else if (what === 'question') closeQuestion(it);
    else if (what && event === 'asked') readRequest(version ? requestOf(it) : it);
    else if (what && event === 'replied') readReply(it);
    else if (!it || isOther(it.sessionID ?? it.part?.sessionID)) return /^(message|session)\./.test(type);
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
