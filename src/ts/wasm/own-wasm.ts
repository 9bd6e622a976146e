/**
 * Loading without being told from where: the package's own `toolgate.wasm`, which lies beside this file in the package.
 * Bundlers recognise the expression below, copy the file and put its new URL there.
 */
import { load, type InitSource } from './init.js';

/**
 * Loads the core: without an argument the package's own WebAssembly file, in Node too. Call it before `new ToolGate()`,
 * as often as you like: every call returns the same promise, so React's `use(init())` settles. A source is for apps
 * that keep the file elsewhere. Rejects with `load-failed`, and a later call may try again.
 */
export function init(source?: InitSource): Promise<void> {
  return load(() => {
    if (source !== undefined) return source;
    const url = new URL('./toolgate.wasm', import.meta.url);
    return url.pathname.includes('/.vite/deps/') ? fromOptimizer(url) : url;
  });
}

/**
 * Before version 8, Vite's development server has packages in a folder of its own, without the files that they name by URL, and
 * answers with the app's page. The file itself is where npm put it, beside that folder.
 */
async function fromOptimizer(url: URL): Promise<Response> {
  const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true;
  const response = await fetch(url);
  if (!isPage(response)) return response;
  const other = await fetch(new URL('../../toolgate/dist/toolgate.wasm', url));
  return isPage(other) ? response : other;
}
