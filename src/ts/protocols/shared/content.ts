/**
 * Results that are content: texts, images and files, in the AI SDK's form (`{ type: 'content', value }` of a
 * `ModelMessage`) and as the parts that codecs write. Source: `ToolResultOutput` of `@ai-sdk/provider-utils`, in the
 * versions of `ai` 6 and 7.
 */
import type { Data, Part } from './codec.js';
import { fileContent } from './file-content.js';

/** Returns the parts of a content: `text` and `file` parts; what is neither keeps its type. */
export const partsOfContent = (content: readonly Data[]): Part[] => content.map(partOf);

function partOf(item: Data): Part {
  const { type, data, mediaType = /^image/.test(type) ? 'image' : '', filename, providerOptions, fileId } = item;
  const reference = typeof fileId === 'object' ? fileId : undefined;
  const bytes: unknown = typeof data === 'string' ? data : data?.data;
  const place: unknown = bytes === undefined ? (item.url ?? data?.url) : `data:${mediaType};base64,${bytes}`;
  // A text, or a file by its id at an unnamed provider.
  if (place === undefined && !reference) return item;
  const more = { ...(filename && { filename }), ...(providerOptions && { providerOptions }) };
  return { type: 'file', mediaType, data: reference ? { type: 'reference', reference } : String(place), ...more };
}

/** Returns the AI SDK's form of a part. */
export function contentOf({ type, text, data, mediaType, filename, providerOptions }: Part): Data {
  const more = providerOptions && { providerOptions };
  if (type === 'text') return { type, text, ...more };
  if (data?.reference)
    return { type: `${/^image/.test(mediaType) ? 'image-' : ''}file-id`, fileId: data.reference, ...more };
  return type === 'file' && typeof data === 'string'
    ? { ...fileContent(data, mediaType, filename), ...more }
    : { type: 'custom', ...more };
}

/**
 * Returns the parts of an output in MCP's form (`CallToolResult`), if it has images or audio; undefined for other
 * outputs, and for content that has no form here.
 */
export function partsOfMcp(output: Data): Part[] | undefined {
  const content: unknown = output?.content;
  if (!Array.isArray(content) || !content.every((item) => /^(text|image|audio)$/.test(item?.type))) return undefined;
  const parts = content.map(({ type, text, data, mimeType }: Data): Part => {
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
export function fileOf({ data, url, mediaType }: Part): { url: string; base64?: string; mediaType: string } {
  const address = String(data?.url ?? (typeof data === 'string' ? data : (url ?? '')));
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
