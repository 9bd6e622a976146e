/**
 * Results that are content: texts, images and files, in the AI SDK's form (`{ type: 'content', value }` of a
 * `ModelMessage`) and as the parts that codecs write. Source: `ToolResultOutput` of `@ai-sdk/provider-utils`, in the
 * versions of `ai` 6 and 7.
 */
import type { FilePart, FileReference, Kept, Part } from './codec.js';
import type { Wire } from './wire.js';
import { fileContent } from './file-content.js';

/** The tagged data of `ai` 7. */
type UrlData = { readonly data?: string | undefined; readonly url?: unknown } | undefined;

/** A part of a content. */
interface ContentItem {
  type: string;
  data: string | UrlData;
  url: unknown;
  mediaType: string;
  filename: string;
  fileId: string | Record<string, string>;
  providerOptions: Kept;
}

/** Returns the parts of a content: `text` and `file` parts; what is neither keeps its type. */
export const partsOfContent = (content: readonly unknown[]): Part[] =>
  (content as readonly Wire<ContentItem>[]).map(partOf);

function partOf(item: Wire<ContentItem>): Part {
  const {
    type,
    data,
    mediaType = /^image/.test(type as string) ? 'image' : '',
    filename,
    providerOptions,
    fileId,
  } = item;
  const reference = typeof fileId === 'object' ? (fileId as FileReference['reference']) : undefined;
  const bytes = typeof data === 'string' ? data : data?.data;
  const place = bytes === undefined ? (item.url ?? (data as UrlData)?.url) : `data:${mediaType};base64,${bytes}`;
  // A text, or a file by its id at an unnamed provider.
  if (place === undefined && !reference) return item as Part;
  const more = { ...(filename && { filename }), ...(providerOptions && { providerOptions }) };
  return { type: 'file', mediaType, data: reference ? { type: 'reference', reference } : String(place), ...more };
}

/** Returns the AI SDK's form of a part. */
export function contentOf({ type, text, data, mediaType, filename, providerOptions }: Part): object {
  const more = providerOptions && { providerOptions };
  if (type === 'text') return { type, text, ...more };
  const fileId = (data as FileReference | undefined)?.reference;
  if (fileId) return { type: `${/^image/.test(mediaType as string) ? 'image-' : ''}file-id`, fileId, ...more };
  return type === 'file' && typeof data === 'string'
    ? { ...fileContent(data, mediaType, filename), ...more }
    : { type: 'custom', ...more };
}

/** An item of `CallToolResult.content` (MCP). */
interface McpItem {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
}

/**
 * Returns the parts of an output in MCP's form (`CallToolResult`), if it has images or audio; undefined for other
 * outputs, and for content that has no form here.
 */
export function partsOfMcp(output: unknown): Part[] | undefined {
  const content = (output as { readonly content?: readonly (McpItem | null)[] } | null | undefined)?.content;
  if (!Array.isArray(content) || !content.every((item) => /^(text|image|audio)$/.test(item?.type))) return undefined;
  const parts = content.map(({ type, text, data, mimeType }: McpItem): Part => {
    if (type === 'text') return { type, text: String(text) };
    return { type: 'file', mediaType: String(mimeType), data: `data:${mimeType};base64,${data}` };
  });
  return hasMoreThanText(parts) ? parts : undefined;
}

/** The text of the parts that are text, for protocols that have no other parts in results. */
export const textOfParts = (parts: readonly Part[]): string =>
  parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');

/** Whether a text cannot replace the parts. */
export const hasMoreThanText = (parts: readonly Part[]): boolean => parts.some(({ type }) => type !== 'text');

/** Returns a file's URL, and its bytes in base64 if they are in the URL. */
export function fileOf(part: Part): { url: string; base64?: string; mediaType: string } {
  const { data, url, mediaType } = part as FilePart;
  const address = String((data as FileReference | undefined)?.url ?? (typeof data === 'string' ? data : (url ?? '')));
  const [, type, more = '', body = ''] = /^data:([^;,]*)([^,]*),(.*)$/s.exec(address) ?? [];
  if (type === undefined) return { url: address, mediaType };
  const full = mediaType.includes('/') ? mediaType : type;
  try {
    const base64 = more.endsWith(';base64') ? body : btoa(decodeURIComponent(body));
    return { url: `data:${full};base64,${base64}`, base64, mediaType: full };
  } catch {
    // Text beyond Latin-1 cannot be encoded with `btoa`: the URL is used unchanged.
    return { url: address, mediaType: full };
  }
}
