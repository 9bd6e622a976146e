/** What the Rust tests in a browser need of the package: `./pkg-scripts/test` bundles it into `target/host.js`. */
export { enter, leave, Host, setNames } from '../../src/ts/wasm/handle-table.js';
export * as values from '../../src/ts/wasm/host-functions.js';
