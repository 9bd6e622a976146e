/**
 * Starts the WebAssembly core, once per page or process. All other modules call `assertInitialized` before they call
 * the core. The default file is in own-wasm.ts, so that an entry point without default loading does not refer to it.
 */
import { begin, imports } from '../../../target/bindgen/toolgate.js';
import { ToolGateError } from '../types/errors.js';
import type { CompiledModule, InitSource, WasmBytes } from '../types/init-source.js';
import { compileWasm, isA, loadFailed } from './load-wasm.js';

export type { InitSource };

let initialized = false;
/** The promise that `init` returned. React's `use` needs the same promise in every render. */
let promise: Promise<void> | undefined;

/** Loads the core unless it is running already. All calls share one promise; a rejected one is dropped. @internal */
export function load(source: () => InitSource): Promise<void> {
  if (promise) return promise;
  const made = (promise = initialized ? Promise.resolve() : run(source));
  made.catch(() => {
    promise = undefined;
  });
  return made;
}

async function run(source: () => InitSource): Promise<void> {
  let given;
  try {
    given = source();
  } catch (error) {
    throw loadFailed('The location of the package is unknown in this environment', error);
  }
  const module = await compileWasm(given);
  try {
    const instance = await WebAssembly.instantiate(module, imports);
    // `initSync` may have started the core meanwhile, and gates may be using that instance.
    if (!initialized) begin(instance);
  } catch (error) {
    throw loadFailed("The WebAssembly module is not Toolgate's, or from another version", error);
  }
  initialized = true;
}

/**
 * Loads the core from `source`: a URL, a Response, the bytes, or a compiled module. Returns the same promise for every
 * call, whatever the source. Rejects with `load-failed`; a later call may try again.
 */
export function init(source: InitSource): Promise<void> {
  return load(() => source);
}

/**
 * Starts the core synchronously from its bytes or a compiled module, for places that already have a module and cannot
 * await. Does nothing if the core is running already. Throws `load-failed`. On the main thread, some browsers refuse to
 * compile more than a few kilobytes synchronously; `init` always works.
 */
export function initSync(source: WasmBytes | CompiledModule): void {
  if (initialized) return;
  try {
    const module = isA(source, 'WebAssembly.Module') ? source : new WebAssembly.Module(source as BufferSource);
    begin(new WebAssembly.Instance(module as WebAssembly.Module, imports));
  } catch (error) {
    throw loadFailed('The WebAssembly module could not be started', error);
  }
  initialized = true;
}

/** Whether the core is running. */
export function isInitialized(): boolean {
  return initialized;
}

/** Throws `not-initialized` unless the core is running. */
export function assertInitialized(): void {
  if (!initialized) {
    throw new ToolGateError('not-initialized', 'Call `await init()` before creating a ToolGate.');
  }
}
