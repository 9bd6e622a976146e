/**
 * The backend of the packaging cases: records each request of a page, and replies that the approved call ran and the
 * other one did not.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running backend. */
export interface Backend {
  readonly url: string;
  /** The received requests, in order. */
  readonly received: unknown[];
  close(): Promise<void>;
}

const REPLY = [
  { type: 'start', messageId: 'reply' },
  { type: 'tool-output-available', toolCallId: 'call-a', output: 'deleted' },
  { type: 'tool-output-denied', toolCallId: 'call-b' },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Deleted a.txt and kept b.txt.' },
  { type: 'text-end', id: 't' },
  { type: 'finish-step' },
  { type: 'finish' },
];

/** Starts a backend on a free port of this machine. It accepts requests from any origin. */
export async function startBackend(): Promise<Backend> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    received.push(JSON.parse(text));
    response
      .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
      .end(JSON.stringify(REPLY));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
