/**
 * The parts of the package that the Rust tests in a browser use. `./pkg-scripts/test` bundles them into
 * `target/host.js`.
 */
export { enter, leave, HandleTable, setNames } from '../../src/ts/wasm/handle-table.js';
export * as values from '../../src/ts/wasm/host-functions.js';
