/** `toolgate/ai-sdk`: keeps an existing AI SDK chat and makes it safe. See `guard`. */
export { dispose, gateOf, guard } from './guard.js';
export type { AiSdkChat } from '../gate/gate-source.js';
export type { GuardOptions } from './guard-options.js';
