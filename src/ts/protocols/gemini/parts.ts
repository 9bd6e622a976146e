/** Converts the parts of Gemini's contents, which ADK's events use too. */
import type { Data, Part } from '../shared/codec.js';
import { fileOf } from '../shared/history.js';
import type { CallAnswer } from '../shared/history-format.js';

/** The prefix of ids for calls that have no id from Gemini. */
export const ID_PREFIX = 'toolgate-';

/** Stores a part without a neutral form unchanged. Throws for a part without content. */
export function customPart(part: Data): Part {
  if (!Object.values(part).some((value) => typeof value === 'object' && value !== null))
    throw new TypeError('expected a part with content');
  return { type: 'custom', kind: 'google.part', providerMetadata: { google: { part } } };
}

/** Returns the signature that Gemini attached to a part, as metadata. */
export function signatureOf({ thoughtSignature }: Data): Data {
  return typeof thoughtSignature === 'string' && thoughtSignature ? { google: { thoughtSignature } } : undefined;
}

/** Returns the fields that must be sent back with a part. */
export const signatureFields = (part: Part): Data => {
  const thoughtSignature = part.providerOptions?.['google']?.thoughtSignature;
  return thoughtSignature && { thoughtSignature };
};

/** Converts a part other than a call to Gemini's format; returns undefined if Gemini cannot express it. */
export function writePart(part: Part): Data {
  const more = signatureFields(part);
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

/** Reads a part of Gemini's. `count`: the number of calls before it. */
export function parse(part: Data, count: number): Part | CallAnswer {
  const { functionCall: call, functionResponse: answer, text, thought, inlineData: inline, fileData = inline } = part;
  const providerOptions = signatureOf(part);
  if (call)
    return {
      type: 'tool-call',
      toolCallId: call.id || ID_PREFIX + count,
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
