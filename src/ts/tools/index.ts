/** `toolgate/tools`: runs tools in the browser when their calls may run. Loads no WebAssembly. */
export { elicitationHandler } from './elicitation.js';
export type * from './elicitation.js';
export { registerTools } from './register-tools.js';
export type * from './tool-types.js';
