/**
 * Converts the parts of Gemini's contents, which ADK's events use too. What is kept beside a part, under the name
 * `google`: `thoughtSignature`, as `@ai-sdk/google` names it; `own`, the other fields of the part, `call` and `file`,
 * those of its call or file, `answer`, those of the part with a call's result; `part`, a whole part without a neutral
 * form.
 */
import type { Call, CallResult, Context, Data, Part } from '../shared/codec.js';
import { asList, fileOf, textOf } from '../shared/history.js';
import type { CallAnswer } from '../shared/history-format.js';
import { present } from '../shared/native.js';

/** The prefix of ids for calls that have no id from Gemini. */
export const ID_PREFIX = 'toolgate-';

/** Stores a part without a neutral form unchanged. Throws for a part without content. */
export function customPart(part: Data) {
  if (!Object.values(part).some((value) => typeof value === 'object' && value !== null))
    throw new TypeError('expected a part with content');
  return { type: 'custom' as const, kind: 'google.part', providerMetadata: { google: { part } } };
}

/** Returns the fields of a part that must be sent back with it, as metadata. `more`: fields of what it contains. */
export function metadataOf(part: Data, more?: Data): Data {
  const { text: _, thought: __, thoughtSignature, functionCall: ___, inlineData: ____, fileData: _____, ...own } = part;
  const isSigned = typeof thoughtSignature === 'string' && thoughtSignature !== '';
  const google = present({ thoughtSignature: isSigned ? thoughtSignature : undefined, own: present(own), ...more });
  return google && { google };
}

/** The metadata of a part with a call. */
export function callMetadata(part: Data): Data {
  const { id: _, name: __, args: ___, partialArgs: ____, willContinue: _____, ...call } = part.functionCall;
  return metadataOf(part, { call: present(call) });
}

/** The metadata of a part with a file. */
export function fileMetadata(part: Data): Data {
  const { mimeType: _, data: __, fileUri: ___, ...file } = part.inlineData ?? part.fileData;
  return metadataOf(part, { file: present(file) });
}

/** What is kept beside a part. */
export const keptOf = ({ providerOptions }: Part): Data => providerOptions?.['google'] ?? {};

/** Returns the fields that must be sent back with a part; undefined if there are none. */
export function signatureFields(part: Part): Data {
  const { own, thoughtSignature } = keptOf(part);
  return present({ ...own, thoughtSignature });
}

/** Converts a part other than a call to Gemini's format; returns undefined if Gemini cannot express it. */
export function writePart(part: Part): Data {
  const more = signatureFields(part);
  const { type, text, data } = part as Data;
  if (type === 'text') return text || more ? { text, ...more } : undefined;
  if (type === 'reasoning') return { text, thought: true, ...more };
  const { part: own, file } = keptOf(part);
  if (own || type === 'custom') return own;
  const { url, base64, mediaType: mimeType } = fileOf(part);
  const fileUri = data?.reference?.google ?? url;
  if (base64 !== undefined) return { inlineData: { mimeType, data: base64, ...file }, ...more };
  return fileUri ? { fileData: { mimeType, fileUri, ...file }, ...more } : undefined;
}

/** Writes the part with a call's result. `head`: the id and the name. */
export function writeAnswer(call: Call, result: CallResult, head: Data, { reportLoss }: Context): Data {
  const { kind, text, value, failed, content = [] } = result;
  const { answer = {} } = keptOf(call);
  const files = content
    .filter(({ type }) => type !== 'text')
    .flatMap((part) => {
      const written = writePart(part);
      if (!written) reportLoss('content', call.toolCallId);
      return written ?? [];
    });
  const parts = answer.parts ?? (files.length ? files : undefined);
  const response = answer.response ?? (failed || kind !== 'executed' ? { error: text } : { output: value });
  return { functionResponse: { ...head, response, ...(parts && { parts }), ...answer.fields }, ...answer.own };
}

/** Reads a part of Gemini's. `count`: the number of calls before it. */
export function parse(part: Data, count: number): Part | CallAnswer {
  const { functionCall: call, functionResponse: answer, text, thought, inlineData: inline, fileData = inline } = part;
  if (call)
    return {
      type: 'tool-call',
      toolCallId: call.id || ID_PREFIX + count,
      toolName: call.name,
      input: call.args ?? {},
      providerOptions: callMetadata(part),
    };
  if (answer) return parseAnswer(part, count);
  if (text !== undefined) return { type: thought ? 'reasoning' : 'text', text, providerOptions: metadataOf(part) };
  if (!fileData) {
    const { providerMetadata, ...custom } = customPart(part);
    return { ...custom, providerOptions: providerMetadata } as Part;
  }
  const { mimeType: mediaType = '', fileUri, data } = fileData;
  const url = fileUri ?? `data:${mediaType};base64,${data}`;
  return { type: 'file', mediaType, data: url, providerOptions: fileMetadata(part) };
}

function parseAnswer({ functionResponse, ...own }: Data, count: number): CallAnswer {
  const { id, name, response = {}, parts, ...fields } = functionResponse;
  const failed = 'error' in response;
  const value = failed ? response.error : 'output' in response ? response.output : response;
  const files = asList(parts).map((part) => parse(part, count) as Part);
  // The gate writes an error and the text beside files as a text, and a response with one field.
  const isWritten = typeof value === 'string' || !(failed || files.length);
  const fieldCount = Object.keys(response).length;
  // The API refuses an empty response.
  const isPlain = Array.isArray(response) || !fieldCount || (isWritten && value !== response && fieldCount === 1);
  const kept = present({
    own: present(own),
    fields: present(fields),
    response: isPlain ? undefined : response,
    parts: failed && files.length ? parts : undefined,
  });
  return {
    answers: id || undefined,
    name,
    failed,
    value,
    ...(files.length && { content: [{ type: 'text', text: textOf(value) }, ...files] }),
    ...(kept && { meta: { google: { answer: kept } } }),
  };
}
