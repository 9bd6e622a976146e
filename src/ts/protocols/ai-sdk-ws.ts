/**
 * `ai-sdk-ws`: the AI SDK's chunks as frames of a WebSocket, and an answer of its own for each decision. Source: the
 * founding document `seeds/2`, and its frontend's `WebSocketChatTransport`.
 *
 * In: each frame is a chunk, as JSON; text frames and the lines of an event stream (`data: {…}`, `[DONE]`) are read too.
 * Out: `{ type: 'message', data }`, where `data` is what the AI SDK's own client posts; and for each decision one
 * `{ type: 'tool_result', data: { toolCallId, approved, status } }`, on which the tool that waits on the server goes on.
 *
 * A rejection is `approved: false`, `status: 'rejected'` and the reason, and never an output; skipped, expired and cancelled
 * calls are rejected with their own reason. Only a tool that ran in the browser has a `result`: its output, `{ success: true }`
 * if it returned nothing (the server takes no answer without data), or `{ success: false, error }`. An approval of a tool that
 * runs on the server is the permission alone.
 */
import { resultText } from './shared/result-texts.js';
import { type Context, type Data, type ItemDecision, type Reader, type StreamContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { toModelMessages, valueOf } from './shared/history.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

function createReader({ emit, calls }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls });
  return (frame) => {
    writer.each(typeof frame === 'string' ? frame.split('\n') : [frame], (line) => {
      const chunk = typeof line === 'string' ? valueOf(line.replace(/^data: ?/, '').trim() || '[DONE]') : line;
      if (chunk === '[DONE]') return;
      // What a rejected tool says to the model is not an output of it.
      const isTold =
        chunk?.type === 'tool-output-error' ||
        (chunk?.type === 'tool-output-available' && chunk.output?.success === false);
      if (!isTold || !writer.confirmDecision(chunk.toolCallId)) emit(chunk);
    });
    return true;
  };
}

function answer({ toolCallId, outcome, reason, output }: ItemDecision, { texts }: Context): unknown {
  const approved = /^(approved|executed|failed)$/.test(outcome);
  const data: Data = { toolCallId, approved, status: approved ? 'approved' : 'rejected' };
  if (outcome === 'executed') data.result = output ?? { success: true };
  else if (outcome === 'failed') data.result = { success: false, error: reason };
  else if (reason !== undefined) data.reason = reason;
  else if (outcome !== 'approved' && outcome !== 'denied') data.reason = resultText({ kind: outcome }, texts);
  return { type: 'tool_result', data };
}

/** The AI SDK over a WebSocket. */
export const aiSdkWs: Protocol = makeProtocol({
  name: 'ai-sdk-ws',
  capabilities: { kind: 'answering' },
  // The server waits for one answer: with a result it says that the call was approved too.
  resultImpliesApproval: true,
  createReader,
  write: (entries) => toModelMessages(entries),
  body: (_, { request }) => ({ type: 'message', data: request }),
  answer,
});
