/**
 * `vscode`: the language-model chat messages of VS Code's extensions. Source: `@types/vscode` 1.140.
 * `vscode.LanguageModelChatMessage` and issue 241039 of microsoft/vscode show that a rejection is not visible.
 *
 * VS Code asks the user itself. A result in a later history shows that a call was approved; a missing result is never
 * read as a denial. Parts are plain objects with the fields of VS Code's classes.
 */
import { lossyCapabilities, type Context, type Entry, type Reader, type StreamContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, fileOf, objectInput } from './shared/history.js';
import { unusedId } from './shared/call-ids.js';
import { readHistory, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Wire } from './shared/wire.js';
import type { LanguageModelChatMessage, LanguageModelDataPart, LanguageModelToolCallPart } from 'vscode';
import type { Protocol } from '../types/index.js';
import type { VscodeMessage } from '../types/backends.js';

/** `LanguageModelChatMessageRole`. */
const [USER, ASSISTANT] = [1, 2];
const ROLES: Readonly<Record<number, Entry['role']>> = { [USER]: 'user', [ASSISTANT]: 'assistant' };

/** A message. */
type Message = { readonly role: number; readonly content: readonly VscodePart[]; readonly name: undefined };

/** A part of a message: a text, a call, data, or the result of a call, whose content is a list of texts. */
type VscodePart = Wire<
  LanguageModelToolCallPart & LanguageModelDataPart & { value: string; content: readonly { value?: string }[] }
>;

function createReader(stream: StreamContext): Reader<VscodePart | string> {
  const writer = new ReplyWriter(stream);
  /** The ids of this reply's calls: a repeated id is replaced. */
  const used = new Set<string>();
  return (part) => {
    const { callId, name, input, value, data, mimeType } = part as VscodePart;
    if (typeof part === 'string' || typeof value === 'string') writer.textDelta('text', value ?? (part as string));
    else writer.endText();
    if (callId && name) writer.call(unusedId(callId, used), name, input);
    else if (data) writer.content({ type: 'file', mediaType: mimeType, url: addressOf(part as VscodePart) });
    else return typeof value === 'string' || typeof part === 'string';
    return true;
  };
}

function addressOf({ data, mimeType }: VscodePart): string {
  if (!(data instanceof Uint8Array)) throw new TypeError('expected a data part with bytes');
  return `data:${mimeType};base64,${btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''))}`;
}

const MESSAGES: HistoryFormat<Message, VscodePart> = {
  message: (role, content) => ({ role: role === 'assistant' ? ASSISTANT : USER, content, name: undefined }),
  call: (call, { text }, callId, { context }) => [
    [{ callId, name: call.toolName, input: objectInput(call, context) }],
    [{ callId, content: [{ value: text }] }],
  ],
  part(part) {
    const { type, text } = part;
    if (type === 'text') return text ? { value: text } : undefined;
    const { base64, mediaType } = fileOf(part);
    return type === 'file' && base64 !== undefined
      ? { mimeType: mediaType, data: Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) }
      : undefined;
  },
};

function messages(entries: readonly Entry[], context: Context): Message[] {
  if (entries.some(({ role }) => role === 'system')) context.reportLoss('system');
  return writeHistory(entries, context, MESSAGES);
}

function parse(part: VscodePart): Parsed {
  const { callId, name, input, content, value, data } = part;
  if (name) return { type: 'tool-call', toolCallId: callId, toolName: name, input };
  if (callId)
    return {
      answers: callId,
      value: asList(content)
        .map((inner) => inner.value ?? '')
        .join(''),
    };
  return data ? { type: 'file', mediaType: part.mimeType, data: addressOf(part) } : { type: 'text', text: value };
}

/** VS Code's language-model chat. */
export const vscode: Protocol<{ readonly messages: VscodeMessage[] }, object | string, VscodeMessage> = makeProtocol({
  name: 'vscode',
  capabilities: {
    ...lossyCapabilities('approval pending failed json input system reasoning custom file content', 'raw-model'),
    denialVisible: false,
  },
  asksItself: true,
  createReader,
  write: messages,
  read: (history: readonly Wire<LanguageModelChatMessage>[], context) =>
    readHistory(
      history,
      context,
      ({ role, content }) => [
        ROLES[role as number],
        typeof content === 'string' ? [{ value: content }] : asList<VscodePart>(content as readonly VscodePart[]),
      ],
      parse,
    ),
  body: (entries, context) => ({ messages: messages(entries, context) }),
});
