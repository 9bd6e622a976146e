/**
 * Loading without being told from where: the package's own `toolgate.wasm`, which lies beside this file in the package.
 * Bundlers recognise the expression below, copy the file and put its new URL there.
 */
import { load, type InitOptions, type InitSource } from './init.js';

/**
 * Loads the core and the protocols: without an argument from the package's own files, in Node too, and all protocols.
 * Call it before `new ToolGate()`, as often as you like: every call that asks for the same protocols returns the same
 * promise, so React's `use(init())` settles. `init({ protocols: ['acp'] })` downloads no more than these; the AI
 * SDK's is always there. A source is for apps that keep the wasm elsewhere. Rejects with `load-failed`, and a later
 * call may try again.
 */
export function init(source?: InitSource | InitOptions): Promise<void> {
  return load(source, () => {
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
