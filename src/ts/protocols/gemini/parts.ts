/**
 * Converts the parts of Gemini's contents, which ADK's events use too. What is kept beside a part, under the name
 * `google`: `thoughtSignature`, as `@ai-sdk/google` names it; `own`, the other fields of the part, `call` and `file`,
 * those of its call or file, `answer`, those of the part with a call's result; `part`, a whole part without a neutral
 * form.
 */
import type { Blob, FileData, FunctionCall, FunctionResponse, Part as GeminiPart } from '@google/genai';
import type { Call, CallResult, Context, FileReference, Kept, Part } from '../shared/codec.js';
import { asList, fileOf, textOf } from '../shared/history.js';
import type { CallAnswer, Parsed } from '../shared/history-format.js';
import type { Fields } from '../shared/lane.js';
import { present } from '../shared/native.js';
import type { Wire } from '../shared/wire.js';

/** A part as it arrives. Inline files and others are read in the same way. */
export type WirePart = Wire<GeminiPart & { inlineData?: FileData; fileData?: Blob }>;

/** What is kept beside a part. */
interface GeminiKept {
  readonly thoughtSignature?: string;
  readonly own?: Fields;
  readonly call?: Fields;
  readonly file?: Fields;
  readonly part?: GeminiPart;
  readonly answer?: Pick<FunctionResponse, 'response' | 'parts'> & { readonly own?: Fields; readonly fields?: Fields };
}

/** The prefix of ids for calls that have no id from Gemini. */
export const ID_PREFIX = 'toolgate-';

/** Stores a part without a neutral form unchanged. Throws for a part without content. */
export function customPart(part: WirePart) {
  if (!Object.values(part).some((value) => typeof value === 'object' && value !== null))
    throw new TypeError('expected a part with content');
  return { type: 'custom' as const, kind: 'google.part', providerMetadata: { google: { part } } };
}

/** Returns the fields of a part that must be sent back with it, as metadata. `more`: fields of what it contains. */
export function metadataOf(part: WirePart, more?: Fields): Kept | undefined {
  const { text: _, thought: __, thoughtSignature, functionCall: ___, inlineData: ____, fileData: _____, ...own } = part;
  const isSigned = typeof thoughtSignature === 'string' && thoughtSignature !== '';
  const google = present({ thoughtSignature: isSigned ? thoughtSignature : undefined, own: present(own), ...more });
  return google && { google };
}

/** The metadata of a part with a call. */
export function callMetadata(part: WirePart): Kept | undefined {
  const {
    id: _,
    name: __,
    args: ___,
    partialArgs: ____,
    willContinue: _____,
    ...call
  } = part.functionCall as FunctionCall;
  return metadataOf(part, { call: present(call) });
}

/** The metadata of a part with a file. */
export function fileMetadata(part: WirePart): Kept | undefined {
  const { mimeType: _, data: __, fileUri: ___, ...file } = (part.inlineData ?? part.fileData) as FileData & Blob;
  return metadataOf(part, { file: present(file) });
}

/** What is kept beside a part. */
export const keptOf = ({ providerOptions }: Part): GeminiKept => (providerOptions?.['google'] ?? {}) as GeminiKept;

/** Returns the fields that must be sent back with a part; undefined if there are none. */
export function signatureFields(part: Part): Fields | undefined {
  const { own, thoughtSignature } = keptOf(part);
  return present({ ...own, thoughtSignature });
}

/** Converts a part other than a call to Gemini's format; returns undefined if Gemini cannot express it. */
export function writePart(part: Part): GeminiPart | undefined {
  const more = signatureFields(part);
  const { type, text, data } = part;
  if (type === 'text') return text || more ? { text, ...more } : undefined;
  if (type === 'reasoning') return { text, thought: true, ...more };
  const { part: own, file } = keptOf(part);
  if (own || type === 'custom') return own;
  const { url, base64, mediaType: mimeType } = fileOf(part);
  const fileUri = (data as FileReference | undefined)?.reference?.['google'] ?? url;
  if (base64 !== undefined) return { inlineData: { mimeType, data: base64, ...file }, ...more };
  return fileUri ? { fileData: { mimeType, fileUri, ...file }, ...more } : undefined;
}

/** Writes the part with a call's result. `head`: the id and the name. */
export function writeAnswer(call: Call, result: CallResult, head: Fields, { reportLoss }: Context): GeminiPart {
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
export function parse(part: WirePart, count: number): Parsed {
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
    return { ...custom, providerOptions: providerMetadata };
  }
  const { mimeType: mediaType = '', fileUri, data } = fileData as FileData & Blob;
  const url = fileUri ?? `data:${mediaType};base64,${data}`;
  return { type: 'file', mediaType, data: url, providerOptions: fileMetadata(part) };
}

function parseAnswer({ functionResponse, ...own }: WirePart, count: number): CallAnswer {
  const { id, name, response = {}, parts, ...fields } = functionResponse as FunctionResponse;
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
