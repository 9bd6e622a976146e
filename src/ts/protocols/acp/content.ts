/**
 * Converts calls and content blocks of the Agent Client Protocol to the neutral forms, and back. Source: `v1/schema`
 * and `v2/schema` of `@agentclientprotocol/sdk` 2.4. Streams are in acp/stream.ts, histories and requests in acp.ts.
 */
import { resultText } from '../shared/result-texts.js';
import type { Data, Part } from '../shared/codec.js';
import { asList, fileOf, textOf } from '../shared/history.js';

/** The kind of each update that carries message content, by its name without `_chunk`. */
const KINDS: Readonly<Record<string, string>> = {
  user_message: 'user',
  agent_message: 'text',
  agent_thought: 'reasoning',
};

/** Returns the kind of an update that carries content, and whether it is a chunk; undefined for other updates. */
export function kindOf(sessionUpdate: string): [kind: string, isChunk: boolean] | undefined {
  const name = sessionUpdate.replace(/_chunk$/, '');
  return Object.hasOwn(KINDS, name) ? [KINDS[name] as string, name !== sessionUpdate] : undefined;
}

/** Whether a call has its result or will never get one. */
export const isOver = (call: Data): boolean => /^(completed|failed|cancelled)$/.test(call?.status);

/** Returns the fields of an update of a call. A content chunk is appended to the existing content. */
export const asUpdate = (was: Data, sessionUpdate: string, update: Data): Data =>
  sessionUpdate === 'tool_call_content_chunk'
    ? { ...update, content: [...asList(was?.content), update.content] }
    : update;

/** Fields of a call that must be strings. */
const TEXTS = /^(title|kind|status|name)$/;
const LISTS = /^(content|locations)$/;

/** Merges the fields of an update into a call. Fields of a wrong type are ignored. */
export function merge(call: Data, update: Data): Data {
  const isGiven = ([name, value]: [string, Data]): boolean => {
    if (TEXTS.test(name)) return typeof value === 'string';
    if (LISTS.test(name)) return Array.isArray(value);
    return value !== undefined && (value !== null || name.startsWith('raw'));
  };
  return { ...call, ...Object.fromEntries(Object.entries(update).filter(isGiven)) };
}

/** Returns the tool's name, or the call's kind if the agent sends no name. */
export const nameOf = ({ name, kind = 'other' }: Data): string => name ?? kind;

/** Returns a call's metadata: its title, kind, locations and `_meta`. */
export const metaOf = (call: Data): Data =>
  Object.fromEntries(
    ['title', 'kind', 'locations', '_meta']
      .filter((name) => call[name] !== undefined)
      .map((name) => [name, call[name]]),
  );

/** Returns the input of a call; if the agent sends none, the title, locations and content that it shows instead. */
export const inputOf = ({ rawInput, toolCallId, title = toolCallId, locations, content }: Data): Data =>
  rawInput === undefined ? { title, ...(locations && { locations }), ...(content && { content }) } : rawInput;

/**
 * Returns the result of a call, which is its output or the content that the agent shows, and whether the call failed.
 */
export function resultOf({ status, rawOutput, content = [] }: Data): [value: Data, failed: boolean] {
  const texts = content.map((item: Data) => item?.content?.text);
  const shown = texts.every((text: Data) => typeof text === 'string') ? texts.join('') : content;
  const value = rawOutput === undefined || (rawOutput === null && content.length) ? shown : rawOutput;
  if (status === 'completed') return [value, false];
  return [textOf(value) || (status === 'cancelled' ? resultText({ kind: status }) : ''), true];
}

/** Converts a content block to a part. Throws for a block without a type. */
export function partOf(block: Data): Part {
  const { type, text, data, uri, name, resource } = block;
  if (typeof type !== 'string') throw new TypeError('expected a content block with a type');
  if (type === 'text') return { type, text };
  const mediaType =
    block.mimeType ?? resource?.mimeType ?? (resource?.text === undefined ? 'application/octet-stream' : 'text/plain');
  if (data !== undefined) return { type: 'file', mediaType, data: `data:${mediaType};base64,${data}` };
  if (uri !== undefined) return { type: 'file', mediaType, data: uri, filename: name };
  if (!resource) return { type: 'custom', kind: `acp.${type}`, providerOptions: { acp: { block } } };
  const body = resource.text === undefined ? `;base64,${resource.blob}` : `,${encodeURIComponent(resource.text)}`;
  return { type: 'file', mediaType, data: `data:${mediaType}${body}`, filename: resource.uri };
}

/** Converts a part that is not text to a chunk. */
export const chunkOf = ({ type, kind, mediaType, data, providerOptions }: Part): Data =>
  type === 'file' ? { type, mediaType, url: data } : { type, kind, providerMetadata: providerOptions };

/** Converts a part to a content block. */
export function writePart(part: Part): Data {
  const { type, text, filename } = part as Data;
  if (type === 'text' || type === 'reasoning') return text ? { type: 'text', text } : undefined;
  const own = part.providerOptions?.['acp']?.block;
  if (type === 'custom') return typeof own?.type === 'string' ? own : undefined;
  const { url, base64: data, mediaType: mimeType } = fileOf(part);
  if (!url) return undefined;
  if (data === undefined) return { type: 'resource_link', uri: url, name: filename ?? url, mimeType };
  const [kind] = /^(image|audio)\b/.exec(mimeType) ?? [];
  if (kind) return { type: kind, data, mimeType };
  return {
    type: 'resource',
    resource: { uri: /:/.test(filename) ? filename : `file:///${filename ?? 'file'}`, blob: data, mimeType },
  };
}
