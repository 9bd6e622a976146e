/**
 * `claude-managed-agents`: a session of Claude's Managed Agents. Source: `resources/beta/sessions/events.d.ts` of
 * `@anthropic-ai/sdk` 1.14. Every body is an argument for `sessions.events.send`.
 *
 * A history is the list of the session's events. To request approvals, the session stops and lists the event ids of the
 * calls that need a confirmation. After each answer it lists the remaining ones again. An answer does not name a
 * thread: the session finds it. Calls of custom tools wait for their result: list these tools in `browserTools`.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type { Calls } from './shared/calls.js';
import { lossyCapabilities, type ItemDecision, type Reader, type StreamContext } from './shared/codec.js';
import type { Call, CallResult, Context, Entry, FileReference, Part, RequestContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, fileOf, objectInput, setDenial, conversationOf, textIn, textOf } from './shared/history.js';
import { requestFor } from './shared/page-approvals.js';
import { readHistory, writeEntries, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { AnyOf, With } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { Typed } from '../types/backends.js';

const CUSTOM = 'agent.custom_tool_use';

type Events = Anthropic.Beta.Sessions.BetaManagedAgentsStreamSessionEvents;
/** A block of the content of an event. Only results have those of a search. */
type BlockOf<EVENT> = EVENT extends { content?: readonly (infer BLOCK)[] | null } ? BLOCK : never;
type Block = Exclude<BlockOf<Events>, { type: 'search_result' }>;
/** An event of a session, or a block of its content, as it is written. */
type Written = With<AnyOf<Events | Block>, 'type'>;
/** The same as it arrives. The type says which of the fields it needs. */
type Event = With<Written, 'id' | 'event_id' | 'delta' | 'name' | 'error' | 'mcp_tool_use_id' | 'custom_tool_use_id'>;

function createReader(stream: StreamContext): Reader<Event> {
  const writer = new ReplyWriter(stream);
  /** Calls for which the session may request an approval. */
  const mayAsk = new Set<string>();
  const denied = new Set<string>();
  let isOpen = false;
  /** Whether the agent reached its tool use limit: the session reports that before it becomes idle. */
  let isLimited = false;
  const idle = (stop: Event['stop_reason']): void => {
    if (stop?.type === 'requires_action') {
      writer.each(
        stop.event_ids,
        (call) =>
          mayAsk.has(call) && writer.emit({ type: 'tool-approval-request', approvalId: call, toolCallId: call }),
      );
      return;
    }
    if (isOpen) writer.endReply(isLimited ? 'step-limit' : finishReasonOf(stop?.type));
    isOpen = isLimited = false;
  };
  const fail = ({ type, message, retry_status: status }: Event['error']): void => {
    if (type === 'tool_use_limit_reached_error') isLimited = true;
    else if (status?.type !== 'retrying') writer.failReply(message);
  };
  return (event) => {
    const { type, id, content, tool_use_id: use = event.mcp_tool_use_id, stop_reason: stop } = event;
    isOpen ||= /^agent\./.test(type);
    if (type === 'agent.message') {
      if (!writer.isOpen(id)) writer.each(content, ({ text }) => writer.textDelta(id, text));
      writer.endText(id);
    } else if (type === 'event_delta') writer.textDelta(event.event_id, event.delta.content?.text);
    else if (/^agent\..*tool_use$/.test(type)) {
      const { providerOptions: providerMetadata, ...more } = callFields(event);
      writer.call(id, event.name, event.input, { ...more, providerMetadata });
      if (type !== CUSTOM && !/^(allow|deny)$/.test(`${event.evaluated_permission}`)) mayAsk.add(id);
    } else if (/^agent\..*tool_result$/.test(type)) {
      if (!denied.has(use) && !writer.confirmDecision(use))
        writer.result(use, event.is_error ? textOf(valueOf(content)) : valueOf(content), event.is_error === true);
    } else if (type === 'user.tool_confirmation') {
      const approved = isAllowed(event);
      writer.emit({
        type: 'tool-approval-response',
        approvalId: use,
        approved,
        ...(event.deny_message && { reason: event.deny_message }),
      });
      if (!approved) {
        denied.add(use);
        writer.emit({ type: 'tool-output-denied', toolCallId: use });
      }
    } else if (type === 'span.model_request_start') writer.endStep();
    else if (type === 'session.status_idle') idle(stop);
    else if (type === 'session.error') fail(event.error);
    else if (/^session\.(status_terminated|deleted)$/.test(type)) writer.failReply(`The session has ended: ${type}`);
    else return /^((agent|session|span|system|user)\.|event_start$)/.test(type);
    return true;
  };
}

