/** What the Rust tests in a browser need of the package: `./pkg-scripts/test` bundles it into `target/host.js`. */
export { enter, leave, Host, setNames } from '../../src/ts/host.js';
export * as values from '../../src/ts/values.js';
