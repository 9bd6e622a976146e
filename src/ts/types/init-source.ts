/**
 * What `init` takes: where the WebAssembly comes from. No code.
 */

/** Where the WebAssembly comes from: a URL, a response or the promise of one, the bytes, or a compiled module. */
export type InitSource = string | URL | Response | PromiseLike<Response> | WasmBytes | CompiledModule;

/** The bytes of the file. Not `BufferSource`: projects for Node, which have no types of a page, know no such name. */
export type WasmBytes = ArrayBufferView | ArrayBuffer;

/** A `WebAssembly.Module`. TypeScript's own type of that name has no members, so that anything would pass for one, even a number. */
export interface CompiledModule {
  readonly exports?: never;
}
