/**
 * `cloudflare`: a chat agent's WebSocket. Source: `wire-types.d.ts` and `ws-chat-transport.js` of `agents` 0.32 and the
 * server, `AIChatAgent` of `@cloudflare/ai-chat` 0.12.
 *
 * Frames carry the AI SDK's chunks, and requests carry its messages: by default the complete list, because the server
 * deletes known messages that are missing from it, and with `history: 'server'` only the new ones. A decision is one
 * frame with the call's id; it cannot carry a reason.
 *
 * The host must answer `cf_agent_stream_resuming` with `{ type: 'cf_agent_stream_resume_ack', id }`, otherwise no
 * continuation arrives; call `streamEnded` for a frame that is `done`, once per request; and call `load` with the
 * transcripts that the server sends.
 */
import { answerText } from './shared/result-texts.js';
import { lossyCapabilities, type Context, type ItemDecision } from './shared/codec.js';
import type { Reader, StreamContext, RequestContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList } from './shared/history.js';
import { modelMessagesOf } from './shared/model-messages.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Merged } from './shared/wire.js';
import type { OutgoingMessage } from 'agents/chat';
import type { UIMessage } from 'ai';
import type { Protocol } from '../types/index.js';
import type { AnyMessage, CloudflareBody, Typed } from '../types/backends.js';

/** A frame of the server, and a part of its message. Reading one without what it is about throws. */
type Frame = Merged<OutgoingMessage> & { id: string; body: string; message: { parts?: readonly UIPart[] } };
type UIPart = Merged<UIMessage['parts'][number]> & { approval: { id?: string; approved?: boolean } };

function createReader(stream: StreamContext): Reader<Frame> {
  const { emit, calls } = stream;
  const writer = new ReplyWriter(stream);
  /** The last chunk of each request, to skip chunks that a reconnection repeats. */
  const lastChunks = new Map<string, number>();
  /**
   * Compares a message of the server with the open approvals. A decision that only the server's message contains was
   * made in another tab.
   */
  const compare = ({ parts }: Frame['message']): void => {
    // Ids may repeat: the last call with an id in the message is the last one in this client.
    const last = new Map<unknown, number>();
    asList(parts).forEach((part, place) => last.set(part?.toolCallId, place));
    const open = new Map<unknown, boolean>(
      calls().map(({ toolCallId, state }) => [toolCallId, state === 'approval-requested']),
    );
    writer.each(parts, ({ state, toolCallId, approval }, place) => {
      if (!open.get(toolCallId) || last.get(toolCallId) !== place) return;
      if (state === 'output-denied') emit({ type: 'tool-output-denied', toolCallId });
      if (state === 'approval-responded')
        emit({ type: 'tool-approval-response', approvalId: approval.id, approved: approval.approved });
    });
  };
  return ({ type, id, body, error, replay, seq, message }) => {
    if (type === 'cf_agent_use_chat_response') {
      if (replay && (seq as number) <= (lastChunks.get(id) ?? -1)) return true;
      if (typeof seq === 'number') lastChunks.set(id, seq);
      if (error) writer.failReply(body || 'Stream error');
      else if (body.trim()) emit(JSON.parse(body));
    } else if (type === 'cf_agent_message_updated') compare(message);
    else return /^cf_agent_(stream_(resuming|resume_none|pending)|chat_recovering)$/.test(type);
    return true;
  };
}

function answer(
  { toolCallId, toolName, outcome, reason, output = null, approval }: ItemDecision,
  context: Context,
): CloudflareBody {
  if (outcome === 'executed') return { type: 'cf_agent_tool_result', toolCallId, toolName, output, autoContinue: true };
  // A call without an approval can only be answered with a result: an error whose text says why the call did not run.
  if (outcome === 'failed' || !approval) {
    const errorText = answerText(outcome, reason, context.texts);
    return {
      type: 'cf_agent_tool_result',
      toolCallId,
      toolName,
      output,
      state: 'output-error',
      errorText,
      autoContinue: true,
    };
  }
  const approved = outcome === 'approved';
  if (!approved && reason) context.reportLoss('reason', toolCallId);
  return { type: 'cf_agent_tool_approval', toolCallId, approved, autoContinue: true };
}

function body(context: RequestContext): CloudflareBody {
  const { history, item, request } = context;
  const { messages, trigger } = request;
  const newMessages = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const sent = JSON.stringify({ messages: history === 'server' ? newMessages : messages, trigger });
  return { type: 'cf_agent_use_chat_request', id: item.key, init: { method: 'POST', body: sent } };
}

/** Cloudflare's chat agents. */
export const cloudflare: Protocol<CloudflareBody, Typed, AnyMessage> = makeProtocol({
  name: 'cloudflare',
  capabilities: {
    ...lossyCapabilities('reason'),
    kind: 'answering',
    reason: false,
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  denialCloses: 'call',
  createReader,
  write: (entries) => entries.flatMap(modelMessagesOf),
  body: (_, context) => body(context),
  answer,
});
