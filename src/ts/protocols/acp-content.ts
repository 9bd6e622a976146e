/**
 * What the Agent Client Protocol says of calls and of content, in the neutral forms, and back. Source: `v1/schema` and
 * `v2/schema` of `@agentclientprotocol/sdk` 2.4. Streams, histories and requests are in acp.ts.
 */
import { resultText } from './shared/result-texts.js';
import type { Data, Part } from './shared/codec.js';
import { asList, fileOf, textOf } from './shared/history.js';

/** Updates that are content of a message: the kind of text. */
const KINDS: Readonly<Record<string, string>> = {
  user_message: 'user',
  agent_message: 'text',
  agent_thought: 'reasoning',
};

/** The kind of an update that is content, and whether it is one piece of it; undefined for another one. */
export function kindOf(sessionUpdate: string): [kind: string, isChunk: boolean] | undefined {
  const name = sessionUpdate.replace(/_chunk$/, '');
  return Object.hasOwn(KINDS, name) ? [KINDS[name] as string, name !== sessionUpdate] : undefined;
}

/** Whether a call has its result, or will never have one. */
export const isOver = (call: Data): boolean => /^(completed|failed|cancelled)$/.test(call?.status);

/** What an update says of a call; a piece of content follows what is there. */
export const asUpdate = (was: Data, sessionUpdate: string, update: Data): Data =>
  sessionUpdate === 'tool_call_content_chunk'
    ? { ...update, content: [...asList(was?.content), update.content] }
    : update;

/** What is text where an agent says it of a call. */
const TEXTS = /^(title|kind|status|name)$/;
const LISTS = /^(content|locations)$/;

/** A call with what an update gives. What is of a wrong type says nothing. */
export function merge(call: Data, update: Data): Data {
  const isGiven = ([name, value]: [string, Data]): boolean => {
    if (TEXTS.test(name)) return typeof value === 'string';
    if (LISTS.test(name)) return Array.isArray(value);
    return value !== undefined && (value !== null || name.startsWith('raw'));
  };
  return { ...call, ...Object.fromEntries(Object.entries(update).filter(isGiven)) };
}

/** The name of a call's tool; its kind, where the agent names none. */
export const nameOf = ({ name, kind = 'other' }: Data): string => name ?? kind;

/** What a call says of itself beside its input and its output. */
export const metaOf = (call: Data): Data =>
  Object.fromEntries(
    ['title', 'kind', 'locations', '_meta']
      .filter((name) => call[name] !== undefined)
      .map((name) => [name, call[name]]),
  );

/** What the user decides about: the input, or what the agent shows instead. */
export const inputOf = ({ rawInput, toolCallId, title = toolCallId, locations, content }: Data): Data =>
  rawInput === undefined ? { title, ...(locations && { locations }), ...(content && { content }) } : rawInput;

/** What a call came to: its output, or what is shown of it; and whether it failed. */
export function resultOf({ status, rawOutput, content = [] }: Data): [value: Data, failed: boolean] {
  const texts = content.map((item: Data) => item?.content?.text);
  const shown = texts.every((text: Data) => typeof text === 'string') ? texts.join('') : content;
  const value = rawOutput === undefined || (rawOutput === null && content.length) ? shown : rawOutput;
  if (status === 'completed') return [value, false];
  return [textOf(value) || (status === 'cancelled' ? resultText({ kind: status }) : ''), true];
}

/** A content block as a part. Throws for what is none. */
export function partOf(block: Data): Part {
  const { type, text, data, uri, name, resource } = block;
  if (typeof type !== 'string') throw new TypeError('a content block without a type');
  if (type === 'text') return { type, text };
  const mediaType =
    block.mimeType ?? resource?.mimeType ?? (resource?.text === undefined ? 'application/octet-stream' : 'text/plain');
  if (data !== undefined) return { type: 'file', mediaType, data: `data:${mediaType};base64,${data}` };
  if (uri !== undefined) return { type: 'file', mediaType, data: uri, filename: name };
  if (!resource) return { type: 'custom', kind: `acp.${type}`, providerOptions: { acp: { block } } };
  const body = resource.text === undefined ? `;base64,${resource.blob}` : `,${encodeURIComponent(resource.text)}`;
  return { type: 'file', mediaType, data: `data:${mediaType}${body}`, filename: resource.uri };
}

/** A part that is no text as a chunk. */
export const chunkOf = ({ type, kind, mediaType, data, providerOptions }: Part): Data =>
  type === 'file' ? { type, mediaType, url: data } : { type, kind, providerMetadata: providerOptions };

/** A part as a content block. */
export function wordPart(part: Part): Data {
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
