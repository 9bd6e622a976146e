/**
 * `toolgate/toolgate.wasm`: what importing the file gives depends on who bundles: a compiled module in Cloudflare's workers, an
 * address or the bytes elsewhere. `init` takes each of them.
 */
import type { InitSource } from './index.js';

/** The file, as this bundler gives it: for `init(source)`. */
declare const source: InitSource;
export default source;
