/** `toolgate/tools`: runs tools that live in the page, once their calls may run. No wasm, no gate of its own. */
export { registerTools } from './register-tools.js';
export type * from './tool-types.js';
