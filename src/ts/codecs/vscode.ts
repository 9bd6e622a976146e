/**
 * `vscode`: the language-model chat messages of VS Code's extensions. Source: `@types/vscode` 1.140; how a refusal shows (not
 * at all): `vscode.LanguageModelChatMessage` and issue 241039 of microsoft/vscode.
 *
 * VS Code asks the user itself. That a call was approved is seen by its result in a later history; no sign of one means
 * nothing, and is never read as a denial. Parts are plain objects of the classes' shape.
 */
import type { Capabilities } from '../types.js';
import type { Call, Codec, Context, Data, Entry, Part, Reader } from './codec.js';
import { Flow } from './flow.js';
import { fileOf, isCall, objectOf, settle, told } from './history.js';

const capabilities: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: false,
  lost: ['approval', 'pending', 'failed', 'json', 'input', 'system', 'reasoning', 'custom', 'file'],
};

/** `LanguageModelChatMessageRole`. */
const [USER, ASSISTANT] = [1, 2];

function reader(emit: (chunk: Data) => void): Reader {
  const flow = new Flow(emit);
  return (part) => {
    const { callId, name, input, value, data, mimeType } = part;
    if (typeof part === 'string' || typeof value === 'string') flow.say('text', value ?? part);
    else flow.hush();
    if (callId && name) flow.whole(callId, name, input);
    else if (data) flow.put({ type: 'file', mediaType: mimeType, url: `data:${mimeType};base64,${btoa(String.fromCharCode(...data))}` });
    else return value !== undefined || typeof part === 'string';
    return true;
  };
}

function write(entries: Entry[], context: Context): Data[] {
  return entries.flatMap(({ role, content }) => {
    const results: Data[] = [];
    if (role === 'system') context.lose('system');
    const said = content.flatMap((part) => (isCall(part) ? writeCall(part, results, context) : writePart(part, context)));
    const messages: Data[] = said.length ? [{ role: role === 'assistant' ? ASSISTANT : USER, content: said, name: undefined }] : [];
    if (results.length) messages.push({ role: USER, content: results, name: undefined });
    return messages;
  });
}

function writeCall(call: Call, results: Data[], context: Context): Data[] {
  const { toolCallId: callId, toolName: name } = call;
  const result = told(call, context.texts);
  if (!result) {
    context.lose('pending', callId);
    return [];
  }
  if (call.response?.['approved']) context.lose('approval', callId);
  if (result.kind === 'failed') context.lose('failed', callId);
  if (typeof result.value !== 'string') context.lose('json', callId);
  results.push({ callId, content: [{ value: result.text }] });
  return [{ callId, name, input: objectOf(call, context) }];
}

function writePart(part: Part, context: Context): Data[] {
  if (part.type === 'text') return part['text'] ? [{ value: part['text'] }] : [];
  const { base64, mediaType } = fileOf(part);
  if (part.type === 'file' && base64 !== undefined) return [{ mimeType: mediaType, data: Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) }];
  context.lose(part.type === 'reasoning' || part.type === 'custom' ? part.type : 'file');
  return [];
}

function read(history: readonly Data[], { texts }: Context): Entry[] {
  const calls = new Map<string, Call>();
  return history.flatMap(({ role, content }) => {
    const parts: Part[] = [];
    for (const part of typeof content === 'string' ? [{ value: content }] : content) {
      const { callId, name, input, value, data, mimeType } = part;
      const call = calls.get(callId);
      if (callId && name) {
        const made: Call = { type: 'tool-call', toolCallId: callId, toolName: name, input };
        calls.set(callId, made);
        parts.push(made);
      } else if (callId) {
        if (call) settle(call, part.content.map((inner: Data) => inner.value ?? '').join(''), false, texts);
      } else if (data) {
        parts.push({ type: 'file', mediaType: mimeType, data: `data:${mimeType};base64,${btoa(String.fromCharCode(...data))}` });
      } else {
        parts.push({ type: 'text', text: value });
      }
    }
    return parts.length ? [{ role: role === ASSISTANT ? 'assistant' : 'user', content: parts }] : [];
  });
}

/** VS Code's language-model chat. */
export const vscode: Codec = { capabilities, runsHere: true, reader, write, read, body: (entries, context) => ({ messages: write(entries, context) }) };
