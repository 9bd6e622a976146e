/**
 * The backend of the tests: it serves the page, requests approvals, runs approved calls, and records the requests and
 * the calls that ran. It records a request's idempotency key before it runs any call, as docs/security.md recommends.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly state?: string;
  readonly approval?: { readonly approved?: boolean };
}

/** A request that the backend received. */
export interface Request {
  readonly chat: string;
  readonly key: string;
  /** Its decisions, by call. */
  readonly decisions: Readonly<Record<string, boolean>>;
}

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Builds page/`name`, with the built package or with these plugins. Returns its files by path. */
export async function pageFiles(
  name = 'page.ts',
  plugins: readonly Plugin[] = [],
): Promise<ReadonlyMap<string, PageFile>> {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: { page: at(`./page/${name}`) },
    bundle: true,
    outdir: '/',
    jsx: 'automatic',
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    logLevel: 'warning',
    plugins: [...plugins],
  });
  const html =
    '<!doctype html><title>starting</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
  return new Map<string, PageFile>([
    ['/page.js', { type: 'text/javascript', body: outputFiles[0]?.contents ?? '' }],
    ['/toolgate.wasm', { type: 'application/wasm', body: readFileSync(at('../../pkg/dist/toolgate.wasm')) }],
    ['/', { type: 'text/html', body: html }],
  ]);
}

/** A backend. */
export class Backend {
  /** The received requests, oldest first. */
  readonly requests: Request[] = [];
  /** The number of runs of each call. */
  readonly ran: Record<string, number> = {};
  /** Called after a request with decisions was executed, before it is answered. */
  onDecision: (() => void | Promise<void>) | undefined;
  /** Answers a request instead of the backend, which has executed it already. */
  onReply: ((response: ServerResponse, chunks: readonly object[]) => void) | undefined;
  /** The number of calls in the reply to a user's message. */
  calls = 1;
  /** Whether a request with a known key runs no calls. */
  checksKeys = true;

  readonly #keys = new Set<string>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #files = new Map<string, PageFile>();

  /** Builds page/`name` and starts listening. Returns the address. */
  async listen(name?: string): Promise<string> {
    for (const [path, file] of await pageFiles(name)) this.#files.set(path, file);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Serves the page of another build of the package under `path`. */
  async serve(path: string, plugins: readonly Plugin[]): Promise<void> {
    const files = await pageFiles('page.ts', plugins);
    const script = files.get('/page.js')!;
    const html = files.get('/')!;
    this.#files.set(`${path}.js`, script);
    this.#files.set(path, { ...html, body: String(html.body).replace('/page.js', `${path}.js`) });
  }

  /** The requests of a chat that contained decisions. */
  decisionsOf(chat: string): Request[] {
    return this.requests.filter((request) => request.chat === chat && Object.keys(request.decisions).length > 0);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = this.#files.get(path);
    if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.body);
    if (path !== '/chat' || request.method !== 'POST') return void response.writeHead(404).end();
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { id, messages } = JSON.parse(text) as { id: string; messages: { role: string; parts: Part[] }[] };
    const chunks = await this.#answer(id, String(request.headers['idempotency-key']), messages.at(-1));
    if (this.onReply) return this.onReply(response, chunks);
    write(response, chunks);
    response.end('data: [DONE]\n\n');
  }

  async #answer(chat: string, key: string, last: { role: string; parts: Part[] } | undefined): Promise<object[]> {
    const decided = (last?.role === 'assistant' ? last.parts : []).filter(
      ({ state }) => state === 'approval-responded',
    );
    const decisions = Object.fromEntries(
      decided.map((part) => [part.toolCallId ?? '', part.approval?.approved === true]),
    );
    this.requests.push({ chat, key, decisions });
    if (last?.role === 'user') {
      const turn = this.requests.filter((request) => request.chat === chat).length;
      const calls = Array.from(
        { length: this.calls },
        (_, call) => `${chat}${turn > 1 ? `-${turn}` : ''}-c${call + 1}`,
      );
      return asking(calls, `${chat}-a${turn}`);
    }
    const isKnown = this.checksKeys && this.#keys.has(key);
    this.#keys.add(key);
    for (const [call, approved] of Object.entries(decisions)) {
      if (approved && !isKnown) this.ran[call] = (this.ran[call] ?? 0) + 1;
    }
    await this.onDecision?.();
    return [
      { type: 'start' },
      ...Object.entries(decisions).map(([toolCallId, approved]) =>
        approved
          ? { type: 'tool-output-available', toolCallId, output: 'done' }
          : { type: 'tool-output-denied', toolCallId },
      ),
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'All done.' },
      { type: 'text-end', id: 't' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop' },
    ];
  }
}

/** Writes chunks of a reply. */
export function write(response: ServerResponse, chunks: readonly object[]): void {
  if (!response.headersSent)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function asking(calls: readonly string[], messageId: string): object[] {
  return [
    { type: 'start', messageId },
    { type: 'start-step' },
    ...calls.flatMap((toolCallId) => [
      { type: 'tool-input-available', toolCallId, toolName: 'delete', input: { path: toolCallId } },
      { type: 'tool-approval-request', toolCallId, approvalId: `ask-${toolCallId}` },
    ]),
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'tool-calls' },
  ];
}
