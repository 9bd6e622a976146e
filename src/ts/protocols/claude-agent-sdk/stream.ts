/** Reads the messages of a session of the Claude Agent SDK, and the requests of its `canUseTool`. */
import type { RawContentBlockDelta, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { blockReader, isUse, type Block } from '../anthropic/blocks.js';
import type { Reader, StreamContext } from '../shared/codec.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { asList, textIn, textOf } from '../shared/history.js';
import { approvalIdIn, reportDecision, withdrawRequest } from '../shared/other-decisions.js';
import { ReplyWriter } from '../shared/reply-writer.js';
import type { AnyOf, Merged, With } from '../shared/wire.js';

/** An event of the API as it arrives. Its type says which of the fields it needs. */
type ApiEvent = Pick<Merged<RawMessageStreamEvent>, 'type' | 'index'> & {
  readonly [NAME in 'message' | 'content_block' | 'delta']: Block & Merged<RawContentBlockDelta>;
};
/** What `canUseTool` was called with. */
type Texts = 'subtype' | 'tool_name' | 'agent_id' | 'title' | 'decision_reason';
type Asked = Partial<Record<Texts, string>> & { readonly tool_use_id: string; readonly input?: unknown };
/** The message of the API in a message, if it has one. */
export type Said = { readonly id?: string; role?: 'user' | 'assistant'; content?: string | readonly Block[] };
/** A message as it arrives: the fields of `SDKMessage` and of the control messages in `sdk.d.ts` that are read. */
export type Item = With<
  AnyOf<
    | { type: string; subtype: string; request_id: string; parent_tool_use_id: string | null; tool_use_id: string }
    | { error: string; tool_result_meta: { id: string; permission_decision: { decision: string } }[]; agent_id: string }
    | { is_error: boolean; terminal_reason: string; result: string; errors: string[]; stop_reason: string | null }
    | { subagent_type: string }
  >,
  'type' | 'request_id' | 'tool_use_id'
> & { readonly message: Said; readonly event: ApiEvent; readonly request: Asked; readonly response: Answer };
type Answer = { readonly request_id: string; readonly response: { behavior: string; message?: string } };

/** The text that Claude Code writes for the model about the calls of an interrupted turn. */
const REJECTED = "The user doesn't want to proceed with this tool use.";

/** Whether a `tool_result` is Claude Code's own text about a call that did not run. */
export const isRejection = ({ is_error: failed, content }: Block): boolean =>
  failed === true && typeof content === 'string' && content.startsWith(REJECTED);

/** Reads one stream. */
export function createReader(stream: StreamContext): Reader<Item> {
  const { calls: shown } = stream;
  const writer = new ReplyWriter(stream);
  const blocks = blockReader(writer);
  /** Calls whose input was emitted, and those of them that belong to subagents. */
  const known = new Set<unknown>();
  const ofSubagents = new Set<string>();
  /** The names of subagents by id. */
  const agents = new Map<unknown, string>();
  /** Ids of messages that arrive as events: their `assistant` messages repeat what was read. */
  const streamed = new Set<unknown>();
  /** Blocks of calls that were already emitted with their request. */
  const skipped = new Set<unknown>();
  /** The calls of the requests. */
  const requests = new Map<string, string>();
  let message: string | undefined;

  const callOf = (id: unknown) => shown().findLast(({ toolCallId }) => toolCallId === id);
  const hasInput = (id: unknown): boolean =>
    known.has(id) || !/^(undefined|input-streaming)$/.test(`${callOf(id)?.state}`);
  /** Begins a message of the model, which is a step. */
  const begin = (id: string | undefined): void => {
    if (message !== undefined && message !== id) writer.endStep();
    message = id;
  };
  const readEvent = ({ type, index, message: head, content_block: block, delta }: ApiEvent): void => {
    if (type === 'message_start') {
      begin(head.id);
      streamed.add(head.id);
      skipped.clear();
    } else if (type === 'content_block_start') {
      if (isUse(block) && hasInput(block.id)) skipped.add(index);
      else blocks.start(index, block);
      if (isUse(block)) known.add(block.id);
    } else if (skipped.has(index)) return;
    else if (type === 'content_block_delta') blocks.grow(index, delta);
    else if (type === 'content_block_stop') blocks.stop(index);
  };
  const readAssistant = ({ message: { id, content }, error }: Item): void => {
    // The text of a failed request is also the error of the result.
    if (error || streamed.has(id)) return;
    begin(id);
    writer.each(content as readonly Block[], (block, place) => {
      if (isUse(block) && hasInput(block.id)) return;
      if (isUse(block)) known.add(block.id);
      blocks.start(place, block);
      blocks.stop(place);
    });
  };
  const requestApproval = (id: string, { input, ...request }: Asked): void => {
    const { tool_use_id: toolCallId, tool_name: name, agent_id: agent, title, decision_reason: why } = request;
    if (typeof id !== 'string') throw new TypeError('expected a request with an id');
    // The message with the call was lost or belongs to a subagent. A hook may have changed the input.
    if (agent && !writer.lane(toolCallId).isOpen && !hasInput(toolCallId)) ofSubagents.add(toolCallId);
    known.add(toolCallId);
    requests.set(id, toolCallId);
    const approvalId = approvalIdIn(stream.connection, id);
    const requestReason = [title, why].find((text) => typeof text === 'string' && text);
    const more = agent && { providerExecuted: true, dynamic: true };
    writer.ask(
      approvalId,
      { toolCallId, toolName: name, input, ...(more && { more }) },
      {
        ...(agent && { requestedBy: agents.get(agent) ?? agent }),
        ...(requestReason && { requestReason }),
        claudeAgentSdk: { ...request, ...(approvalId !== id && { request_id: id }) },
      },
    );
  };
  const readResults = ({ message: { content }, tool_result_meta: meta, parent_tool_use_id: parent }: Item): void => {
    writer.each(Array.isArray(content) ? content : [], (block) => {
      const { type, tool_use_id: id, content: given, is_error: failed } = block;
      if (type !== 'tool_result' || (parent && !ofSubagents.has(id))) return;
      const { permission_decision: made } = asList(meta).find((one) => one?.id === id) ?? {};
      const isRejected = made?.decision === 'reject' || isRejection(block);
      const isText = Array.isArray(given) && given.every((part) => part?.type === 'text');
      const value = isText ? textIn(given) : (given ?? '');
      const isDenied = reportDecision(writer, id, !isRejected, isRejection(block) ? undefined : value);
      if (!isDenied && !writer.confirmDecision(id)) writer.result(id, failed ? textOf(value) : value, failed === true);
    });
  };
  const end = ({ subtype, is_error: failed, terminal_reason: why, result, errors, stop_reason: stop }: Item): void => {
    if (/^aborted/.test(`${why}`)) {
      writer.endText();
      writer.emit({ type: 'abort' });
    } else if (subtype === 'error_max_turns') writer.endReply('step-limit');
    else if (failed) writer.failReply(result ?? asList(errors).join('\n'));
    else writer.endReply(finishReasonOf(stop));
    message = undefined;
  };
  const askedCall = (request: string) =>
    requests.get(request) ??
    shown().findLast(({ approval }) => approval?.id === approvalIdIn(stream.connection, request))?.toolCallId;
  const readDecision = ({ request_id: id, response }: Answer): boolean => {
    const call = askedCall(id);
    if (call === undefined || !/^(allow|deny)$/.test(response?.behavior)) return false;
    reportDecision(writer, call, response.behavior === 'allow', response.message);
    return true;
  };

  return (item) => {
    const { type, subtype, request, request_id: id } = item;
    if (type === 'control_request') {
      if (request.subtype !== 'can_use_tool') return false;
      requestApproval(id, request);
    } else if (type === 'control_response') return readDecision(item.response);
    else if (type === 'control_cancel_request')
      withdrawRequest(writer, askedCall(id) ?? '', approvalIdIn(stream.connection, id));
    else if (type === 'user') readResults(item);
    else if (item.parent_tool_use_id) {
      if (typeof item.subagent_type === 'string') agents.set(item.agent_id, item.subagent_type);
    } else if (type === 'stream_event') readEvent(item.event);
    else if (type === 'assistant') readAssistant(item);
    else if (type === 'result') end(item);
    else if (subtype === 'permission_denied') reportDecision(writer, item.tool_use_id, false, item.message);
    else return /^(system|tool_progress|keep_alive)$/.test(type);
    return true;
  };
}
