/**
 * Which chats the AI SDK's tests get:
 * - `bare`: those of the installed `ai` and `@ai-sdk/*`. A test that fails with these says nothing about Toolgate.
 * - `guard`: the same, each with `guard()` around it
 * - `own`: those of `useGuardedChat(options)`. Tests that need a `Chat` object of React have none.
 */
export type Mode = 'bare' | 'guard' | 'own';

export const mode = process.env['SUITE_MODE'] as Mode;

/** The start of the message of the error that a test throws which the mode has no chat for. */
export const NO_CHAT = 'toolgate: no such chat in this mode';

/** Throws, in a test that needs what the mode does not have. */
export function refuse(what: string): never {
  throw new Error(`${NO_CHAT}: ${what}`);
}
