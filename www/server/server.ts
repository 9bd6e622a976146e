/**
 * The demo as a small Node server: it serves the built page and runs the same backend behind HTTP.
 *   POST   /api/chat?scenario=<id>             the chat, as a stream of UI message chunks
 *   POST   /api/stop?id=<chat id>              the user stopped the reply (a connection that ends stops nothing)
 *   PUT    /api/record?id=<chat id>&scenario=  begins a chat, or continues an existing one
 *   GET    /api/record?id=<chat id>            what the backend recorded, for the page's record; null if there is none
 *   DELETE /api/record?id=<chat id>            forgets the chat
 * It listens on 127.0.0.1 only, and answers only requests whose `Host` is that address or `localhost`.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chooseModel } from './model-choice';
import { Sessions, type Beginning } from './sessions';

const HOST = '127.0.0.1';
const LARGEST_BODY = 2_000_000;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** What to serve, and where. */
export interface ServeOptions {
  /** The folder of the built page. */
  dist: string;
  /** 0: any free port. */
  port: number;
  /** Where to look for a model's key. Without one the scripted model answers. */
  env: NodeJS.ProcessEnv;
}

/** Starts the server. Resolves to its address, the name of the model that answers, and how to stop it. */
export async function serveDemo({
  dist,
  port,
  env,
}: ServeOptions): Promise<{ url: string; model: string; close: () => Promise<void> }> {
  const model = await chooseModel(env);
  const sessions = new Sessions(model);
  const server = createServer((request, response) => {
    answer(dist, sessions, request, response).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/`;
  return { url, model: model?.name ?? 'scripted', close: () => close(server) };
}

async function answer(
  dist: string,
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A browser repeats a request on its own when a reused connection is cut. A scenario cuts connections to show a
  // failure, so connections are not reused here.
  response.setHeader('connection', 'close');
  // Another site that points its own name at this address must not reach the model or its key.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) return refuse(response, 403);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  if (url.pathname === '/api/chat') return chat(sessions, url, request, response);
  if (url.pathname === '/api/stop') return stop(sessions, url, request, response);
  if (url.pathname === '/api/record') return record(sessions, url, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  return file(dist, url.pathname, response);
}

function stop(sessions: Sessions, url: URL, request: IncomingMessage, response: ServerResponse): void {
  // Another site may send a POST; it cannot know the id of a chat.
  if (request.method !== 'POST') return refuse(response, 405);
  sessions.find(url.searchParams.get('id') ?? '')?.stop();
  response.writeHead(204).end();
}

function record(sessions: Sessions, url: URL, request: IncomingMessage, response: ServerResponse): void {
  const id = url.searchParams.get('id') ?? '';
  if (request.method === 'DELETE') {
    sessions.forget(id);
    return void response.writeHead(204).end();
  }
  if (request.method === 'PUT' && id !== '') sessions.open(id, beginningIn(url));
  else if (request.method !== 'GET') return refuse(response, 405);
  send(response, 'application/json', JSON.stringify(sessions.find(id)?.recorder.get() ?? null));
}

const beginningIn = ({ searchParams }: URL): Beginning => ({
  scenario: searchParams.get('scenario'),
  pace: searchParams.get('pace'),
});

async function chat(sessions: Sessions, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return refuse(response, 405);
  // A browser sends JSON to another site only after a preflight request, which this server does not allow.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return refuse(response, 415);
  const body = await read(request);
  if (body === null) return refuse(response, 413);

  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const key = request.headers['idempotency-key'];
  const reply = await sessions.open(idOf(body), beginningIn(url)).handle(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(typeof key === 'string' ? { 'idempotency-key': key } : {}) },
      body,
      signal: gone.signal,
    }),
  );
  reply.headers.delete('connection');
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  if (!reply.body) return void response.end();
  await pipeline(Readable.fromWeb(reply.body as never), response).catch(() => undefined); // the client disconnected
}

/** The whole body as text, or `null` when it is too large. */
async function read(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > LARGEST_BODY) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function idOf(body: string): string {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === 'string' ? id : '';
  } catch {
    return ''; // the handler refuses the body
  }
}

async function file(dist: string, path: string, response: ServerResponse): Promise<void> {
  // Normalized as an absolute path, so that `..` cannot climb out of the folder.
  const name = join(dist, normalize(path.endsWith('/') ? `${path}index.html` : path));
  const content = await readFile(name).catch((error: NodeJS.ErrnoException) =>
    error.code === 'EISDIR' ? 'a folder' : null,
  );
  if (!content) return refuse(response, 404);
  // The relative links in a folder's index.html work only if the address ends with a slash.
  if (content === 'a folder')
    return void response.writeHead(301, { location: `.${path.slice(path.lastIndexOf('/'))}/` }).end();
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  const page = extname(name) === '.html';
  // Marks that the page's backend is this server, not one inside the page.
  send(response, type, page ? content.toString('utf8').replace('content="embedded"', 'content="/api"') : content);
}

function send(response: ServerResponse, type: string, content: string | Buffer): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(content);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
}

/**
 * A scenario that simulates a network failure throws a `TypeError`. The connection is cut, so the browser sees a
 * network failure.
 */
function fail(response: ServerResponse, error: unknown): void {
  if (!(error instanceof TypeError)) console.error(error);
  response.destroy();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
