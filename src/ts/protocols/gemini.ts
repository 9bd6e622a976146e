/**
 * `gemini`: `generateContent` and its stream. Source: `src/types.ts` of `@google/genai` 3.3.
 *
 * Calls often arrive without an id; they get one here, which is omitted again when they are written. Thoughts carry a
 * signature that must be sent back with their part. Metadata uses the name of `@ai-sdk/google`: `thoughtSignature`.
 */
import { lossyCapabilities, type Context, type Entry, type Reader, type StreamContext } from './shared/codec.js';
import type { Content, FunctionCall, GenerateContentResponse, Part as GeminiPart } from '@google/genai';
import { PartialArguments } from './gemini/partial-arguments.js';
import {
  callMetadata,
  customPart,
  fileMetadata,
  ID_PREFIX,
  keptOf,
  metadataOf,
  parse,
  signatureFields,
  writeAnswer,
  writePart,
  type WirePart,
} from './gemini/parts.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, leadingSystemParts, objectInput, conversationOf } from './shared/history.js';
import { readHistory, writeHistory, type HistoryFormat } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Fields } from './shared/lane.js';
import type { Wire } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { GeminiContent, GeminiEvent } from '../types/backends.js';

/** A response, or a chunk of one; and an error in its place. */
type WireEvent = Wire<GenerateContentResponse> & { readonly error?: { readonly message?: string } | undefined };

const metaOf = (providerMetadata: Fields | undefined): Fields | undefined => providerMetadata && { providerMetadata };

function createReader(stream: StreamContext): Reader<WireEvent> {
  const writer = new ReplyWriter(stream);
  let texts = 0;
  let calls = 0;
  let reason: string | undefined;
  /** The arguments that arrive in pieces, of the call that is open. */
  let pieces: PartialArguments | undefined;
  const readCall = ({ id, name, args, partialArgs, willContinue }: Wire<FunctionCall>, meta?: Fields): void => {
    // The event that ends a streamed call is empty.
    if (!name && !args && !pieces) return;
    if (name || !pieces) {
      writer.lane(calls).start(id || ID_PREFIX + stream.newId(), name, meta);
      pieces = willContinue || partialArgs ? new PartialArguments() : undefined;
    }
    for (const piece of partialArgs ?? []) pieces?.add(piece);
    if (willContinue) return;
    writer.lane(calls++).end(pieces ? { ...args, ...pieces.value } : (args ?? {}));
    pieces = undefined;
  };
  const readPart = (part: WirePart): void => {
    const { text, thought, functionCall: call, inlineData: file } = part;
    if (text !== undefined) {
      if (typeof text !== 'string') throw new TypeError('`text` must be a string');
      const id = `${thought ? 'thought' : 'text'}-${texts}`;
      const more = metadataOf(part);
      // A part with a signature is not joined with others.
      if (!writer.isOpen(id) || more) writer.endText();
      if (text || more) writer.textDelta(id, text, thought ? 'reasoning' : 'text');
      if (!more) return;
      writer.endText(id, more);
      texts++;
      return;
    }
    writer.endText();
    texts++;
    if (call) readCall(call, metaOf(callMetadata(part)));
    else if (file)
      writer.content({
        type: 'file',
        mediaType: file.mimeType,
        url: `data:${file.mimeType};base64,${file.data}`,
        ...metaOf(fileMetadata(part)),
      });
    else writer.content(customPart(part));
  };
  // Some versions of the API send a finish reason with each chunk: only the end of the stream ends the reply.
  stream.onEnd(() => {
    writer.endReply(finishReasonOf(reason) ?? 'other');
    reason = undefined;
  });
  return ({ candidates, promptFeedback, error }) => {
    const { content, finishReason } = candidates?.[0] ?? {};
    if (error || promptFeedback?.blockReason) writer.failReply(error?.message ?? error ?? promptFeedback?.blockReason);
    else if (!candidates) return false;
    writer.each(content?.parts, readPart);
    reason = finishReason ?? reason;
    return true;
  };
}

const CONTENTS: HistoryFormat<Content, GeminiPart> = {
  message: (role, parts) => ({ role: role === 'assistant' ? 'model' : 'user', parts }),
  call(call, result, id, { context }) {
    const head = { ...(!id.startsWith(ID_PREFIX) && { id }), name: call.toolName };
    const called = { ...head, args: objectInput(call, context), ...keptOf(call).call };
    return [[{ functionCall: called, ...signatureFields(call) }], [writeAnswer(call, result, head, context)]];
  },
  hasContent: true,
  part: writePart,
};

/** System messages within the conversation are written as user messages. */
function contents(entries: readonly Entry[], context: Context): Content[] {
  if (entries.some(({ role }) => role === 'system')) context.reportLoss('system');
  return writeHistory(entries, context, CONTENTS);
}

/** The neutral role for each role of the API. */
const ROLES: Readonly<Record<string, Entry['role']>> = { model: 'assistant', user: 'user', function: 'user' };

/** Google's Gemini API. */
export const gemini: Protocol<
  { readonly systemInstruction?: GeminiContent; readonly contents: GeminiContent[] },
  GeminiEvent,
  GeminiContent
> = makeProtocol({
  name: 'gemini',
  capabilities: lossyCapabilities('approval pending input system custom file content', 'raw-model'),
  createReader,
  write: (entries, context) => contents(conversationOf(entries, context), context),
  read: (history: readonly Wire<Content>[], context) =>
    readHistory(
      history,
      context,
      ({ role = 'user', parts }) => [ROLES[role], asList<WirePart>(parts)],
      (part, calls) => parse(part, calls.size),
    ),
  body(entries, context) {
    const parts = leadingSystemParts(entries).flatMap((part) => writePart(part) ?? []);
    return {
      ...(parts.length && { systemInstruction: { parts } }),
      contents: contents(conversationOf(entries), context),
    };
  },
});