/** Returns the decision of a confirmation. Throws if it is neither allow nor deny. */
function isAllowed({ result }: Event): boolean {
  if (result !== 'allow' && result !== 'deny') throw new TypeError('a confirmation must be allow or deny');
  return result === 'allow';
}

/** Returns the content of a result: a string if all blocks are text. */
function valueOf(given: Event['content']): unknown {
  const content = asList(given);
  return content.every((part) => part?.type === 'text') ? textIn(content) : content;
}

const blocksOf = (text: string): { type: 'text'; text: string }[] => (text ? [{ type: 'text', text }] : []);

/** Returns the additional fields of a call. The session runs all tools except those of the app. */
const callFields = ({
  type,
  mcp_server_name: serverName,
}: Event): Pick<Call, 'providerExecuted' | 'providerOptions'> => ({
  ...(type !== CUSTOM && { providerExecuted: true, dynamic: true }),
  providerOptions: { managedAgents: { type, ...(serverName && { serverName }) } },
});

/** What this protocol keeps in a call: the type of its event, and the name of its MCP server. */
type Kept = { readonly managedAgents?: { readonly type?: string; readonly serverName?: string } } | undefined;

const EVENTS: HistoryFormat<Written, Written> = {
  message: (role, parts) => (role === 'user' ? { type: 'user.message', content: parts as Written['content'] } : parts),
  call: (call, result, id, { context }) => writeCall(call, result, id, context),
  part: writePart,
  open: () => true,
};

function writeCall(call: Call, result: CallResult | undefined, id: string, context: Context): [Written[], Written[]] {
  const { type: given = '', serverName } = (call.providerOptions as Kept)?.managedAgents ?? {};
  const type: keyof typeof RESULTS = Object.hasOwn(RESULTS, given) ? (given as typeof CUSTOM) : 'agent.tool_use';
  const { request, response } = call;
  const use: Written = {
    type,
    id,
    name: call.toolName,
    input: objectInput(call, context),
    ...(serverName && { mcp_server_name: serverName }),
  };
  const answers: Written[] = [];
  if (response) {
    const { approved, reason = result?.kind === 'denied' ? undefined : result?.text } = response;
    answers.push(confirmation(id, approved, reason));
  }
  const isDenial = call.result?.output.type === 'execution-denied';
  if (result && !isDenial) {
    const [kind, key] = RESULTS[type];
    answers.push({
      type: kind,
      [key]: id,
      content: blocksOf(result.text),
      ...((result.failed || result.kind !== 'executed') && { is_error: true }),
    });
  }
  return [[{ ...use, ...(request && { evaluated_permission: 'ask' }) }], answers];
}

/** For each kind of call, the type of its result and the field that contains the call's id. */
const RESULTS = {
  'agent.tool_use': ['agent.tool_result', 'tool_use_id'],
  'agent.mcp_tool_use': ['agent.mcp_tool_result', 'mcp_tool_use_id'],
  [CUSTOM]: ['user.custom_tool_result', 'custom_tool_use_id'],
} as const;

const confirmation = (id: string, approved: boolean, reason: string | undefined): Written => ({
  type: 'user.tool_confirmation',
  tool_use_id: id,
  result: approved ? 'allow' : 'deny',
  ...(!approved && reason && { deny_message: reason }),
});

