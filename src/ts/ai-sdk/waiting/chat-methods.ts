/** The names of the methods of guarded chats. Imports only types, because a chat is shown before the core is loaded. */
import type { AttachedMethods } from './waiting-acts.js';

/** The methods that every chat and the AI SDK's bindings for all frameworks have. */
export const COMMON_METHODS = [
  'sendMessage',
  'regenerate',
  'stop',
  'resumeStream',
  'clearError',
  'addToolApprovalResponse',
  'addToolOutput',
] as const satisfies readonly (keyof AttachedMethods)[];

/** The methods of chats with a message queue. */
export const QUEUE_METHODS = [
  'experimental_removeQueuedMessage',
  'experimental_sendQueuedMessageNow',
] as const satisfies readonly (keyof AttachedMethods)[];
