/**
 * Reads the streams of the Agent Client Protocol: the agent's JSON-RPC messages about one prompt.
 */
import type * as v1 from '@agentclientprotocol/sdk';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';
import { asUpdate, chunkOf, inputOf, isOver, kindOf, merge, metaOf, nameOf, partOf, resultOf } from './content.js';
import type { AcpCall, Content, Update } from './content.js';
import { asksForSecret } from '../../types/secret-field.js';
import type { Reader, StreamContext } from '../shared/codec.js';
import type { Fields } from '../shared/lane.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { textOf } from '../shared/history.js';
import { approvalIdIn, withdrawEarlier, withdrawRequest } from '../shared/other-decisions.js';
import { ReplyWriter, type AskedCall, type KnownCall } from '../shared/reply-writer.js';
import type { AnyOf, With } from '../shared/wire.js';

/** A message of the agent as it arrives. A response has no parameters. */
export type Message = With<AnyOf<{ id: v1.RequestId; method: string; error: v1.Error }>, 'id'> & {
  readonly params: Params;
  readonly result?: AnyOf<v1.PromptResponse | v2.PromptResponse>;
};
type Params = AnyOf<v1.RequestPermissionRequest | v2.RequestPermissionRequest | v1.CreateElicitationRequest> &
  AnyOf<v1.CancelRequestNotification> & { readonly update: Update };

/** A call that the gate shows, with what this protocol keeps in it: the id of its request, and a question's mode. */
type ShownCall = Pick<KnownCall, 'toolCallId' | 'toolName' | 'input' | 'outcome'> & {
  readonly title?: string;
} & {
  readonly [NAME in 'approval' | 'callProviderMetadata']?: { readonly acp?: AnyOf<{ id: v1.RequestId; mode: string }> };
};

/** The requests that the host answers itself. */
const OF_HOST = /^(fs|terminal)\//;

/** The error of a question that was closed without an answer of this page. The model does not read it. */
const CLOSED = 'The agent no longer waits for the answer.';

