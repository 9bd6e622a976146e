/**
 * Checks options when a gate is made: a misspelt policy must not quietly become the default one.
 */
import { PROTOCOLS } from './codecs/registry.js';
import type { Protocol, ToolGateOptions } from './types.js';

/** In the order of the numbers in `src/wasm/mod.rs`, like the list behind it. */
export const ON_DENY: readonly string[] = ['continue', 'skip-rest', 'end-turn', 'by-reason'];
export const ON_USER_MESSAGE: readonly string[] = ['deny-pending', 'cancel-pending', 'queue', 'block'];

/** Protocols whose backends keep nothing: every request carries all. */
const CLIENT_KEEPS: readonly Protocol[] = ['ai-sdk', 'effect', 'anthropic', 'openai-chat', 'gemini', 'vscode'];

/** Throws a `TypeError` for an option or value that this version does not know. */
export function checkOptions(options: ToolGateOptions): void {
  one('protocol', options.protocol, PROTOCOLS);
  one('onUserMessage', options.onUserMessage, ON_USER_MESSAGE);
  one('onDeny', options.onDeny, ON_DENY);
  one('history', options.history, CLIENT_KEEPS.includes(options.protocol ?? 'ai-sdk') ? ['client'] : ['client', 'server']);
  one('incompleteTurn', options.incompleteTurn, ['keep', 'drop']);
  const { approvalTimeoutMs: timeout, rewriteResult, remembered, needsApproval } = options;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout < Number.MAX_SAFE_INTEGER)) {
    throw new TypeError('option approvalTimeoutMs: a number of ms above 0, or left out for "never"');
  }
  for (const [name, call] of Object.entries({ rewriteResult, needsApproval })) {
    if (call !== undefined && typeof call !== 'function') throw new TypeError(`option ${name}: a function`);
  }
  if (remembered !== undefined && !Array.isArray(remembered)) throw new TypeError('option remembered: a list, as remembered() returns it');
}

function one(name: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value as string)) return;
  throw new TypeError(`option ${name}: ${JSON.stringify(value) ?? String(value)} is not supported; there is ${allowed.join(', ')}`);
}
