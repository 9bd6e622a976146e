/**
 * `gemini`: `generateContent` and its stream. Source: `src/types.ts` of `@google/genai` 2.32.
 *
 * Calls often come without an id; they get one that is left out again when it is written. What is thought carries a
 * signature that has to come back with its part. Metadata in the words of `@ai-sdk/google`: `thoughtSignature`.
 */
import {
  wordsOnly,
  type Codec,
  type Context,
  type Data,
  type Emit,
  type Entry,
  type Part,
  type Reader,
} from './shared/codec.js';
import { Flow } from './shared/flow.js';
import { asList, fileOf, leading, objectOf, split } from './shared/history.js';
import { unusedId } from './shared/call-ids.js';
import { read, write, type CallAnswer } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';

/** How the ids begin that we make where Gemini gave none. */
const OWN = 'toolgate-';

function reader(emit: Emit, fresh: () => string): Reader {
  const flow = new Flow(emit);
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
      if (!flow.has(id) || more) flow.hush();
      flow.say(id, text, thought ? 'reasoning' : 'text');
      if (!more) return;
      flow.hush(id, more);
      texts++;
      return;
    }
    flow.hush();
    texts++;
    if (call) flow.whole(unusedId(call.id || OWN + fresh(), used), call.name, call.args ?? {}, meta);
    else if (file)
      flow.put({ type: 'file', mediaType: file.mimeType, url: `data:${file.mimeType};base64,${file.data}`, ...meta });
    else flow.put(customPart(part));
  };
  return ({ candidates, promptFeedback, error }) => {
    const { content, finishReason } = candidates?.[0] ?? {};
    if (error || promptFeedback?.blockReason) flow.fail(error?.message ?? error ?? promptFeedback.blockReason);
    else if (!candidates) return false;
    flow.each(content?.parts, take);
    if (finishReason) {
      flow.end(reasonOf(finishReason) ?? 'other');
      used.clear();
    }
    return true;
  };
}

/** A part that has no neutral form, kept whole. Throws for what is none. */
export function customPart(part: Data): Part {
  if (!Object.values(part).some((value) => typeof value === 'object' && value !== null))
    throw new TypeError('a part without content');
  return { type: 'custom', kind: 'google.part', providerMetadata: { google: { part } } };
}

function signatureOf({ thoughtSignature }: Data): Data {
  return typeof thoughtSignature === 'string' && thoughtSignature ? { google: { thoughtSignature } } : undefined;
}

/** What has to come back with a part. */
export const signed = (part: Part): Data => {
  const thoughtSignature = part.providerOptions?.['google']?.thoughtSignature;
  return thoughtSignature && { thoughtSignature };
};

/** What the system says in the middle is said as the user. */
function contents(entries: readonly Entry[], context: Context): Data[] {
  if (entries.some(({ role }) => role === 'system')) context.lose('system');
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

/** A part that is no call, as Gemini has it; nothing if it has no words for it. */
export function wordPart(part: Part): Data {
  const more = signed(part);
  const { type, text, data } = part as Data;
  if (type === 'text') return text || more ? { text, ...more } : undefined;
  if (type === 'reasoning') return { text, thought: true, ...more };
  const own = part.providerOptions?.['google']?.part;
  if (own || type === 'custom') return own;
  const { url, base64, mediaType: mimeType } = fileOf(part);
  const fileUri = data?.reference?.google ?? url;
  if (base64 !== undefined) return { inlineData: { mimeType, data: base64 }, ...more };
  return fileUri ? { fileData: { mimeType, fileUri }, ...more } : undefined;
}

/** A part of Gemini's; `count`: how many calls there are before it. */
export function parse(part: Data, count: number): Part | CallAnswer {
  const { functionCall: call, functionResponse: answer, text, thought, inlineData: inline, fileData = inline } = part;
  const providerOptions = signatureOf(part);
  if (call)
    return {
      type: 'tool-call',
      toolCallId: call.id || OWN + count,
      toolName: call.name,
      input: call.args ?? {},
      providerOptions,
    };
  if (answer) {
    const { id, name, response = {} } = answer;
    const answers = id || undefined;
    const failed = 'error' in response;
    return {
      answers,
      name,
      failed,
      value: failed ? response.error : 'output' in response ? response.output : response,
    };
  }
  if (text !== undefined) return { type: thought ? 'reasoning' : 'text', text, providerOptions };
  if (!fileData) {
    const { providerMetadata, ...custom } = customPart(part);
    return { ...custom, providerOptions: providerMetadata } as Part;
  }
  const { mimeType: mediaType = '', fileUri, data } = fileData;
  return { type: 'file', mediaType, data: fileUri ?? `data:${mediaType};base64,${data}`, providerOptions };
}

/** Who speaks, in the neutral form; no role of its API is another one. */
const ROLES: Data = { model: 'assistant', user: 'user', function: 'user' };

/** Google's Gemini API. */
export const codec: Codec = {
  capabilities: wordsOnly('approval pending input system custom file'),
  runsHere: true,
  asks: true,
  reader,
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
};
