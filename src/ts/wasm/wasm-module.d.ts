/** The type of a WebAssembly file that is imported with `?module`, as edge runtimes do. */
declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
