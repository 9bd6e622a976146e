/**
 * `toolgate/toolgate.wasm`: the WebAssembly file. Depending on the bundler, importing it returns a compiled module (as
 * in Cloudflare Workers), a URL or the bytes. `init` accepts each of them.
 */
import type { InitSource } from './index.js';

/** The file in the form that the bundler returns: an argument of `init`. */
declare const source: InitSource;
export default source;
