/**
 * Every kind of valid source for `init`, and every kind of invalid one. All errors have the same code, and their
 * message names the valid sources.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolGateError } from '../../src/ts/types/errors.js';
import type { InitSource } from '../../src/ts/types/index.js';
import { compileWasm } from '../../src/ts/wasm/load-wasm.js';

/** The smallest WebAssembly module: the magic number and version 1. */
const WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
/** The magic number followed by garbage. */
const DAMAGED = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 99, 99]);

let server: Server;
let origin: string;
let folder: string;

beforeAll(async () => {
  const answers: Record<string, [status: number, type: string | undefined, body: Uint8Array | string]> = {
    '/good.wasm': [200, 'application/wasm', WASM],
    '/charset.wasm': [200, 'application/wasm; charset=utf-8', WASM],
    '/octets.wasm': [200, 'application/octet-stream', WASM],
    '/untyped.wasm': [200, undefined, WASM],
    '/page.wasm': [200, 'text/html', '<!doctype html><title>App</title>'],
    '/node_modules/.vite/deps/toolgate.wasm': [200, 'text/html', '<!doctype html><title>App</title>'],
    '/mislabelled.wasm': [200, 'application/wasm', '<!doctype html>'],
    '/empty.wasm': [200, 'text/plain', ''],
    '/damaged.wasm': [200, 'text/plain', DAMAGED],
    '/broken.wasm': [500, 'text/plain', 'oops'],
  };
  server = createServer((request, response) => {
    if (request.url === '/cut.wasm') {
      response.writeHead(200, { 'content-length': 1000 });
      response.write(WASM, () => response.destroy());
      return;
    }
    const [status, type, body] = answers[request.url ?? ''] ?? [404, 'text/html', '<h1>Not found</h1>'];
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'toolgate-'));
  await writeFile(join(folder, 'good.wasm'), WASM);
  await writeFile(join(folder, 'text.wasm'), 'hello');
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function refusal(source: unknown): Promise<ToolGateError> {
  const error: unknown = await compileWasm(source as InitSource).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolGateError);
  expect((error as ToolGateError).code).toBe('load-failed');
  // Every message names the valid sources.
  expect((error as ToolGateError).message).toContain('toolgate/toolgate.wasm');
  return error as ToolGateError;
}

describe('sources', () => {
  const good: [string, () => InitSource][] = [
    ['a module', () => new WebAssembly.Module(WASM)],
    ['bytes', () => WASM],
    ['a view of part of a buffer', () => new Uint8Array([9, ...WASM, 9]).subarray(1, 9)],
    ['an ArrayBuffer', () => WASM.slice().buffer],
    ['a buffer of another realm', () => vm.runInNewContext(`new Uint8Array([${WASM.join()}]).buffer`) as ArrayBuffer],
    ['a URL', () => new URL('/good.wasm', origin)],
    ['a URL as a string', () => `${origin}/good.wasm`],
    ['a response', () => new Response(WASM)],
    [
      'a response with the right content type',
      () => new Response(WASM, { headers: { 'content-type': 'application/wasm' } }),
    ],
    ['the promise of a response', () => fetch(`${origin}/good.wasm`)],
    ['a content type with parameters', () => `${origin}/charset.wasm`],
    ['the wrong content type', () => `${origin}/octets.wasm`],
    ['no content type', () => `${origin}/untyped.wasm`],
    ['a file URL', () => pathToFileURL(join(folder, 'good.wasm'))],
    ['a file URL as a string', () => pathToFileURL(join(folder, 'good.wasm')).href],
    ['a data URL', () => `data:application/wasm;base64,${Buffer.from(WASM).toString('base64')}`],
  ];
  it.each(good)('%s', async (_, source) => {
    expect(await compileWasm(source())).toBeInstanceOf(WebAssembly.Module);
  });
});

describe('failures', () => {
  it.each([
    ['/missing.wasm', '/missing.wasm (status 404, text/html) is an error response'],
    ['/broken.wasm', '/broken.wasm (status 500, text/plain) is an error response'],
    ['/page.wasm', '/page.wasm (status 200, text/html) is not WebAssembly but an HTML page'],
    [
      '/node_modules/.vite/deps/toolgate.wasm',
      "/node_modules/.vite/deps/toolgate.wasm (status 200, text/html) is not WebAssembly but an HTML page. In vite.config: optimizeDeps: { exclude: ['toolgate'] }",
    ],
    ['/empty.wasm', '/empty.wasm (status 200, text/plain) is not WebAssembly: it starts with ""'],
    ['/damaged.wasm', '/damaged.wasm (status 200, text/plain) is damaged or truncated'],
    ['/mislabelled.wasm', '/mislabelled.wasm (status 200, application/wasm) is damaged'],
    ['/cut.wasm', '/cut.wasm (status 200, no content type) could not be read completely'],
  ])('%s', async (path, message) => {
    const error = await refusal(origin + path);
    expect(error.message).toContain(origin + message);
  });

  it('names a server that does not respond, and keeps the cause', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/a.wasm`;
    await new Promise((resolve) => closed.close(resolve));
    const error = await refusal(url);
    expect(error.message).toContain(`${url} could not be read`);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('names a file that is missing or not WebAssembly', async () => {
    const missing = pathToFileURL(join(folder, 'missing.wasm'));
    expect((await refusal(missing)).message).toContain(`${missing.href} could not be read (ENOENT`);
    expect((await refusal(pathToFileURL(join(folder, 'text.wasm')))).message).toContain(
      'is not WebAssembly: it starts with "hell"',
    );
  });

  it('contains the reason why the Response promise was rejected', async () => {
    const cause = new Error('offline');
    const error = await refusal(Promise.reject(cause));
    expect(error.message).toContain('The Response promise was rejected (offline)');
    expect(error.cause).toBe(cause);
  });

  it('reports a response that was already read', async () => {
    const response = new Response(WASM);
    await response.arrayBuffer();
    expect((await refusal(response)).message).toContain('could not be read completely');
  });

  it.each([
    [undefined, 'of type undefined'],
    [null, 'null'],
    [42, 'of type number'],
    [{}, 'of type object'],
    ['not a url', 'not a url could not be read'],
  ])('refuses %o', async (source, what) => expect((await refusal(source)).message).toContain(what));
});
