/** What edge runtimes make of a WebAssembly file that is imported with `?module`. */
declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
