/**
 * Starting the WebAssembly core, once for a page or process. Everything else in the package asks `assertInitialized`
 * before it calls into the core. Which file is loaded by default is not decided here (own-wasm.ts), so that an entry
 * point without default loading does not refer to the file.
 */
import { begin, imports } from '../../../target/bindgen/toolgate.js';
import { loadProtocols } from '../protocols/registry.js';
import { ToolGateError } from '../types/errors.js';
import type { CompiledModule, InitSource, WasmBytes } from '../types/init-source.js';
import { compileWasm, isA, loadFailed } from './load-wasm.js';
import type { Protocol } from '../types/index.js';

export type { InitSource };

let initialized = false;
let loading: Promise<void> | undefined;
/**
 * What `init` returned, by the protocols that were asked for. React's `use` needs the same promise at each rendering.
 */
const promises = new Map<string, Promise<void>>();

/** What `init` loads, and from where. */
export interface InitOptions {
  /** The core's WebAssembly. Default: the package's own file; `toolgate/slim` has none. */
  readonly source?: InitSource;
  /** The protocols that the page speaks. Default: all. The AI SDK's is always there. */
  readonly protocols?: readonly Protocol[];
}

/**
 * Loads the core, unless it runs already, and the protocols. One promise for all calls that want the same protocols;
 * one that rejected is forgotten. @internal
 */
export function load(given: InitSource | InitOptions | undefined, ownSource: () => InitSource): Promise<void> {
  const { source, protocols } = isOptions(given) ? given : { source: given, protocols: undefined };
  const wanted = protocols ? [...protocols].sort().join() : 'all';
  const known = promises.get(wanted);
  if (known) return known;
  const made = Promise.all([start(() => source ?? ownSource()), loadProtocols(protocols)]).then(() => {});
  promises.set(wanted, made);
  made.catch(() => promises.delete(wanted));
  return made;
}

/** A source that is an object is one of the platform's. */
function isOptions(given: InitSource | InitOptions | undefined): given is InitOptions {
  return typeof given === 'object' && given !== null && isA(given, 'Object') && !('then' in given);
}

function start(source: () => InitSource): Promise<void> {
  if (initialized) return Promise.resolve();
  loading ??= run(source).finally(() => {
    loading = undefined;
  });
  return loading;
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
    begin(await WebAssembly.instantiate(module, imports));
  } catch (error) {
    throw loadFailed('the WebAssembly module belongs to something else', error);
  }
  initialized = true;
}

/**
 * Loads the core from `source`: a URL, a Response, the bytes, or a compiled module; and the protocols: all, or those
 * of `init({ source, protocols })`. Returns one promise, the same for every call that asks for these protocols; a
 * call with others loads only what is missing. Rejects with `load-failed`, and a later call may try again.
 */
export function init(source: InitSource | (InitOptions & { readonly source: InitSource })): Promise<void> {
  return load(source, () => source as InitSource);
}

/**
 * Starts the core at once, from its bytes or a compiled module. Does nothing if it runs already. Throws `load-failed`. Of the
 * protocols only the AI SDK's is there at once; `loadProtocols` brings others.
 * Some browsers refuse to compile more than a few kilobytes this way on the main thread; `init` always works.
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
