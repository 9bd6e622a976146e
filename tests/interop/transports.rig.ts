/**
 * The AI SDK's server behind its chat transports: a request of the gate is sent by the transport, as a guarded chat
 * sends it.
 */
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { aiSdkServer, type AiSdkServerOptions } from './ai-sdk.server';
import { IN_THE_CLIENT, type Rig, type Session } from './rig';
import { gateFor, type Data } from './support';

/** A chat over a transport, and the bodies that the server received. */
export interface TransportSession extends Session {
  readonly bodies: readonly Data[];
}

/** The AI SDK 7 over a transport. */
export const transportRig = (
  name: string,
  transport: (url: string) => ChatTransport<UIMessage>,
  server: AiSdkServerOptions = {},
): Rig<TransportSession> => ({
  name,
  protocol: 'ai-sdk',
  waiting: IN_THE_CLIENT,
  runsAgain: true,
  async open(replies, options): Promise<TransportSession> {
    const { url, close, ran, prompts, bodies } = await aiSdkServer(7, replies, server);
    const gate = gateFor('ai-sdk', options);
    const chat = transport(url);
    return {
      gate,
      ran,
      prompts,
      bodies,
      close,
      async send({ id: requestId, attempt, key, body }) {
        const { id: chatId, ...rest } = body as Data;
        const about = { requestId, attempt };
        const headers = { 'idempotency-key': key };
        const reader = (await chat.sendMessages({ chatId, headers, abortSignal: undefined, ...rest })).getReader();
        // Some transports send the request when their stream is first read: its refusal is a failure of the request.
        let read: ReadableStreamReadResult<UIMessageChunk> = await reader.read();
        gate.markSent(requestId);
        try {
          for (; !read.done; read = await reader.read()) gate.receive(read.value, about);
          gate.streamEnded({ status: 'finished' }, about);
        } catch (error) {
          gate.streamEnded({ status: 'disconnected', error: String(error) }, about);
        }
      },
    };
  },
});
