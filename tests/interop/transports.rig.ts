/**
 * The AI SDK behind its chat transports: a request of the gate is sent by the transport, as a guarded chat sends it.
 */
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { aiSdkServer, type AiSdkServerOptions } from './ai-sdk.server';
import { IN_THE_CLIENT, type Reply, type Rig, type Session } from './rig';
import { gateFor, type Data } from './support';

/** A backend, and the transport to it. */
export interface TransportBackend extends Pick<Session, 'ran' | 'prompts' | 'close'> {
  readonly transport: ChatTransport<UIMessage>;
  /** The bodies that the backend received. */
  readonly bodies: readonly Data[];
}

/** A chat over a transport, and the bodies that its backend received. */
export type TransportSession = Session & Pick<TransportBackend, 'bodies'>;

/** Starts the AI SDK's own server, and makes a transport for its address. */
export const aiSdkBackend =
  (transport: (url: string) => ChatTransport<UIMessage>, options: AiSdkServerOptions = {}) =>
  async (replies: readonly Reply[]): Promise<TransportBackend> => {
    const { url, ...server } = await aiSdkServer(7, replies, options);
    return { ...server, transport: transport(url) };
  };

/** The AI SDK 7 over a transport. */
export const transportRig = (
  name: string,
  start: (replies: readonly Reply[]) => Promise<TransportBackend>,
  more: Partial<Rig> = {},
): Rig<TransportSession> => ({
  name,
  protocol: 'ai-sdk',
  waiting: IN_THE_CLIENT,
  runsAgain: true,
  ...more,
  async open(replies, options): Promise<TransportSession> {
    const { transport, ...backend } = await start(replies);
    const gate = gateFor('ai-sdk', options);
    return {
      ...backend,
      gate,
      async send({ id: requestId, attempt, key, body }) {
        const { id: chatId, ...rest } = body as Data;
        const about = { requestId, attempt };
        const headers = { 'idempotency-key': key };
        const stream = await transport.sendMessages({ chatId, headers, abortSignal: undefined, ...rest });
        const reader = stream.getReader();
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
