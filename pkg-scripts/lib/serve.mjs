/**
 * A small static file server for the demo and the packaging tests: 127.0.0.1 only, GET and HEAD only, no caching.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/**
 * Serves `folder`. Listens on `port`, or on a free one if that is taken (0: always a free one).
 * Resolves to `{ url, close }`.
 */
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => answer(folder, request, response));
  await listen(server, port).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

const listen = (server, port) =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

function answer(folder, request, response) {
  const refuse = (status) => response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  } catch {
    return refuse(400);
  }
  // A path is normalized as an absolute one, so that `..` cannot climb out of the folder.
  const whole = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
  const stats = (name) => (path.includes('\0') ? undefined : statSync(name, { throwIfNoEntry: false }));
  // Most static hosts find a page without its `.html` too.
  const file = extname(whole) === '' && !stats(whole) ? `${whole}.html` : whole;
  const stat = stats(file);
  // The relative links in a folder's index.html work only if the address ends with a slash.
  if (stat?.isDirectory()) return response.writeHead(301, { location: `.${path.slice(path.lastIndexOf('/'))}/` }).end();
  if (!stat?.isFile()) return refuse(404);
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': stat.size,
    'cache-control': 'no-store',
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file).pipe(response);
}
