/**
 * The soak's server over real HTTP, for chats in real tabs, with network failures: connections are cut before a request
 * is handled, before its reply, or in the middle of the reply; or a proxy refuses the request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { pageFiles, type PageFile } from '../../persist-browser/backend.js';
import { Random } from '../random.js';
import { Server, type Sabotage } from '../server.js';

/** One chat of the server. */
export interface Served {
  readonly server: Server;
  readonly random: Random;
  /** Whether the network has stopped failing. */
  isCalm: boolean;
  /** Requests that are being answered. */
  open: number;
  faults: number;
}

/** The backend of all runs. */
export class SoakBackend {
  readonly #chats = new Map<string, Served>();
  readonly #server = createServer(
    (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
  );
  #files: ReadonlyMap<string, PageFile> = new Map();

  /** Builds the page and listens. Returns the address. */
  async listen(): Promise<string> {
    this.#files = await pageFiles();
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Begins to serve a chat. */
  add(name: string, random: Random, sabotage?: Sabotage): Served {
    const served = { random: random.fork(), isCalm: false, open: 0, faults: 0 } as {
      -readonly [K in keyof Served]: Served[K];
    };
    served.server = new Server({
      version: random.chance(0.5) ? 6 : 7,
      checks: random.pick(['keys', 'record', 'both']),
      random: random.fork(),
      callsPageTools: false,
      isHostile: () => !served.isCalm,
      later: (_, call) => void setTimeout(call, random.below(30)),
      onActivity: () => {},
      sabotage,
    });
    this.#chats.set(name, served);
    return served;
  }

  /** Stops serving a chat. */
  remove(name: string): void {
    this.#chats.delete(name);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = this.#files.get(path);
    if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.body);
    if (request.method === 'GET') return void response.writeHead(path.endsWith('/stream') ? 204 : 404).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id } = JSON.parse(body) as { id: string };
    const chat = this.#chats.get(id);
    if (!chat) return void response.writeHead(404).end();
    chat.open++;
    try {
      await this.#answer(chat, request, body, response);
    } finally {
      chat.open--;
    }
  }

  async #answer(chat: Served, { headers }: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const { random, isCalm } = chat;
    const fault = isCalm
      ? 'none'
      : random.weighted([
          [14, 'none'],
          [1, 'lost'],
          [1, 'refused'],
          [1, 'unanswered'],
          [2, 'cut'],
        ] as const);
    if (fault !== 'none') chat.faults++;
    if (!isCalm) await pause(random.below(40));
    if (fault === 'lost') return void response.destroy();
    if (fault === 'refused') return void response.writeHead(502).end('bad gateway');
    const key = headers['idempotency-key'];
    const reply = await chat.server.post(
      new Request('http://soak.test/chat', {
        method: 'POST',
        body,
        headers: typeof key === 'string' ? { 'idempotency-key': key } : {},
      }),
    );
    if (fault === 'unanswered') return void response.destroy();
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    let left = fault === 'cut' ? random.below(10) : Infinity;
    const reader = reply.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (left-- <= 0) {
        // A reply with several readers ends when the last one has disconnected. This is not awaited.
        void reader.cancel().catch(() => {});
        return void response.destroy();
      }
      response.write(value);
      if (!isCalm && random.chance(0.2)) await pause(random.below(20));
    }
    response.end();
  }
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
