/**
 * `gemini`: `generateContent` and its stream. Source: `src/types.ts` of `@google/genai` 2.32.
 *
 * Calls often come without an id; they get one that is left out again when it is written. What is thought carries a
 * signature that has to come back with its part. Metadata in the words of `@ai-sdk/google`: `thoughtSignature`.
 */
import { wordsOnly, type Context, type Data, type Entry, type Reader, type StreamContext } from './shared/codec.js';
import { customPart, OWN, parse, signatureOf, signed, wordPart } from './gemini-parts.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, leading, objectOf, split } from './shared/history.js';
import { unusedId } from './shared/call-ids.js';
import { read, write } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

function createReader({ emit, newId }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit });
  let texts = 0;
  /** Ids of this reply's calls: one that comes again is given another one. */
  const used = new Set<string>();
  const take = (part: Data): void => {
    const { text, thought, functionCall: call, inlineData: file } = part;
    const more = signatureOf(part);
    const meta = more && { providerMetadata: more };
    if (text !== undefined) {
      if (typeof text !== 'string') throw new TypeError('a text that is no text');
      const id = `${thought ? 'thought' : 'text'}-${texts}`;
      // A part with a signature stays by itself.
      if (!writer.isOpen(id) || more) writer.endText();
      writer.textDelta(id, text, thought ? 'reasoning' : 'text');
      if (!more) return;
      writer.endText(id, more);
      texts++;
      return;
    }
    writer.endText();
    texts++;
    if (call) writer.toolCall(unusedId(call.id || OWN + newId(), used), call.name, call.args ?? {}, meta);
    else if (file)
      writer.content({
        type: 'file',
        mediaType: file.mimeType,
        url: `data:${file.mimeType};base64,${file.data}`,
        ...meta,
      });
    else writer.content(customPart(part));
  };
  return ({ candidates, promptFeedback, error }) => {
    const { content, finishReason } = candidates?.[0] ?? {};
    if (error || promptFeedback?.blockReason) writer.failReply(error?.message ?? error ?? promptFeedback.blockReason);
    else if (!candidates) return false;
    writer.each(content?.parts, take);
    if (finishReason) {
      writer.endReply(reasonOf(finishReason) ?? 'other');
      used.clear();
    }
    return true;
  };
}

/** What the system says in the middle is said as the user. */
function contents(entries: readonly Entry[], context: Context): Data[] {
  if (entries.some(({ role }) => role === 'system')) context.reportLoss('system');
  return write(entries, context, {
    message: (role, parts) => ({ role: role === 'assistant' ? 'model' : 'user', parts }),
    call(call, { kind, text, value, failed }, id) {
      const head = { ...(!id.startsWith(OWN) && { id }), name: call.toolName };
      const response = failed || kind !== 'executed' ? { error: text } : { output: value };
      return [
        [{ functionCall: { ...head, args: objectOf(call, context) }, ...signed(call) }],
        [{ functionResponse: { ...head, response } }],
      ];
    },
    part: wordPart,
  });
}

/** Who speaks, in the neutral form; no role of its API is another one. */
const ROLES: Data = { model: 'assistant', user: 'user', function: 'user' };

/** Google's Gemini API. */
export const gemini: Protocol = makeProtocol({
  name: 'gemini',
  capabilities: wordsOnly('approval pending input system custom file'),
  clientRunsTools: true,
  clientAsks: true,
  createReader,
  write: (entries, context) => contents(split(entries, context), context),
  read: (history, context) =>
    read(
      history,
      context,
      ({ role = 'user', parts }) => [ROLES[role], asList(parts)],
      (part, calls) => parse(part, calls.size),
    ),
  body(entries, context) {
    const parts = leading(entries).flatMap((part) => wordPart(part) ?? []);
    return { ...(parts.length && { systemInstruction: { parts } }), contents: contents(split(entries), context) };
  },
});
