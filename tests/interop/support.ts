/**
 * Shared by all rigs: a gate, the scripted model's replies, the tools, and HTTP on the loopback, both client and
 * server. It depends on no framework: a rig forwards the same bytes as the framework's own client and server.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream as Bytes } from 'node:stream/web';
import { init, ToolGate, type Outgoing, type ToolGateOptions } from 'toolgate';
import { inPage, signalOf } from './page';
import { recordScenario } from './recorder';
import type { Reply, ScriptedCall } from './rig';
import { type ProtocolName, named } from '../protocols/all.js';

await init();

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** A gate with ids that are the same in every run. `pageOf(gate)` reloads its page. */
export function gateFor(protocol: ProtocolName, options: ToolGateOptions): ToolGate {
  let ids = 0;
  const all = { protocol: named(protocol), chatId: 'chat', generateId: () => `made-${ids++}`, ...options };
  const gate = new ToolGate(all);
  recordScenario(gate, protocol, options);
  return inPage(gate, all);
}

/** The tools of every rig. */
export const TOOLS: readonly ScriptedCall['tool'][] = ['read', 'remove', 'send'];

/** A step of three calls: the first needs no approval, the others do. */
export const THREE_CALLS: Reply = {
  calls: [
    { id: 'call-1', tool: 'read', path: '/r' },
    { id: 'call-2', tool: 'remove', path: '/a' },
    { id: 'call-3', tool: 'remove', path: '/b' },
  ],
};

/** Whether a tool needs approval. */
export const asks = (tool: string): boolean => tool !== 'read';

/** The calls of the first step: those that need approval, or those that need none. */
export const firstCalls = (replies: readonly Reply[], asking: boolean): readonly ScriptedCall[] =>
  (replies.flatMap((reply) => ('calls' in reply ? [reply.calls] : []))[0] ?? []).filter(
    ({ tool }) => asks(tool) === asking,
  );

/**
 * The replies of the scripted model, one after another. Throws for a reply that is an error, and after the last reply.
 */
export function scripted(replies: readonly Reply[]): () => Exclude<Reply, { error: string }> {
  let next = 0;
  return () => {
    const reply = replies[next++];
    if (!reply) throw new Error('the model was called more often than expected');
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  };
}

/** Resolves when a tool may end: at once, or for the path `/slow` after a page had the time to be closed. */
export const slowly = (path: string): Promise<void> =>
  new Promise((resolve) => (path === '/slow' ? setTimeout(resolve, 400) : resolve()));

/** The output of a tool. */
export const done = (tool: string, path: string): string => `${tool} ${path}: done`;

/** A server on the loopback. */
export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves requests with a route handler, which receives the parsed JSON body of each request. */
export async function serve(route: (body: Data, request: Request) => Promise<Response>): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const request = new Request(`http://127.0.0.1${incoming.url ?? '/'}`, {
        method: incoming.method ?? 'POST',
        headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(body && { body }),
      });
      void Promise.resolve()
        .then(() => route(body && JSON.parse(body), request))
        .catch((error: unknown) => new Response(String(error), { status: 500 }))
        .then((response) => {
          outgoing.writeHead(response.status, Object.fromEntries(response.headers.entries()));
          if (!response.body) return outgoing.end();
          const body = Readable.fromWeb(response.body as Bytes).on('error', () => outgoing.destroy());
          body.pipe(outgoing);
          // A server that writes in a loop goes on without its client.
          outgoing.on('close', () => body.resume());
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A reply that is written piece by piece. An error while writing cuts the connection. */
export function written(pieces: AsyncIterable<string>, type = 'text/event-stream'): Response {
  const body = Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream;
  return new Response(body, { headers: { 'content-type': type } });
}

/** A reply of server-sent events, each of them JSON. */
export function events(source: AsyncIterable<unknown>): Response {
  const text = async function* (): AsyncGenerator<string> {
    for await (const event of source) yield `data: ${JSON.stringify(event)}\n\n`;
  };
  return written(text());
}

/** The data of server-sent events. Genkit's servers send an error in a field `error` instead of `data`. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const lines = [...block.matchAll(/^(?:data|error): ?(.*)$/gm)];
      if (lines.length) yield lines.map(([, text]) => text).join('\n');
    }
  }
}

/**
 * Posts an item's body and passes the reply to the gate. Rejects if the status is not a success, because the server has
 * then not accepted the item.
 */
export async function exchange(
  gate: ToolGate,
  { id: requestId, key, body, attempt }: Outgoing,
  url: string,
): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'idempotency-key': key };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...signalOf(gate) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  gate.markSent(requestId);
  const about = { requestId, attempt };
  try {
    for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
      if (data !== '[DONE]') gate.receive(JSON.parse(data), about);
    }
  } catch (error) {
    return gate.streamEnded({ status: 'disconnected', error: String(error) }, about);
  }
  gate.streamEnded({ status: 'finished' }, about);
}

/** Finds the call of a result where ids may be missing or repeat: the first open call with the result's name and id. */
export function openCalls() {
  const open: { name: string; id: string | undefined; call: string }[] = [];
  return {
    /** Adds a call, and returns the text for the field `call` of a `Line`. */
    made(name: string, id: string | undefined, path: string): string {
      const call = `${name} ${path}`;
      open.push({ name, id, call });
      return call;
    },
    /** Closes a call with a result, and returns the text for the field `call` of a `Line`. */
    answered(name: string, id: string | undefined): string {
      const at = open.findIndex((one) => one.name === name && one.id === id);
      return (at < 0 ? undefined : open.splice(at, 1)[0]?.call) ?? `? ${id}`;
    },
  };
}
