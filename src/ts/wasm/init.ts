/**
 * Starting the WebAssembly core, once for a page or process. Everything else in the package asks `assertInitialized`
 * before it calls into the core. Which file is loaded by default is not decided here (own-wasm.ts), so that an entry
 * point without default loading does not refer to the file.
 */
import { begin, imports } from '../../../target/bindgen/toolgate.js';
import { ToolGateError } from '../types/errors.js';
import type { CompiledModule, InitSource, WasmBytes } from '../types/init-source.js';
import { compileWasm, isA, loadFailed } from './load-wasm.js';

export type { InitSource };

let initialized = false;
/** What `init` returned: React's `use` needs the same promise at each rendering. */
let promise: Promise<void> | undefined;

/** Loads the core, unless it runs already. One promise for all calls; one that rejected is forgotten. @internal */
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
    throw loadFailed('this environment does not tell where the package lies', error);
  }
  const module = await compileWasm(given);
  try {
    const instance = await WebAssembly.instantiate(module, imports);
    // `initSync` was faster: gates may use its instance already.
    if (!initialized) begin(instance);
  } catch (error) {
    throw loadFailed('the WebAssembly module belongs to something else', error);
  }
  initialized = true;
}

/**
 * Loads the core from `source`: a URL, a Response, the bytes, or a compiled module. Returns one promise, the same for
 * every call, whatever its source. Rejects with `load-failed`, and a later call may try again.
 */
export function init(source: InitSource): Promise<void> {
  return load(() => source);
}

/**
 * Starts the core at once, from its bytes or a compiled module: where a module exists already, and nothing can be
 * awaited. Does nothing if it runs already. Throws `load-failed`. Some browsers refuse to compile more than a few
 * kilobytes this way on the main thread; `init` always works.
 */
export function initSync(source: WasmBytes | CompiledModule): void {
  if (initialized) return;
  try {
    const module = isA(source, 'WebAssembly.Module') ? source : new WebAssembly.Module(source as BufferSource);
    begin(new WebAssembly.Instance(module as WebAssembly.Module, imports));
  } catch (error) {
    throw loadFailed('the WebAssembly module could not be started', error);
  }
  initialized = true;
}

/** Whether the core runs. */
export function isInitialized(): boolean {
  return initialized;
}

/** Throws `not-initialized` unless the core runs. */
export function assertInitialized(): void {
  if (!initialized) {
    throw new ToolGateError(
      'not-initialized',
      'call `await init()` once before `new ToolGate()` or anything else of the core',
    );
  }
}
