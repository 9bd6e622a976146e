/**
 * Loads the core of guarded chats: the script in `attach.ts`, and the wasm file beside it. Imports no code of the core.
 */
import { ToolGateError } from '../../types/errors.js';
import type { InitSource } from '../../types/init-source.js';
import { givenLocation, isRunning, loadOnce, loadWithCore } from '../../wasm/core-state.js';
import { ownFile } from '../../wasm/own-file.js';
import type { FetchedFile } from '../../wasm/load-wasm.js';
import { say } from '../../types/say.js';

/** The script of the core. */
export type Core = typeof import('../driver/attach.js');

let core: Core | undefined;

/** Also called by `init()`, so that a chat that is guarded after `await init()` has its gate at once. */
async function loadScript(): Promise<Core> {
  try {
    return (core ??= await import('../driver/attach.js'));
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new ToolGateError(
      'load-failed',
      say`toolgate/ai-sdk could not be loaded${reason}. Check that the server still has all files of this build, then
        reload the page.`,
      { cause: error },
    );
  }
}

loadWithCore(loadScript);

/** The core, if it is loaded and running. */
export function loadedCore(): Core | undefined {
  return isRunning() ? core : undefined;
}

/** Loads and starts the core. Rejects with `load-failed`; a later call tries again. */
export async function loadCore(): Promise<Core> {
  await loadOnce(async () => {
    // The file and the script are fetched at the same time. The script compiles the file.
    const file = fetchFile();
    await (await loadScript()).startCore(file);
  });
  return loadScript();
}

const locate = (): InitSource => givenLocation() ?? ownFile();

/** Starts to fetch the wasm file. In Node it is read later. */
function fetchFile(): FetchedFile | (() => InitSource) {
  try {
    const source = locate();
    const isUrl = typeof source === 'string' || source instanceof URL;
    const response = isUrl && !String(source).startsWith('file:') ? fetch(source) : undefined;
    // The script reports a failure.
    for (const started of [response, source]) if (started instanceof Promise) started.catch(() => {});
    return response ? { url: String(source), response } : () => source;
  } catch {
    return locate;
  }
}

/** Whether this is a page or a worker of one. A server loads the core only when the app uses a chat. */
export function isInPage(): boolean {
  return (
    typeof document === 'object' || typeof (globalThis as { importScripts?: unknown }).importScripts === 'function'
  );
}
