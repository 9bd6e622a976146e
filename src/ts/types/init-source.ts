/**
 * The argument of `init`: the source of the WebAssembly module. No code.
 */

/** A source of the WebAssembly module: a URL, a response or a promise of one, the bytes, or a compiled module. */
export type InitSource = string | URL | Response | PromiseLike<Response> | WasmBytes | CompiledModule;

/** The bytes of the file. Not `BufferSource`: projects without DOM types, such as those for Node, lack that name. */
export type WasmBytes = ArrayBufferView | ArrayBuffer;

/** A `WebAssembly.Module`. TypeScript's own type of that name has no members, so every value would be accepted. */
export interface CompiledModule {
  readonly exports?: never;
}
