/**
 * `openai-chat`: the Chat Completions API, and the many servers that implement it. Source:
 * `resources/chat/completions/completions.ts` of `openai` 7.59.
 *
 * Each call has its `tool` message after the assistant's. The API has no error flag: only the text says that a call
 * failed.
 */
import {
  parse,
  partsOf,
  writeCall,
  writeMessage,
  writePart,
  type Message,
  type Written,
} from './openai-chat/message.js';
import { createReader } from './openai-chat/stream.js';
import { shortId } from './shared/call-ids.js';
import { lossyCapabilities, type Context, type Entry } from './shared/codec.js';
import { readHistory, writeHistory, type HistoryFormat } from './shared/history-format.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import type { OpenAiChunk, OpenAiMessage } from '../types/backends.js';

const MESSAGES: HistoryFormat<Message, Written> = {
  message: writeMessage,
  call: writeCall,
  part: writePart,
  hasContent: true,
  id: (id) => shortId(id, 40),
};

const messages = (entries: readonly Entry[], context: Context): Message[] => writeHistory(entries, context, MESSAGES);

/** OpenAI's Chat Completions API. */
export const openaiChat: Protocol<{ readonly messages: OpenAiMessage[] }, OpenAiChunk, OpenAiMessage> = makeProtocol({
  name: 'openai-chat',
  capabilities: lossyCapabilities('approval pending failed json input reasoning file custom content id', 'raw-model'),
  createReader,
  write: messages,
  read: (history: readonly Message[], context) =>
    readHistory(history, context, partsOf, (part, calls) => parse(part, calls.size)),
  body: (entries, context) => ({ messages: messages(entries, context) }),
});
