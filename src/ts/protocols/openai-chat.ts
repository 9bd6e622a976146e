/**
 * `openai-chat`: the Chat Completions API, and the many servers that implement it. Source:
 * `resources/chat/completions/completions.ts` of `openai` 7.59.
 *
 * Each call has its `tool` message after the assistant's. The API has no error flag: only the text says that a call
 * failed.
 */
import {
  lossyCapabilities,
  type Context,
  type Data,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, fileOf, objectInput, textIn, textOf, valueOf } from './shared/history.js';
import { shortId, unusedId } from './shared/call-ids.js';
import { readHistory, writeHistory, type CallAnswer, type HistoryFormat } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

function createReader({ emit, newId }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit });
  /** The ids of this reply's calls, by index. */
  const ids: string[] = [];
  /** The same ids as the server sent them. */
  const serverIds: string[] = [];
  /** All ids of this reply's calls: a repeated id is replaced. */
  const used = new Set<string>();
  const call = ({ index, id, function: called }: Data, place: number): void => {
    const at: number = index ?? place;
    const { name, arguments: text } = called;
    const known = ids[at];
    // Some servers give every call the index 0, but its own id. Some also repeat the id; then a name after a complete
    // input belongs to the next call.
    const isNext = id && name && (id !== serverIds[at] || (text && isWhole(writer.inputText(known ?? ''))));
    if (known === undefined || isNext) {
      if (typeof name !== 'string') throw new TypeError('expected a call with a name');
      writer.endText();
      if (known !== undefined) writer.endInput(known);
      serverIds[at] = id;
      writer.startCall((ids[at] = unusedId(id || newId(), used)), name);
    }
    writer.inputDelta(ids[at] as string, text);
  };
  return ({ choices, error }) => {
    if (error) writer.failReply(error.message ?? error);
    else if (!Array.isArray(choices)) return false;
    writer.each<Data>(choices, ({ delta, message, finish_reason: reason }) => {
      const { content, refusal, reasoning_content: reasoning, tool_calls: calls } = delta ?? message ?? {};
      if (reasoning) writer.textDelta('reasoning', reasoning, 'reasoning');
      if (content || refusal) {
        writer.endText('reasoning');
        writer.textDelta('text', content || refusal);
      }
      writer.each(calls, call);
      if (reason) {
        writer.endReply(finishReasonOf(reason) ?? 'other');
        ids.length = 0;
        used.clear();
      }
    });
    return true;
  };
}

/** Whether a text is a complete JSON object. */
const isWhole = (text: string): boolean => text.trim().startsWith('{') && typeof valueOf(text) === 'object';

const MESSAGES: HistoryFormat = {
  message(role, parts) {
    if (role === 'tool') return parts;
    const calls = parts.filter(({ type }) => type === 'function');
    const said = parts.filter(({ type }) => type !== 'function');
    const text = said.map((part) => part.text).join('');
    if (role === 'assistant')
      return { role, content: said.length ? text : null, ...(calls.length && { tool_calls: calls }) };
    return { role, content: said.every(({ type }) => type === 'text') ? text : said };
  },
  call(call, { text }, id, { context }) {
    const called = { name: call.toolName, arguments: textOf(objectInput(call, context)) };
    return [[{ id, type: 'function', function: called }], [{ role: 'tool', tool_call_id: id, content: text }]];
  },
  part: writePart,
  id: (id) => shortId(id, 40),
};

const messages = (entries: readonly Entry[], context: Context): Data[] => writeHistory(entries, context, MESSAGES);

function writePart(part: Part, role: string): Data {
  const { type, text, filename = 'file' } = part as Data;
  if (type === 'text') return text ? { type, text } : undefined;
  if (type !== 'file' || role !== 'user') return undefined;
  const { url, base64, mediaType } = fileOf(part);
  if (/^image/.test(mediaType)) return { type: 'image_url', image_url: { url } };
  return base64 === undefined ? undefined : { type, file: { filename, file_data: url } };
}

function parse(part: Data): Part | CallAnswer {
  const { type, text, refusal, image_url: image, file, id, function: called } = part;
  if ('answers' in part) return part;
  if (called) return { type: 'tool-call', toolCallId: id, toolName: called.name, input: valueOf(called.arguments) };
  if (image) return { type: 'file', mediaType: 'image', data: image.url };
  if (file)
    return {
      type: 'file',
      mediaType: /^data:([^;,]*)/.exec(file.file_data)?.[1] ?? '',
      filename: file.filename,
      data: file.file_data,
    };
  return { type: type === 'refusal' ? 'text' : type, text: text ?? refusal };
}

function partsOf({ role, content, tool_calls: calls, tool_call_id: answers }: Data): [Entry['role'], Data[]] {
  if (role === 'tool')
    return ['assistant', [{ answers, value: content == null ? undefined : textIn(asParts(content)) }]];
  return [role === 'developer' ? 'system' : role, [...asParts(content), ...asList(calls)]];
}

/** OpenAI's Chat Completions API. */
export const openaiChat: Protocol = makeProtocol({
  name: 'openai-chat',
  capabilities: lossyCapabilities('approval pending failed json input reasoning file custom content id'),
  clientRunsTools: true,
  clientAsks: true,
  createReader,
  write: messages,
  read: (history, context) => readHistory(history, context, partsOf, parse),
  body: (entries, context) => ({ messages: messages(entries, context) }),
});
