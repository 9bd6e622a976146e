/**
 * The transport of chats of `useGuardedChat` without the option `transport`. It sends the same requests as
 * `new DefaultChatTransport()` of the AI SDK: `POST /api/chat` and `GET /api/chat/<id>/stream`.
 */
import type { ChunkStream, RequestOptions, Transport } from '../chat-host.js';
import { say } from '../../types/say.js';

const API = '/api/chat';

/** The transport. It has no state. */
export const defaultTransport: Transport = {
  async sendMessages({ chatId: id, messages, trigger, messageId, abortSignal, headers, body }): Promise<ChunkStream> {
    const response = await fetch(API, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...plain(headers) },
      body: JSON.stringify({ ...body, id, messages, trigger, messageId }),
      signal: abortSignal ?? null,
    });
    return chunksOf(response, API);
  },

  async reconnectToStream({ chatId, abortSignal, headers }): Promise<ChunkStream | null> {
    // A URL parser resolves these two even if they are encoded.
    if (chatId === '.' || chatId === '..')
      throw sdkError('InvalidArgumentError', say`Invalid chat id "${chatId}". It must not be "." or "..".`, {
        parameter: 'chatId',
        value: chatId,
      });
    const url = `${API}/${encodeURIComponent(chatId)}/stream`;
    const response = await fetch(url, { headers: plain(headers), signal: abortSignal ?? null });
    return response.status === 204 ? null : chunksOf(response, url);
  },
};

function plain(headers: RequestOptions['headers']): Record<string, string> {
  return headers instanceof Headers ? Object.fromEntries(headers.entries()) : { ...headers };
}

/** The chunks of a reply. Rejects with the server's text for a response that is not ok. */
async function chunksOf(response: Response, url: string): Promise<ChunkStream> {
  if (!response.ok) {
    const { status: statusCode } = response;
    const responseBody = await response.text();
    // Without the request: it has what the user wrote.
    throw sdkError('APICallError', responseBody || 'Failed to fetch the chat response.', {
      url,
      statusCode,
      responseBody,
      isRetryable: [408, 409, 429].includes(statusCode) || statusCode >= 500,
    });
  }
  if (!response.body) throw sdkError('EmptyResponseBodyError', 'The response body is empty.', {});
  let rest = '';
  const events = new TransformStream<string, unknown>({
    transform(text, controller) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) read(line, controller);
    },
    flush: (controller) => read(rest, controller),
  });
  return response.body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).pipeThrough(events);
}

/** An error that `isInstance` of the class with this name in AI SDK 7 accepts. */
function sdkError(className: string, message: string, fields: object): Error {
  const name = `AI_${className}`;
  const marks = ['vercel.ai.error', `vercel.ai.error.${name}`].map((mark) => [Symbol.for(mark), true] as const);
  return Object.assign(new Error(message), { name, ...fields }, Object.fromEntries(marks));
}

/** Reads one line of a server-sent event. The AI SDK's servers write each chunk as one line. */
function read(line: string, controller: TransformStreamDefaultController<unknown>): void {
  const data = /^data: ?(.*?)\r?$/.exec(line)?.[1];
  if (data && data !== '[DONE]') controller.enqueue(JSON.parse(data));
}
