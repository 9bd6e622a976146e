/**
 * `ai-sdk-ws`: the AI SDK's chunks as frames of a WebSocket, and an answer of its own for each decision. Source: the
 * founding document `seeds/2`, and its frontend's `WebSocketChatTransport`.
 *
 * In: each frame is a chunk, as JSON; text frames and the lines of an event stream (`data: {…}`, `[DONE]`) are read too.
 * Out: `{ type: 'message', data }`, where `data` is what the AI SDK's own client posts; and for each decision one
 * `{ type: 'tool_result', data: { toolCallId, approved, status } }`, on which the tool that waits on the server goes on.
 *
 * A rejection is `approved: false`, `status: 'rejected'` and the reason, and never an output; skipped, expired and cancelled
 * calls are rejected with their own reason. Only a tool that ran in the browser has a `result`: its output, or `{ success:
 * false, error }`.
 */
import { resultText } from '../texts.js';
import type { Codec, Data, Decision, RequestContext } from './codec.js';
import { fold, unfold, valueOf } from './history.js';

function answer({ toolCallId, outcome, reason, output }: Decision, { texts }: RequestContext): unknown {
  const approved = /^(approved|executed|failed)$/.test(outcome);
  const data: Data = { toolCallId, approved, status: approved ? 'approved' : 'rejected' };
  if (outcome === 'executed') data.result = output ?? null;
  else if (outcome === 'failed') data.result = { success: false, error: reason };
  else if (reason !== undefined) data.reason = reason;
  else if (outcome !== 'approved' && outcome !== 'denied') data.reason = resultText({ kind: outcome }, texts);
  return { type: 'tool_result', data };
}

/** The AI SDK over a WebSocket. */
export const aiSdkWs: Codec = {
  capabilities: {
    kind: 'answering',
    reason: true,
    editedInput: false,
    cancel: true,
    remember: false,
    history: 'client',
    denialVisible: true,
    lost: [],
  },
  reader: (emit) => (frame) => {
    for (const line of typeof frame === 'string' ? frame.split('\n') : [frame]) {
      const chunk = typeof line === 'string' ? valueOf(line.replace(/^data: ?/, '').trim() || '[DONE]') : line;
      if (chunk !== '[DONE]') emit(chunk);
    }
    return true;
  },
  write: (entries) => unfold(entries),
  read: (history) => fold(history),
  body: (_, { request }) => ({ type: 'message', data: request }),
  answer,
};
