/** Writes the content blocks of Anthropic's Messages API. */
import type { Call, CallResult, Context, FileReference, Part } from '../shared/codec.js';
import { fileOf, objectInput } from '../shared/history.js';
import { shortId } from '../shared/call-ids.js';
import type { HistoryFormat, Writing } from '../shared/history-format.js';
import type { Fields } from '../shared/lane.js';
import { isUse, type AnthropicKept } from './blocks.js';

/** A message of a request. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Written[];
}

/** A block that is written. */
interface Written extends Fields {
  readonly type: string;
}

/** The API's messages. */
export const MESSAGES: HistoryFormat<AnthropicMessage, Written> = {
  message: (role, content) => ({ role: role === 'assistant' ? role : 'user', content }),
  call: writeCall,
  part: writePart,
  // The server finishes its call in the reply to a request that ends with it, or with the results of its step.
  open: (call, { isLast, written }) => {
    if (!isUse(keptOf(call))) return false;
    written.unsettle();
    return isLast;
  },
  hasContent: true,
  id: shortId,
  // The API answers 400 if `tool_use` ids are not unique.
  isUnique: true,
};

const keptOf = ({ providerOptions }: Pick<Part, 'providerOptions'>): AnthropicKept =>
  (providerOptions?.['anthropic'] ?? {}) as AnthropicKept;

function writeCall(
  call: Call,
  result: CallResult | undefined,
  id: string,
  { context }: Writing,
): [Written[], Written[]] {
  const { type: hosted, own, answer } = keptOf(call);
  const use = { type: 'tool_use', id, name: call.toolName, input: objectInput(call, context), ...own };
  const { type, own: more, isLater, content: whole } = call.result ? keptOf(call.result) : {};
  if (isUse({ type: hosted }) && (!result || (type && !isUse({ type })))) {
    const answered =
      result && !isLater ? [{ type: type as string, tool_use_id: id, content: whole ?? result.value, ...more }] : [];
    return [[{ ...use, type: hosted as string }, ...answered], []];
  }
  const { kind, text, failed, content } = result as CallResult;
  const isFailed = failed || kind !== 'executed';
  return [
    [use],
    [
      {
        type: 'tool_result',
        tool_use_id: id,
        content: content ? blocksOf(content, call, context) : text,
        ...(isFailed && { is_error: true }),
        ...answer,
      },
    ],
  ];
}

/** Writes the parts of a result as blocks. */
function blocksOf(parts: readonly Part[], { toolCallId }: Call, { reportLoss }: Context): Written[] {
  return parts.flatMap((part) => {
    const block = writePart(part);
    if (!block && (part.type !== 'text' || part.text)) reportLoss('content', toolCallId);
    return block ?? [];
  });
}

/** Writes a part as a block; returns undefined if the API has none for it. */
export function writePart(part: Part): Written | undefined {
  const { type, text } = part;
  const { own, block, signature, redactedData } = keptOf(part);
  if (type === 'text') return text ? { type, text, ...own } : undefined;
  if (type === 'custom') return typeof block?.type === 'string' ? block : undefined;
  if (redactedData) return { type: 'redacted_thinking', data: redactedData, ...own };
  if (type === 'reasoning')
    return (signature && { type: 'thinking', thinking: text, signature, ...own }) as Written | undefined;
  if (type !== 'file') return undefined;
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = (part.data as FileReference | undefined)?.reference?.['anthropic'];
  const as = /^image/.test(mediaType) ? 'image' : 'document';
  if (uploaded) return { type: as, source: { type: 'file', file_id: uploaded }, ...own };
  // Uploaded to another provider.
  if (!url) return undefined;
  const source = base64 === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data: base64 };
  return /^(image(\/(\*|jpeg|png|gif|webp))?|application\/pdf)$/.test(mediaType)
    ? { type: as, source, ...own }
    : undefined;
}