/** Reads one stream. */
export function createReader(stream: StreamContext): Reader<Message> {
  const { emit } = stream;
  const shown = stream.calls as () => readonly ShownCall[];
  const writer = new ReplyWriter(stream);
  /** The calls of this reply. */
  const calls = new Map<unknown, AcpCall>();
  /** The name, title and input of each call as they were last emitted. */
  const emitted = new Map<string, string>();
  /** Ids of messages that arrived in chunks. */
  const chunkedIds = new Set<unknown>();
  /** The call of each request. */
  const asked = new Map<unknown, string>();
  /** What a request changes about its call. */
  let changed: AskedCall = {};
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
  const addContent = (kind: string, messageId: unknown, content: Content): void => {
    const id: string = typeof messageId === 'string' ? messageId : kind;
    const part = partOf(content);
    chunkedIds.add(id);
    switchTo(kind + id);
    if (part.type === 'text') writer.textDelta(id, part['text'], kind);
    else writer.content(chunkOf(part));
  };
  const approvalIdOf = (request: unknown, call: string): string =>
    approvalIdIn(stream.connection, `${request}:${call}`);
  const shownCall = (id: string) => shown().findLast(({ toolCallId }) => toolCallId === id);
  const isEarlier = (id: string): boolean =>
    stream.messages().some(({ parts }) => parts.some((part) => (part as Partial<ShownCall>).toolCallId === id));
  const updateCall = (fields: AcpCall, isAsked = false, more?: Fields): void => {
    const { toolCallId: id } = fields;
    if (typeof id !== 'string') throw new TypeError('expected an update of a call with its id');
    const begins = fields.status === 'pending' || fields.status === 'in_progress';
    // A call that is over ignores further updates. If its id begins again, the update belongs to a new call.
    if (isOver(calls.get(id)) && !begins) return;
    if (isOver(calls.get(id))) calls.delete(id);
    const was = calls.get(id);
    const known = was ? undefined : shownCall(id);
    // After a reconnect, the reader knows a call only from the messages that are shown.
    const call = merge(was ?? (known && { name: known.toolName, rawInput: known.input, title: known.title }), fields);
    if (known?.outcome && (!begins || contentKey(call) === shownContentKey(known))) return;
    const { name, title, kind } = fields;
    const isNamed = isAsked || [name, title, kind, fields.rawInput].some((field) => field !== undefined);
    if (!was && !known && !isNamed) {
      // The turn does not have the call, and the update has no field of a new one: it is a call of an earlier turn.
      if (isOver(call)) writer.result(id, ...resultOf(call));
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
    const isNew = !emitted.has(id);
    const isPending = status === 'pending';
    // What an agent shows of a call without an input is its input, until the call runs.
    const shows = isAsked || fields.rawInput !== undefined || isPending;
    if (isNew && isPending && rawInput === undefined && !isAsked) {
      if (!was) writer.content({ type: 'tool-input-start', toolCallId: id, toolName: nameOf(call), ...head });
    } else if (isNew || (shows && emitted.get(id) !== contentKey(call))) {
      emitted.set(id, contentKey(call));
      const now = { toolName: nameOf(call), input: inputOf(call), more: head };
      if (isNew) writer.call(id, now.toolName, now.input, head);
      else if (isAsked) changed = now;
      else writer.update(id, now);
    }
    if (!isOver(call)) return;
    running--;
    const contentMetadata = rawOutput != null && content ? { providerMetadata: { acp: { content } } } : undefined;
    // The agent reports denied and cancelled calls as failed.
    if (status === 'completed' || !writer.confirmDecision(id)) writer.result(id, ...resultOf(call), contentMetadata);
  };
  const requestApproval = (id: Message['id'], { toolCall, subject, options, ...params }: Params): void => {
    if (!Array.isArray(options)) throw new TypeError('expected a permission request with options');
    const about = toolCall ?? subject?.toolCall;
    const toolCallId = (about ?? subject)?.toolCallId ?? `permission-${id}`;
    changed = {};
    const usable = options.filter((option) => typeof option?.optionId === 'string' && typeof option.kind === 'string');
    const acp = { id, options: usable, toolCall, subject, ...params };
    // A message of the user has closed the call with its turn, which goes on in the agent: the gate refuses the call.
    if (!calls.has(toolCallId) && !shownCall(toolCallId) && isEarlier(toolCallId))
      return emit({ type: 'tool-approval-request', approvalId: approvalIdOf(id, toolCallId), toolCallId, acp });
    if (typeof about?.toolCallId === 'string' || calls.has(toolCallId)) {
      // opencode's requests repeat a call as it was first announced, when its input was not known.
      const { rawInput, ...rest } = about ?? {};
      const isStale = textOf(rawInput) === '{}' && (calls.get(toolCallId)?.rawInput ?? shownCall(toolCallId)?.input);
      updateCall({ ...rest, ...(!isStale && { rawInput }), toolCallId }, true);
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
    withdrawEarlier(writer, shown(), toolCallId, ({ approval }) => approval?.acp?.id === id);
    const { name, kind = 'other' } = calls.get(toolCallId) ?? {};
    const isKind = !about || name === undefined || name === kind;
    asked.set(id, toolCallId);
    writer.ask(approvalIdOf(id, toolCallId), { toolCallId, ...changed }, { ...(isKind && { isKind }), acp });
  };
  /** Asks a question of the agent, or of an MCP server of the agent. Returns whether the form can ask it. */
  const ask = (id: Message['id'], { mode, message, requestedSchema }: Params): boolean => {
    if (mode !== 'form' || asksForSecret(requestedSchema)) return false;
    switchTo('');
    isStep = true;
    return writer.question(`elicitation-${id}`, { message, requestedSchema }, undefined, { acp: { id, mode } });
  };
  /** Closes the requests that the agent no longer waits for: all open questions, or the request with this id. */
  const closeRequests = (request?: v1.RequestId): void => {
    for (const { toolCallId, outcome, approval, callProviderMetadata } of shown()) {
      const { id, mode } = callProviderMetadata?.acp ?? {};
      if (mode && !outcome && (request ?? id) === id) writer.result(toolCallId, CLOSED, true);
      else if (request !== undefined && approval?.acp?.id === request) asked.set(request, toolCallId);
    }
    const call = asked.get(request);
    if (call !== undefined) withdrawRequest(writer, call, approvalIdOf(request, call));
  };
  const endReply = (reason: string, error?: Update['error']): void => {
    closeRequests();
    writer.endText();
    if (reason === 'cancelled') emit({ type: 'abort' });
    else if (reason === 'error') writer.failReply(error?.message);
    else if (reason === 'max_turn_requests') writer.endStep();
    else writer.endReply(finishReasonOf(reason));
    calls.clear();
    chunkedIds.clear();
    [open, running, isStep] = ['', 0, false];
  };
  const readUpdate = ({ sessionUpdate, ...rest }: Update): boolean => {
    const [kind, isChunk] = kindOf(sessionUpdate) ?? [];
    if (kind === 'user') return true;
    if (kind && isChunk) addContent(kind, rest.messageId, rest.content as Content);
    else if (kind) {
      if (!chunkedIds.has(rest.messageId))
        writer.each(rest.content as readonly Content[], (content) => addContent(kind, rest.messageId, content));
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
    if (method === 'session/request_permission') requestApproval(id, params);
    else if (method === '$/cancel_request') closeRequests(params.requestId);
    else if (method !== undefined && id !== undefined && !OF_HOST.test(method)) {
      if (method === 'elicitation/create' && ask(id, params)) return true;
      stream.unanswerable(method);
      return false;
    } else if (method === undefined && error) endReply('error', error);
    else if (result?.stopReason) endReply(result.stopReason);
    else if (result?.messageId) writer.startReply();
    else return false;
    return true;
  };
}

/** The name, title and input of a call. A call is emitted again if they change. */
const contentKey = (call: AcpCall): string => textOf([nameOf(call), call.title, inputOf(call)]);

const shownContentKey = ({ toolName, title, input }: ShownCall): string => textOf([toolName, title, input]);
