/**
 * A provider on the loopback interface. It streams scripted replies to the vendor's own client, and rejects requests
 * that break its pairing rules, as the real provider does.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import type { Outgoing, ToolGate } from 'toolgate';
import { rules } from './pairing';
import { replies, streamOf, type Raw, type Reply } from './replies';
import type { Data } from './support';

/** One step of the script: a reply, the items of a response, or an error that cuts off a reply. */
export type Script = Reply | { readonly output: Data[] } | { readonly error: string; readonly after: Reply };

/** A running provider. */
export interface Provider {
  /** The bodies as received. */
  readonly requests: Data[];
  /** Sends all ready requests with the vendor's own client, and reads the replies. */
  deliver(gate: ToolGate): Promise<void>;
  close(): Promise<void>;
}

/** Returns the conversation of a request, including that of its previous response. */
function historyOf(protocol: Raw, body: Data, stored: ReadonlyMap<string, Data[]>): Data[] {
  if (protocol === 'gemini') return body.contents;
  if (protocol !== 'openai-responses') return body.messages;
  const before = body.previous_response_id === undefined ? [] : stored.get(body.previous_response_id);
  if (!before) throw new Error('Previous response not found.');
  return [...before, ...body.input];
}

function eventsOf(protocol: Raw, script: Script): Data[] {
  if ('output' in script) return streamOf(script.output);
  if (!('error' in script)) return replies[protocol](script);
  const events: Data[] = replies[protocol](script.after);
  const message = script.error;
  const errors: Record<Raw, Data> = {
    anthropic: { type: 'error', error: { type: 'overloaded_error', message } },
    'openai-chat': { error: { message } },
    'openai-responses': {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message } },
    },
    gemini: { error: { message, code: 503 } },
  };
  // The reply has no end. In Chat Completions its calls are then incomplete too.
  return [...events.slice(0, protocol === 'openai-chat' || protocol === 'anthropic' ? -2 : -1), errors[protocol]];
}

/** Starts a provider with a script. */
export async function provider(protocol: Raw, script: readonly Script[]): Promise<Provider> {
  const requests: Data[] = [];
  const stored = new Map<string, Data[]>();
  let step = 0;
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const refuse = (message: string): void => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message } }));
      };
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Data;
      requests.push(body);
      try {
        const history = historyOf(protocol, body, stored);
        const broken = rules[protocol](history);
        const next = script[step++];
        if (broken.length || !next) return refuse(broken.join('; ') || 'the script has no more replies');
        const events = eventsOf(protocol, next);
        const end = events.at(-1);
        if (end?.type === 'response.completed') stored.set(end.response.id, [...history, ...end.response.output]);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of events)
          response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
        response.end(protocol === 'openai-chat' ? 'data: [DONE]\n\n' : '');
      } catch (error) {
        refuse(String(error));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = clientOf(protocol, url);
  return {
    requests,
    deliver: (gate) => gate.deliver(async (item) => take(gate, item, await open(item.body))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function take(gate: ToolGate, { id: requestId }: Outgoing, stream: AsyncIterable<unknown>): Promise<void> {
  gate.markSent(requestId);
  try {
    for await (const event of stream) gate.receive(event, { requestId });
  } catch (error) {
    return gate.streamEnded({ status: 'error', error: String(error) }, { requestId });
  }
  gate.streamEnded({ status: 'finished' }, { requestId });
}

/** Opens a stream with the vendor's client. The body is the gate's, with the model added. */
function clientOf(protocol: Raw, url: string): (body: Data) => Promise<AsyncIterable<unknown>> {
  const openai = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 });
  switch (protocol) {
    case 'anthropic': {
      const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 });
      return (body) =>
        client.messages.create({ model: 'm', max_tokens: 9, stream: true, ...body }) as unknown as Promise<
          AsyncIterable<unknown>
        >;
    }
    case 'openai-chat':
      return (body) =>
        openai.chat.completions.create({ model: 'm', stream: true, ...body }) as unknown as Promise<
          AsyncIterable<unknown>
        >;
    case 'openai-responses':
      return (body) =>
        openai.responses.create({ model: 'm', stream: true, ...body }) as unknown as Promise<AsyncIterable<unknown>>;
    case 'gemini': {
      const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } });
      return ({ contents, systemInstruction }) =>
        client.models.generateContentStream({ model: 'm', contents, config: { systemInstruction } });
    }
  }
}
