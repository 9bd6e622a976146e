/**
 * The parts of Gemini's contents, which ADK's events consist of too.
 */
import type { Data, Part } from './shared/codec.js';
import { fileOf } from './shared/history.js';
import type { CallAnswer } from './shared/phrase.js';

/** How the ids begin that we make where Gemini gave none. */
export const OWN = 'toolgate-';

/** A part that has no neutral form, kept whole. Throws for what is none. */
export function customPart(part: Data): Part {
  if (!Object.values(part).some((value) => typeof value === 'object' && value !== null))
    throw new TypeError('a part without content');
  return { type: 'custom', kind: 'google.part', providerMetadata: { google: { part } } };
}

/** What Gemini attached to a part. */
export function signatureOf({ thoughtSignature }: Data): Data {
  return typeof thoughtSignature === 'string' && thoughtSignature ? { google: { thoughtSignature } } : undefined;
}

/** What has to come back with a part. */
export const signed = (part: Part): Data => {
  const thoughtSignature = part.providerOptions?.['google']?.thoughtSignature;
  return thoughtSignature && { thoughtSignature };
};

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
