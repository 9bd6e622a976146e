/**
 * Converts calls and content blocks of the Agent Client Protocol to the neutral forms, and back. Source: `v1/schema`
 * and `v2/schema` of `@agentclientprotocol/sdk` 2.4. Streams are in acp/stream.ts, histories and requests in acp.ts.
 */
import type * as v1 from '@agentclientprotocol/sdk';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';
import { resultText } from '../shared/result-texts.js';
import type { Part } from '../shared/codec.js';
import type { ReplyChunk } from '../../types/protocol-definition.js';
import { asList, fileOf, textOf } from '../shared/history.js';
import type { AnyOf, Wire, With } from '../shared/wire.js';

/** A piece of content as it arrives: a block of a message, or an item that a call shows. */
export type Content = AnyOf<v1.ContentBlock | v1.ToolCallContent | v2.ContentBlock | v2.ToolCallContent>;
/** An update of a session as it arrives, but for those about compaction, which are not read. */
type Read = Exclude<v1.SessionUpdate | v2.SessionUpdate, { sessionUpdate: `compaction_${string}` }>;
export type Update = With<AnyOf<Read>, 'sessionUpdate'>;
type Chunk = { readonly content: NonNullable<AcpCall['content']>[number] };
/** A call, or the fields of one that an update has. */
export type AcpCall = AnyOf<v1.ToolCallUpdate | v2.ToolCallUpdate>;
/** What this protocol keeps beside a part or a call of a history. */
export type AcpKept = { readonly acp?: AcpCall & { readonly block?: Content } } | undefined;

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
export const isOver = (call: AcpCall | undefined): boolean => /^(completed|failed|cancelled)$/.test(`${call?.status}`);

/** Returns the fields of an update of a call. A content chunk is appended; all other updates have the whole content. */
export const asUpdate = (was: AcpCall | undefined, sessionUpdate: string, update: object): AcpCall =>
  sessionUpdate === 'tool_call_content_chunk'
    ? { ...update, content: [...asList(was?.content), (update as Chunk).content] }
    : update;

/** Fields of a call that must be strings. */
const TEXTS = /^(title|kind|status|name)$/;
const LISTS = /^(content|locations)$/;

/** Merges the fields of an update into a call. Fields of a wrong type are ignored. */
export function merge(call: AcpCall | undefined, update: AcpCall): AcpCall {
  const isGiven = ([name, value]: [string, unknown]): boolean => {
    if (TEXTS.test(name)) return typeof value === 'string';
    if (LISTS.test(name)) return Array.isArray(value);
    return value !== undefined && (value !== null || name.startsWith('raw'));
  };
  return { ...call, ...Object.fromEntries(Object.entries(update).filter(isGiven)) };
}

/** Returns the tool's name, or the call's kind if the agent sends no name. */
export const nameOf = ({ name, kind }: AcpCall): string => name ?? kind ?? 'other';

/** Returns a call's metadata: its title, kind, locations and `_meta`. */
export const metaOf = (call: AcpCall): AcpCall =>
  Object.fromEntries(
    (['title', 'kind', 'locations', '_meta'] as const)
      .filter((name) => call[name] !== undefined)
      .map((name) => [name, call[name]]),
  );

/** Returns the input of a call; if the agent sends none, the title, locations and content that it shows instead. */
export const inputOf = ({ rawInput, toolCallId, title = toolCallId, locations, content }: AcpCall): unknown =>
  rawInput === undefined ? { title, ...(locations && { locations }), ...(content && { content }) } : rawInput;

/**
 * Returns the result of a call, which is its output or the content that the agent shows, and whether the call failed.
 */
export function resultOf({ status, rawOutput, content }: AcpCall): [value: unknown, failed: boolean] {
  const items = content ?? [];
  const texts = items.map((item) => item?.content?.text);
  const shown = texts.every((text) => typeof text === 'string') ? texts.join('') : items;
  const value = rawOutput === undefined || (rawOutput === null && items.length) ? shown : rawOutput;
  if (status === 'completed') return [value, false];
  return [textOf(value) || (status === 'cancelled' ? resultText({ kind: status }) : ''), true];
}

/** Converts a content block to a part. Throws for a block without a type. */
export function partOf(block: Content): With<Wire<Part>, 'type'> {
  const { type, text, data, uri, name, resource } = block;
  if (typeof type !== 'string') throw new TypeError('expected a content block with a type');
  if (type === 'text') return { type, text };
  const mediaType =
    block.mimeType ?? resource?.mimeType ?? (resource?.text === undefined ? 'application/octet-stream' : 'text/plain');
  if (data !== undefined) return { type: 'file', mediaType, data: `data:${mediaType};base64,${data}` };
  if (uri != null) return { type: 'file', mediaType, data: uri, filename: name };
  if (!resource) return { type: 'custom', kind: `acp.${type}`, providerOptions: { acp: { block } } };
  const body = resource.text === undefined ? `;base64,${resource.blob}` : `,${encodeURIComponent(resource.text)}`;
  return { type: 'file', mediaType, data: `data:${mediaType}${body}`, filename: resource.uri };
}

/** Converts a part that is not text to a chunk. */
export const chunkOf = ({ type, kind, mediaType, data, providerOptions }: ReturnType<typeof partOf>): ReplyChunk =>
  type === 'file' ? { type, mediaType, url: data } : { type, kind, providerMetadata: providerOptions };

/** Converts a part to a content block. */
export function writePart(part: Part): Content | undefined {
  const { type, text, filename } = part;
  if (type === 'text' || type === 'reasoning') return text ? { type: 'text', text } : undefined;
  const own = (part.providerOptions as AcpKept)?.acp?.block;
  if (type === 'custom') return typeof own?.type === 'string' ? own : undefined;
  const { url, base64: data, mediaType: mimeType } = fileOf(part);
  if (!url) return undefined;
  if (data === undefined) return { type: 'resource_link', uri: url, name: filename ?? url, mimeType };
  const [kind] = /^(image|audio)\b/.exec(mimeType) ?? [];
  if (kind) return { type: kind as 'image' | 'audio', data, mimeType };
  return {
    type: 'resource',
    resource: { uri: /:/.test(`${filename}`) ? filename : `file:///${filename ?? 'file'}`, blob: data, mimeType },
  };
}
