/**
 * The names of the methods that a guarded chat replaces or has, and how such a method finds its present form. This file
 * imports only types, because a chat is shown before the core is loaded.
 *
 * Lists of methods are joined inside functions: a bundler keeps a list that a module makes by a spread at its top, even
 * if no code uses it.
 */
import type { WaitingChat } from './waiting-chat.js';
import type { ChatMethods } from './waiting-methods.js';

/** The methods that every chat and the AI SDK's bindings for all frameworks have. */
export const COMMON_METHODS = [
  'sendMessage',
  'regenerate',
  'stop',
  'resumeStream',
  'clearError',
  'addToolApprovalResponse',
  'addToolOutput',
] as const satisfies readonly (keyof ChatMethods)[];

/** The methods of chats with a message queue. */
export const QUEUE_METHODS = [
  'experimental_removeQueuedMessage',
  'experimental_sendQueuedMessageNow',
] as const satisfies readonly (keyof ChatMethods)[];

/** A method of a chat. It is looked up on each call: another one takes its place when the gate exists. */
export function methodOf(waiting: WaitingChat, name: keyof ChatMethods): (...args: never[]) => unknown {
  return (...args) => (waiting.methods[name] as (...args: never[]) => unknown)(...args);
}
