/**
 * `ai-sdk-ws`: the AI SDK's chunks as frames of a WebSocket, with a separate message for each decision.
 *
 * Receives one chunk as JSON per frame; text frames and the lines of an event stream (`data: {…}`, `[DONE]`) are
 * accepted too. Sends `{ type: 'message', data }`, where `data` is the request body of the AI SDK's own client, and for
 * each decision one `{ type: 'tool_result', data: { toolCallId, approved, status } }`, which the waiting tool on the
 * server reads.
 *
 * A rejection has `approved: false`, `status: 'rejected'` and the reason, and never an output. Skipped, expired and
 * cancelled calls are rejected with their own reasons. Only a tool that ran in the browser has a `result`: its output,
 * `{ success: true }` if it returned nothing (the server rejects an answer without data), or `{ success: false, error
 * }`. For a tool that runs on the server, an approval is only the permission.
 */
import { answerText, isClosed } from './shared/result-texts.js';
import type { Context, ItemDecision, Reader, StreamContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { valueOf } from './shared/history.js';
import { modelMessagesOf } from './shared/model-messages.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Merged } from './shared/wire.js';
import type { UIMessageChunk } from 'ai';
import type { Protocol } from '../types/index.js';
import type { AiSdkWsBody, AnyMessage, Typed } from '../types/backends.js';

type Chunk = Merged<UIMessageChunk>;

function createReader(stream: StreamContext): Reader<string | Chunk> {
  const { emit } = stream;
  const writer = new ReplyWriter(stream);
  return (frame) => {
    writer.each<string | Chunk>(typeof frame === 'string' ? frame.split('\n') : [frame], (line) => {
      const chunk = (typeof line === 'string' ? valueOf(line.replace(/^data: ?/, '').trim() || '[DONE]') : line) as
        Chunk | '[DONE]';
      if (chunk === '[DONE]') return;
      // A rejected tool returns a text for the model, which is not an output of the tool.
      const mayBeRejection =
        chunk?.type === 'tool-output-error' ||
        (chunk?.type === 'tool-output-available' &&
          (chunk.output as { readonly success?: unknown } | null)?.success === false);
      if (!mayBeRejection || !writer.confirmDecision(chunk.toolCallId)) emit(chunk);
    });
    return true;
  };
}

function answer({ toolCallId, outcome, reason, output }: ItemDecision, { texts }: Context): AiSdkWsBody {
  const approved = !isClosed(outcome);
  const data: Record<string, unknown> = { toolCallId, approved, status: approved ? 'approved' : 'rejected' };
  if (outcome === 'executed') data['result'] = output ?? { success: true };
  else if (outcome === 'failed') data['result'] = { success: false, error: reason };
  else if (reason !== undefined) data['reason'] = reason;
  else if (isClosed(outcome) && outcome !== 'denied') data['reason'] = answerText(outcome, undefined, texts);
  return { type: 'tool_result', data };
}

/** The AI SDK over a WebSocket. */
export const aiSdkWs: Protocol<AiSdkWsBody, Typed | string, AnyMessage> = makeProtocol({
  name: 'ai-sdk-ws',
  capabilities: { kind: 'answering' },
  // The server waits for one answer, so a result also implies the approval.
  resultImpliesApproval: true,
  denialCloses: 'call',
  createReader,
  write: (entries) => entries.flatMap(modelMessagesOf),
  body: (_, { request }) => ({ type: 'message', data: request }),
  answer,
});
