/**
 * `openai-chat`: the Chat Completions API, and the many servers that speak it. Source:
 * `resources/chat/completions/completions.ts` of `openai` 6.49.
 *
 * Each call has its `tool` message behind the assistant's. There is no error flag: a failure is told by its text alone.
 */
import type { Capabilities } from '../types.js';
import type { Call, Codec, Context, Data, Entry, Part, Reader } from './codec.js';
import { Flow } from './flow.js';
import { fileOf, isCall, objectOf, settle, textOf, told, valueOf } from './history.js';
import { idFor } from './ids.js';

const capabilities: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: ['approval', 'pending', 'failed', 'json', 'input', 'reasoning', 'file', 'custom', 'id'],
};

function reader(emit: (chunk: Data) => void, fresh: () => string): Reader {
  const flow = new Flow(emit);
  const ids: string[] = [];
  return ({ choices, error }) => {
    if (error) flow.fail(error.message ?? error);
    else if (!Array.isArray(choices)) return false;
    for (const { delta, message, finish_reason: reason } of choices ?? []) {
      const { content, refusal, reasoning_content: reasoning, tool_calls: calls } = delta ?? message;
      if (reasoning) flow.say('reasoning', reasoning, 'reasoning');
      if (content || refusal) {
        flow.hush('reasoning');
        flow.say('text', content || refusal);
      }
      (calls ?? []).forEach(({ index, id, function: called }: Data, place: number) => {
        const at = index ?? place;
        // Servers that count every call as the first give each its own id all the same.
        if (ids[at] === undefined || (id && called.name && id !== ids[at])) {
          flow.hush();
          flow.called();
          flow.call((ids[at] = id || fresh()), called.name);
        }
        flow.grow(ids[at] as string, called?.arguments);
      });
      if (reason) {
        flow.end();
        ids.length = 0;
      }
    }
    return true;
  };
}

function write(entries: Entry[], context: Context): Data[] {
  return entries.flatMap(({ role, content }) => {
    const calls: Data[] = [];
    const results: Data[] = [];
    const said: Data[] = [];
    for (const part of content) {
      if (isCall(part)) writeCall(part, calls, results, context);
      else said.push(...writePart(part, role, context));
    }
    const isText = said.every(({ type }) => type === 'text');
    const text = said.map((part) => part.text).join('');
    if (role !== 'assistant') return said.length ? [{ role, content: isText ? text : said }] : [];
    if (!said.length && !calls.length) return [];
    return [{ role, content: said.length ? text : null, ...(calls.length && { tool_calls: calls }) }, ...results];
  });
}

function writeCall(call: Call, calls: Data[], results: Data[], context: Context): void {
  const result = told(call, context.texts);
  if (!result) return context.lose('pending', call.toolCallId);
  const { kind, text, value } = result;
  if (call.response?.['approved']) context.lose('approval', call.toolCallId);
  if (kind === 'failed') context.lose('failed', call.toolCallId);
  if (typeof value !== 'string') context.lose('json', call.toolCallId);
  const id = idFor(call.toolCallId, 40, context);
  calls.push({ id, type: 'function', function: { name: call.toolName, arguments: textOf(objectOf(call, context)) } });
  results.push({ role: 'tool', tool_call_id: id, content: text });
}

function writePart(part: Part, role: string, context: Context): Data[] {
  if (part.type === 'text') return part['text'] ? [{ type: 'text', text: part['text'] }] : [];
  if (part.type === 'file' && role === 'user') {
    const { url, base64, mediaType } = fileOf(part);
    if (/^image/.test(mediaType)) return [{ type: 'image_url', image_url: { url } }];
    if (base64 !== undefined) return [{ type: 'file', file: { filename: part['filename'] ?? 'file', file_data: url } }];
  }
  context.lose(part.type === 'reasoning' || part.type === 'custom' ? part.type : 'file');
  return [];
}

function read(history: readonly Data[], { texts }: Context): Entry[] {
  const open = new Map<string, Call>();
  return history.flatMap(({ role, content, tool_calls: calls, tool_call_id: id }) => {
    if (role === 'tool') {
      const call = open.get(id);
      if (call) settle(call, typeof content === 'string' ? content : content.map(({ text }: Data) => text).join(''), false, texts);
      return [];
    }
    const parts: Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []).map(readPart);
    for (const { id: toolCallId, function: called } of calls ?? []) {
      const call: Call = { type: 'tool-call', toolCallId, toolName: called.name, input: valueOf(called.arguments) };
      open.set(toolCallId, call);
      parts.push(call);
    }
    return [{ role: role === 'developer' ? 'system' : role, content: parts }];
  });
}

function readPart({ type, text, refusal, image_url: image, file }: Data): Part {
  if (image) return { type: 'file', mediaType: 'image', data: image.url };
  if (file) return { type: 'file', mediaType: /^data:([^;,]*)/.exec(file.file_data)?.[1] ?? '', filename: file.filename, data: file.file_data };
  return { type: type === 'refusal' ? 'text' : type, text: text ?? refusal };
}

/** OpenAI's Chat Completions API. */
export const openaiChat: Codec = {
  capabilities,
  runsHere: true,
  asks: true,
  reader,
  write,
  read,
  body: (entries, context) => ({ messages: write(entries, context) }),
};
