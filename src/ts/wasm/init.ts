/**
 * Starts the WebAssembly core, once per page or process. All other modules call `assertInitialized` before they call
 * the core. The default file is in own-wasm.ts, so that an entry point without default loading does not refer to it.
 */
import { begin, imports } from '../../../target/bindgen/toolgate.js';
import { ToolGateError } from '../types/errors.js';
import type { CompiledModule, InitSource, WasmBytes } from '../types/init-source.js';
import { isRunning, loadOnce, markRunning, rememberLocation } from './core-state.js';
import { compileFetched, compileFrom, isA, loadFailed, type FetchedFile } from './load-wasm.js';
import { say } from '../types/say.js';

export type { InitSource };

/** Loads the core unless it is running already, and the scripts that load with it. See `loadOnce`. @internal */
export function load(source: () => InitSource): Promise<void> {
  return loadOnce(() => startCore(source));
}

/** Compiles and starts the core. Does nothing if it is running already. Rejects with `load-failed`. @internal */
export async function startCore(source: FetchedFile | (() => InitSource)): Promise<void> {
  const module = await (typeof source === 'function' ? compileFrom(source) : compileFetched(source));
  try {
    const instance = await WebAssembly.instantiate(module, imports);
    // `initSync` may have started the core meanwhile, and gates may be using that instance.
    if (!isRunning()) begin(instance);
  } catch (error) {
    throw loadFailed(say`The WebAssembly module is not Toolgate's, or from another version`, error);
  }
  markRunning();
}

/**
 * Loads the core from `source`: a URL, a Response, the bytes, or a compiled module. Returns the same promise for every
 * call, whatever the source. Rejects with `load-failed`; a later call may try again.
 */
export function init(source: InitSource): Promise<void> {
  rememberLocation(source);
  return load(() => source);
}

/**
 * Starts the core synchronously from its bytes or a compiled module, for places that already have a module and cannot
 * await. Does nothing if the core is running already. Throws `load-failed`. On the main thread, some browsers refuse to
 * compile more than a few kilobytes synchronously; `init` always works. The script of `toolgate/ai-sdk` loads
 * afterwards: `whenReady(chat)` waits for it.
 */
export function initSync(source: WasmBytes | CompiledModule): void {
  if (isRunning()) return;
  try {
    const module = isA(source, 'WebAssembly.Module') ? source : new WebAssembly.Module(source as BufferSource);
    begin(new WebAssembly.Instance(module as WebAssembly.Module, imports));
  } catch (error) {
    throw loadFailed(say`The WebAssembly module could not be started`, error);
  }
  markRunning();
  // Loads the scripts that load with the core, so that a chat that is guarded later has its gate at once.
  void loadOnce(() => Promise.resolve());
}

/** Whether the core is running. */
export function isInitialized(): boolean {
  return isRunning();
}

/** Throws `not-initialized` unless the core is running. */
export function assertInitialized(): void {
  if (!isRunning()) {
    throw new ToolGateError('not-initialized', say`Call \`await init()\` before creating a ToolGate.`);
  }
}
