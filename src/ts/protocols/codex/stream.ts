/** Reads the messages of Codex's app server about one thread. */
import { callOf, resultOf, type CodexKept, type Item, type RequestId } from './items.js';
import { SentMessages } from './messages.js';
import type { Message, Params, Turn } from './frames.js';
import { questionOf } from './questions.js';
import type { Reader, StreamContext } from '../shared/codec.js';
import { asList, textOf } from '../shared/history.js';
import { approvalIdIn, reportDecision, withdrawEarlier, withdrawRequest } from '../shared/other-decisions.js';
import type { Fields } from '../shared/lane.js';
import { ReplyWriter, type KnownCall } from '../shared/reply-writer.js';

/** A call that the gate shows, with what this protocol keeps in it. */
type ShownCall = Pick<KnownCall, 'toolCallId' | 'outcome'> & { readonly input?: Fields } & {
  readonly [NAME in 'approval' | 'callProviderMetadata']?: CodexKept;
};

/** The app server's requests for an approval. */
const REQUEST = /^item\/(commandExecution|fileChange|permissions)\/requestApproval$/;

/** The error of a question that was closed without an answer of this page. The model does not read it. */
const CLOSED = 'The question was answered elsewhere or withdrawn.';

/** Reads one stream. */
export function createReader(stream: StreamContext): Reader<Message> {
  const { emit, unread, runsInPage } = stream;
  const shown = stream.calls as () => readonly ShownCall[];
  const writer = new ReplyWriter(stream);
  /** Calls whose input was emitted, and those of them that are not over. */
  const known = new Set<string>();
  const running = new Set<string>();
  /** Calls whose request was answered. */
  const resolved = new Set<string>();
  /** The call of each request. */
  const requests = new Map<string, string>();
  /** Texts that arrived in pieces. */
  const streamed = new Set<string>();
  const sent = new SentMessages(unread);
  let hasCalls = false;

  const shownCall = (id: string) => shown().findLast(({ toolCallId }) => toolCallId === id);
  /** Content after the calls of a step belongs to the next step. */
  const beginContent = (): void => {
    if (!hasCalls || running.size) return;
    hasCalls = false;
    writer.endStep();
  };
  const addText = (id: string, text: string | undefined, kind = 'text'): void => {
    beginContent();
    streamed.add(id);
    writer.textDelta(id, text, kind);
  };
  const addCall = (id: string, name: string | undefined, input: unknown, more?: Fields): void => {
    running.add(id);
    if (known.has(id) || shownCall(id)) return;
    known.add(id);
    hasCalls = true;
    writer.call(id, name, input, more);
  };
  const start = (item: Item): void => {
    if (item.type === 'userMessage') return sent.read(item);
    const call = callOf(item);
    // The call of a tool of the page is shown when the app server requests its result.
    if (!call || item.type === 'dynamicToolCall') return;
    const more = call.server ? { providerMetadata: { codex: { server: call.server } } } : undefined;
    addCall(item.id, call.name, call.input, more);
  };
  const complete = (item: Item): void => {
    const { id, type, text, summary, content, status } = item;
    if (type === 'agentMessage' || type === 'reasoning') {
      const whole = type === 'reasoning' ? [...asList(summary), ...asList(content)].join('\n\n') : text;
      if (!streamed.has(id) && whole) addText(id, whole, type === 'reasoning' ? type : 'text');
      return writer.endText(id);
    }
    const result = callOf(item) && resultOf(item);
    if (!result) return;
    if (type === 'dynamicToolCall') addCall(id, item.tool, item.arguments);
    else start(item);
    running.delete(id);
    const isDenied = reportDecision(writer, id, status !== 'declined');
    if (!isDenied && !writer.confirmDecision(id)) writer.result(id, ...result);
  };
  const requestApproval = (id: Message['id'], kind: string, { itemId, approvalId: part, ...params }: Params): void => {
    if (typeof itemId !== 'string') throw new TypeError('expected a request about an item');
    const { command, cwd, networkApprovalContext: network, permissions, reason } = params;
    // These requests are about something else than the item's input: they are calls of their own, without a result.
    const isOther = part != null || network != null || kind === 'permissions';
    const toolCallId = isOther ? `${itemId}:${part ?? id}` : itemId;
    const input = { command, ...(cwd != null && { cwd }) };
    const was = isOther || kind !== 'commandExecution' || command == null ? undefined : shownCall(itemId)?.input;
    if (isOther) {
      const [name, about] = network ? ['network', network] : permissions ? [kind, permissions] : [kind, { command }];
      addCall(toolCallId, name, { ...about, ...(cwd != null && { cwd }) }, { providerExecuted: true, dynamic: true });
      running.delete(toolCallId);
    } else if (kind === 'commandExecution') addCall(itemId, kind, input);
    // The request does not contain the changes, only the item does. Without it, the card could not show them.
    else if (!known.has(itemId) && !shownCall(itemId))
      throw new TypeError('expected the item of the request before it');
    withdrawEarlier(writer, shown(), toolCallId, ({ approval }) => approval?.codex?.id === id);
    requests.set(String(id), toolCallId);
    writer.ask(
      approvalIdIn(stream.connection, `${id}:${toolCallId}`),
      { toolCallId, ...(was && { input: { ...was, ...input } }) },
      { ...(typeof reason === 'string' && reason && { requestReason: reason }), codex: { id, kind, ...params } },
    );
  };
  const ask = (message: Message): boolean => {
    const asked = questionOf(message, runsInPage);
    if (!asked) return false;
    const { name, call, input, title } = asked;
    const about = { providerMetadata: { codex: { id: message.id, isQuestion: true } } };
    addCall(call, name, input, title === undefined ? about : { title, ...about });
    return true;
  };
  /** Closes the questions that still wait, or the one of a request. They have no item that could report a result. */
  const closeQuestions = (request?: RequestId): void => {
    for (const { toolCallId, outcome, callProviderMetadata } of shown()) {
      const { id, isQuestion } = callProviderMetadata?.codex ?? {};
      if (!isQuestion || (request !== undefined && id !== request)) continue;
      running.delete(toolCallId);
      if (!outcome) writer.result(toolCallId, CLOSED, true);
    }
  };
  const end = (turn: Turn): void => {
    const { status, error } = turn;
    closeQuestions();
    // What still waits for an approval never runs.
    for (const id of requests.values()) reportDecision(writer, id, false);
    writer.endText();
    if (status === 'interrupted') emit({ type: 'abort' });
    else if (status === 'failed') writer.failReply(error?.message);
    else writer.endReply('stop');
    for (const set of [known, running, resolved, streamed]) set.clear();
    requests.clear();
    hasCalls = false;
    sent.end(turn);
  };
  const resolve = (id: RequestId): void => {
    const call = requests.get(String(id)) ?? shown().findLast(({ approval }) => approval?.codex?.id === id)?.toolCallId;
    if (call !== undefined) {
      resolved.add(call);
      // The item says later whether the call ran.
      requests.delete(String(id));
      withdrawRequest(writer, call, approvalIdIn(stream.connection, `${id}:${call}`));
    }
    closeQuestions(id);
  };

  /** Reads the response to a request of the page. */
  const readResponse = ({ id, result, error }: Message): boolean => {
    if (error && !sent.isInTurn) writer.failReply(error.message);
    // The request would have added a message to the turn, which continues.
    else if (error) sent.add(id);
    else if (result?.turn) sent.add(id, result.turn.id);
    return !(error && sent.isInTurn) && (error ?? result) !== undefined;
  };

  return (message) => {
    const { method, id, params } = message;
    const [, kind] = REQUEST.exec(textOf(method)) ?? [];
    if (method !== 'turn/completed') sent.enter(params?.turnId ?? params?.turn?.id);
    if (kind) requestApproval(id, kind, params);
    else if (method === 'item/tool/call')
      addCall(params.callId, params.tool, params.arguments, { providerMetadata: { codex: { id } } });
    else if (id !== undefined && method !== undefined) return ask(message);
    else if (method === undefined) return readResponse(message);
    else if (method === 'item/started') start(params.item);
    else if (method === 'item/completed') complete(params.item);
    else if (method === 'item/agentMessage/delta') addText(params.itemId, params.delta);
    else if (/^item\/reasoning\/(summaryT|t)extDelta$/.test(method)) addText(params.itemId, params.delta, 'reasoning');
    else if (method === 'turn/plan/updated') writer.emit({ type: 'data-plan', id: 'plan', data: params });
    else if (method === 'turn/completed') end(params.turn);
    else if (method === 'serverRequest/resolved') resolve(params.requestId);
    else if (/outputDelta$/.test(method) && resolved.has(params.itemId)) reportDecision(writer, params.itemId, true);
    else return /^(item|turn|thread|account|mcpServer|warning|error|model)\b/.test(method);
    return true;
  };
}
