/**
 * From whatever an app has (a URL, a response, bytes, a module) to a compiled WebAssembly module, in browsers, workers,
 * Node, Bun and Deno. Knows nothing of Toolgate's own file (own-wasm.ts), and gives no module its imports (init.ts).
 * Nothing global is touched before the call, so importing this on a server is harmless.
 */
import { ToolGateError } from '../types/errors.js';
import type { InitSource } from '../types/init-source.js';

/** A `load-failed` error: what was read, what is wrong with it, and what would have been right. @internal */
export function loadFailed(what: string, cause?: unknown): ToolGateError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new ToolGateError(
    'load-failed',
    `${what}${reason}. What init() needs is the file \`toolgate/toolgate.wasm\` of this version: its URL, a Response with it, its bytes, or the compiled WebAssembly.Module`,
    { cause },
  );
}

/**
 * The file system where there is one that URLs do not reach: Node has no `fetch` for `file:`. Asked for in this way, no
 * bundler looks for it, warns of it, or needs a comment that a minifier would drop. Node has it from 20.16 and 22.3 on.
 */
const files = (): { readFile(url: URL): Promise<BufferSource> } | undefined =>
  typeof process === 'object' ? process.getBuiltinModule?.('node:fs/promises') : undefined;

/** Whether a value is of one of these built-in kinds, of whatever realm. @internal */
export const isA = (value: unknown, ...kinds: string[]): boolean =>
  kinds.includes(Object.prototype.toString.call(value).slice(8, -1));

async function compileBytes(bytes: BufferSource, from: string): Promise<WebAssembly.Module> {
  const start = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.byteLength))
    : new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength));
  const text = String.fromCharCode(...start);
  if (text !== '\0asm') {
    // What a server with a page for every address sends, above all a development server for a file it has not copied.
    const page = text[0] === '<' ? ', so it is a page' : '';
    // Before version 8, Vite's optimizer bundled packages without the files that they name by URL.
    const vite = from.includes('/.vite/deps/') ? ". In vite.config: optimizeDeps: { exclude: ['toolgate'] }" : '';
    throw loadFailed(`${from} is not WebAssembly: it starts with ${JSON.stringify(text)}${page}${vite}`);
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw loadFailed(`${from} is damaged`, error);
  }
}

async function compileResponse(response: Response, url?: string): Promise<WebAssembly.Module> {
  const type = response.headers.get('content-type');
  const from = `${response.url || url || 'the Response'} (status ${response.status}, ${type ?? 'no content type'})`;
  if (!response.ok) throw loadFailed(`${from} is not the file`);
  // Streaming wants this type and nothing else, no parameters; a server that says otherwise may still send the right bytes.
  if (type === 'application/wasm' && 'compileStreaming' in WebAssembly) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      throw loadFailed(`${from} is damaged, or was cut off`, error);
    }
  }
  let bytes;
  try {
    bytes = await response.arrayBuffer();
  } catch (error) {
    throw loadFailed(`${from} could not be read to its end`, error);
  }
  return compileBytes(bytes, from);
}

async function compileUrl(url: string): Promise<WebAssembly.Module> {
  const fs = url.startsWith('file:') && files();
  let response;
  try {
    if (fs) return await compileBytes(await fs.readFile(new URL(url)), url);
    response = await fetch(url);
  } catch (error) {
    throw error instanceof ToolGateError ? error : loadFailed(`${url} could not be read`, error);
  }
  return compileResponse(response, url);
}

/** Compiles what `source` stands for. Rejects with `load-failed`; the message names the URL, the status and the cure. @internal */
export async function compileWasm(source: InitSource): Promise<WebAssembly.Module> {
  let given;
  try {
    given = await source;
  } catch (error) {
    throw loadFailed('the promised Response did not come', error);
  }
  // By their looks, not by `instanceof`: an object may come from another realm, a test environment's for one.
  if (isA(given, 'WebAssembly.Module')) return given as WebAssembly.Module;
  if (typeof given === 'string') return compileUrl(given);
  if (isA(given, 'URL')) return compileUrl((given as URL).href);
  if (isA(given, 'Response')) return compileResponse(given as Response);
  if (ArrayBuffer.isView(given) || isA(given, 'ArrayBuffer', 'SharedArrayBuffer')) {
    return compileBytes(given as BufferSource, 'what was given');
  }
  throw loadFailed(`what was given is ${given === null ? 'null' : `a ${typeof given}`}`);
}
