/** `toolgate/ai-sdk`: guards an existing AI SDK chat. See `guard`. */
export { dispose, gateOf, guard, whenReady } from './guard/guard.js';
export type { AiSdkChat } from '../gate/gate-source.js';
export type { GuardOptions } from './guard-options.js';