function writePart(part: Part, role: Entry['role']): Written | undefined {
  const { type, text, data } = part;
  if (type === 'text' && role === 'user') return text ? { type, text } : undefined;
  if (type === 'text')
    return text ? { type: `${role === 'system' ? role : 'agent'}.message`, content: blocksOf(text) } : undefined;
  if (type !== 'file' || role !== 'user') return undefined;
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = (data as FileReference | undefined)?.reference?.['anthropic'];
  const as = /^image/.test(mediaType) ? 'image' : 'document';
  if (uploaded) return { type: as, source: { type: 'file', file_id: uploaded } };
  // Uploaded to another provider.
  if (!url) return undefined;
  const source: Written['source'] =
    base64 === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data: base64 };
  return { type: as, source };
}

function parse(part: Event, calls: Calls, texts: Context['texts']): Parsed | undefined | null {
  const { type, id, content, source } = part;
  if (type === 'text') return part as Parsed;
  if (source) {
    const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
    const uploaded = source.file_id && { type: 'reference', reference: { anthropic: source.file_id } };
    return { type: 'file', mediaType, data: uploaded ?? source.url ?? `data:${mediaType};base64,${source.data}` };
  }
  if (/tool_use$/.test(type)) {
    const call: Call = {
      type: 'tool-call',
      toolCallId: id,
      toolName: part.name,
      input: part.input,
      ...callFields(part),
    };
    if (part.evaluated_permission === 'ask') call.request = { type: '', approvalId: id };
    return call;
  }
  const use = part.tool_use_id ?? part.mcp_tool_use_id ?? part.custom_tool_use_id;
  if (/tool_result$/.test(type)) {
    // The session's result of a denied call adds nothing.
    if (calls.get(use)?.response?.['approved'] === false) return undefined;
    return { answers: use, value: valueOf(content), failed: part.is_error === true };
  }
  if (type !== 'user.tool_confirmation') throw new TypeError('unknown content');
  const call = calls.firstWithout('response', ({ toolCallId }) => toolCallId === use);
  if (!call) return null;
  if (isAllowed(part)) call.response = { type: '', approved: true };
  else setDenial(call, part.deny_message ?? undefined, texts);
  call.request ??= requestFor(call);
  return undefined;
}

function partsOf(event: Event): [Entry['role'], readonly Event[]] {
  const { type, content } = event;
  if (typeof type !== 'string') throw new TypeError('expected an event with a type');
  const [, who, what] = /^(agent|user|system)\.(.*)$/.exec(type) ?? [];
  const role = who === 'agent' ? 'assistant' : (who as Entry['role']);
  if (what === 'message') return [role, asList(content as readonly Event[])];
  // Answers belong to the step before them, regardless of the sender.
  return ['assistant', /^tool_confirmation|tool_(use|result)$/.test(what ?? '') ? [event] : []];
}

function answer({ approvalId, toolCallId, outcome, reason, output, metadata }: ItemDecision<unknown, Kept>) {
  if (outcome === 'cancelled') return { events: [{ type: 'user.interrupt' }] };
  if (outcome !== 'executed' && outcome !== 'failed')
    return { events: [confirmation(approvalId, outcome === 'approved', reason)] };
  const failed = outcome === 'failed';
  const isCustom = metadata?.managedAgents?.type === CUSTOM;
  const head = isCustom
    ? { type: 'user.custom_tool_result', custom_tool_use_id: toolCallId }
    : { type: 'user.tool_result', tool_use_id: toolCallId };
  return {
    events: [
      { ...head, content: blocksOf(failed ? (reason ?? '') : textOf(output)), ...(failed && { is_error: true }) },
    ],
  };
}

/** Claude's Managed Agents. */
export const claudeManagedAgents: Protocol<{ readonly events: readonly Typed[] }, Typed, Typed> = makeProtocol({
  name: 'claude-managed-agents',
  capabilities: {
    ...lossyCapabilities('json input system reasoning custom file content'),
    kind: 'answering',
    cancel: true,
    history: 'server',
  },
  createReader,
  write: (entries, context) => writeHistory(conversationOf(entries, context), context, EVENTS),
  read: (history: readonly Event[], context) =>
    readHistory(history, context, partsOf, (part, calls) => parse(part, calls, context.texts), true),
  body: (_, context: RequestContext) => ({
    events: writeEntries(conversationOf(context.newMessages), context, EVENTS),
  }),
  answer,
});
