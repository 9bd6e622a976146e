/**
 * The public types of the package. No code.
 */
export type * from './options.js';
export type * from './message.js';
export type * from './view.js';
export type * from './event.js';
export type * from './protocol.js';
export type * from './typed-tools.js';
export type { ToolGateErrorCode } from './errors.js';
export type { InitSource } from './init-source.js';
