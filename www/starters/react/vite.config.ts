import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Connect, type Plugin } from 'vite';
import { answer } from './server/chat.ts';

/** Answers /api/chat in `vite` and `vite preview`. Your own server passes a `Request` to `answer`, too. */
async function chat(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const headers = { 'idempotency-key': String(incoming.headers['idempotency-key'] ?? '') };
  const body = await text(incoming);
  const reply = await answer(new Request('http://localhost/api/chat', { method: 'POST', headers, body }));
  outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
  // Fails if the page is closed during the reply. The tools run to their end.
  await pipeline(Readable.from(reply.body ?? []), outgoing).catch(() => {});
}

const use = ({ middlewares }: { middlewares: Connect.Server }): void => {
  middlewares.use('/api/chat', (incoming, outgoing, next) => void chat(incoming, outgoing).catch(next));
};
const api: Plugin = { name: 'api', configureServer: use, configurePreviewServer: use };

export default defineConfig({ plugins: [react(), api] });
