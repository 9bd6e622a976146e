/**
 * `cloudflare`: a chat agent's WebSocket. Source: `wire-types.d.ts` and `ws-chat-transport.js` of `agents` 0.32 and the server,
 * `AIChatAgent` of `@cloudflare/ai-chat` 0.12.
 *
 * Frames carry the AI SDK's chunks, and requests its messages: always the whole list, because the server deletes what a
 * list of messages that it knows leaves out. A decision is one frame, by the call's id; there is no place in it for a reason.
 * Left to the host: to answer `cf_agent_stream_resuming` with `{ type: 'cf_agent_stream_resume_ack', id }`, or no continuation
 * comes; `streamEnded` at a frame that is `done`, once for each request; and `load` for the transcripts that the server sends.
 */
import { wordsOnly, type Codec, type Context, type Data, type Decision, type Reader, type RequestContext } from './codec.js';
import { fold, unfold } from './history.js';

function reader(emit: (chunk: Data) => void, _: unknown, calls: () => readonly Data[]): Reader {
  /** The last chunk of each request: what a reconnection tells again is known. */
  const heard = new Map<string, number>();
  return ({ type, id, body, error, replay, seq, message }) => {
    if (type === 'cf_agent_use_chat_response') {
      if (replay && seq <= (heard.get(id) ?? -1)) return true;
      if (seq !== undefined) heard.set(id, seq);
      if (error) emit({ type: 'error', errorText: body || 'Stream error' });
      else if (body.trim()) emit(JSON.parse(body));
    } else if (type === 'cf_agent_message_updated') {
      // What was decided here comes back too; of the rest, another tab has decided.
      const open = new Set(calls().map((call) => call.state === 'approval-requested' && call.toolCallId));
      for (const { state, toolCallId, approval } of message.parts) {
        if (!open.has(toolCallId)) continue;
        if (state === 'output-denied') emit({ type: 'tool-output-denied', toolCallId });
        if (state === 'approval-responded') emit({ type: 'tool-approval-response', approvalId: approval.id, approved: approval.approved });
      }
    } else return /^cf_agent_(stream_(resuming|resume_none|pending)|chat_recovering)$/.test(type);
    return true;
  };
}

function answer({ toolCallId, toolName, outcome, reason, output = null }: Decision, context: Context): unknown {
  const approved = outcome === 'approved';
  if (outcome === 'executed') return { type: 'cf_agent_tool_result', toolCallId, toolName, output, autoContinue: true };
  if (outcome === 'failed') return { type: 'cf_agent_tool_result', toolCallId, toolName, output, state: 'output-error', errorText: reason, autoContinue: true };
  if (!approved && reason) context.lose('reason', toolCallId);
  return { type: 'cf_agent_tool_approval', toolCallId, approved, autoContinue: true };
}

function body(context: RequestContext): unknown {
  const { history, item, request } = context;
  const { messages, trigger } = request;
  const news = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const sent = JSON.stringify({ messages: history === 'server' ? news : messages, trigger });
  return { type: 'cf_agent_use_chat_request', id: item.key, init: { method: 'POST', body: sent } };
}

/** Cloudflare's chat agents. */
export const codec: Codec = {
  capabilities: { ...wordsOnly('reason'), kind: 'answering', reason: false },
  answersFirst: true,
  reader,
  write: (entries) => unfold(entries),
  read: (history) => fold(history),
  body: (_, context) => body(context),
  answer,
};
