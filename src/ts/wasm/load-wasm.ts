/**
 * Compiles the WebAssembly module from any source that an app has (a URL, a response, bytes, a module), in browsers,
 * workers, Node, Bun and Deno. The package's own file is in own-wasm.ts, instantiation in init.ts. Importing this
 * module touches no globals, so it is safe on servers.
 */
import { ToolGateError } from '../types/errors.js';
import type { InitSource } from '../types/init-source.js';
import { say } from '../types/say.js';

/** What browsers say when a page's policy forbids WebAssembly. */
const FORBIDDEN = /content security|\bCSP\b|unsafe-eval/i;

/** Makes a `load-failed` error. Its message says what was read, what is wrong with it, and what to do. @internal */
export function loadFailed(what: string, cause?: unknown): ToolGateError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  const remedy = FORBIDDEN.test(reason)
    ? say`The page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its \`script-src\`.`
    : say`Pass init() the file \`toolgate/toolgate.wasm\` of this version: its URL, a Response, its bytes, or a compiled
        WebAssembly.Module.`;
  return new ToolGateError('load-failed', `${what}${reason}. ${remedy}`, { cause });
}

/** The error for bytes that the browser does not compile: the file is broken, or the page's policy forbids it. */
function notCompiled(from: string, cause: unknown): ToolGateError {
  const isForbidden = FORBIDDEN.test(String(cause));
  return loadFailed(isForbidden ? say`${from} was not compiled` : say`${from} is damaged or truncated`, cause);
}

/**
 * The file system, in environments that have one: Node's `fetch` does not support `file:`. Bundlers do not resolve
 * `getBuiltinModule`; they would resolve an import, which fails for browsers. Node has it since 20.16 and 22.3.
 */
const files = (): { readFile(url: URL): Promise<BufferSource> } | undefined =>
  typeof process === 'object' ? process.getBuiltinModule?.('node:fs/promises') : undefined;

/** Whether a value is of one of these built-in types, from any realm. @internal */
export const isA = (value: unknown, ...kinds: string[]): boolean =>
  kinds.includes(Object.prototype.toString.call(value).slice(8, -1));

async function compileBytes(bytes: BufferSource, from: string): Promise<WebAssembly.Module> {
  const start = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.byteLength))
    : new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength));
  const text = String.fromCharCode(...start);
  if (text !== '\0asm') {
    // Some servers answer every unknown URL with an HTML page, often development servers that lack the file.
    const what =
      text[0] === '<'
        ? say`${from} is not WebAssembly but an HTML page`
        : say`${from} is not WebAssembly: it starts with ${JSON.stringify(text)}`;
    // Before version 8, Vite's optimizer bundled packages without the files that they refer to by URL.
    const isOfVite = from.includes('/.vite/deps/');
    throw loadFailed(isOfVite ? `${what}. ${say`In vite.config: optimizeDeps: { exclude: ['toolgate'] }`}` : what);
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw notCompiled(from, error);
  }
}

async function compileResponse(response: Response, url?: string): Promise<WebAssembly.Module> {
  const type = response.headers.get('content-type');
  const from = `${response.url || url || 'the Response'} (status ${response.status}, ${type ?? 'no content type'})`;
  if (!response.ok) throw loadFailed(say`${from} is an error response`);
  // `compileStreaming` requires exactly this type, without parameters. With another type the bytes may still be right.
  if (type === 'application/wasm' && 'compileStreaming' in WebAssembly) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      throw notCompiled(from, error);
    }
  }
  let bytes;
  try {
    bytes = await response.arrayBuffer();
  } catch (error) {
    throw loadFailed(say`${from} could not be read completely`, error);
  }
  return compileBytes(bytes, from);
}

/** A file that is being fetched. */
export interface FetchedFile {
  readonly url: string;
  readonly response: Promise<Response>;
}

/** Compiles a file that is being fetched. Rejects with `load-failed`. @internal */
export async function compileFetched({ url, response }: FetchedFile): Promise<WebAssembly.Module> {
  let found;
  try {
    found = await response;
  } catch (error) {
    throw loadFailed(say`${url} could not be read`, error);
  }
  return compileResponse(found, url);
}

async function compileUrl(url: string): Promise<WebAssembly.Module> {
  const fs = url.startsWith('file:') && files();
  if (!fs) return compileFetched({ url, response: fetch(url) });
  let bytes;
  try {
    bytes = await fs.readFile(new URL(url));
  } catch (error) {
    throw loadFailed(say`${url} could not be read`, error);
  }
  return compileBytes(bytes, url);
}

/** Compiles `source`. Rejects with `load-failed`; the message names the URL, the status and the remedy. @internal */
export async function compileWasm(source: InitSource): Promise<WebAssembly.Module> {
  let given;
  try {
    given = await source;
  } catch (error) {
    throw loadFailed(say`The Response promise was rejected`, error);
  }
  // Checks tags instead of `instanceof`, because the object may come from another realm, such as a test environment.
  if (isA(given, 'WebAssembly.Module')) return given as WebAssembly.Module;
  if (typeof given === 'string') return compileUrl(given);
  if (isA(given, 'URL')) return compileUrl((given as URL).href);
  if (isA(given, 'Response')) return compileResponse(given as Response);
  if (ArrayBuffer.isView(given) || isA(given, 'ArrayBuffer', 'SharedArrayBuffer')) {
    return compileBytes(given as BufferSource, 'The source');
  }
  throw loadFailed(say`The source is ${given === null ? 'null' : `of type ${typeof given}`}`);
}

/** Compiles what `source` returns. Rejects with `load-failed`, also if `source` throws. @internal */
export async function compileFrom(source: () => InitSource): Promise<WebAssembly.Module> {
  let given;
  try {
    given = source();
  } catch (error) {
    throw loadFailed(say`The location of the package is unknown in this environment`, error);
  }
  return compileWasm(given);
}
