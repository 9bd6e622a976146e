/**
 * Checks options when a gate is made: a misspelt policy must not quietly become the default one.
 */
import { PROTOCOLS } from './capabilities.js';
import type { ToolGateOptions } from './types.js';

const ON_USER_MESSAGE = ['deny-pending', 'cancel-pending', 'queue', 'block'];

/** Throws a `TypeError` for an option or value that this version does not know. */
export function checkOptions(options: ToolGateOptions): void {
  one('protocol', options.protocol, Object.keys(PROTOCOLS));
  one('onUserMessage', options.onUserMessage, ON_USER_MESSAGE);
  one('onDeny', options.onDeny, ['continue']);
  one('history', options.history, ['client']);
  for (const name of ['approvalTimeoutMs', 'rewriteResult'] as const) one(name, options[name], []);
}

function one(name: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value as string)) return;
  const known = allowed.length > 0 ? `there is ${allowed.join(', ')}` : 'this version does not have it';
  throw new TypeError(`option ${name}: ${JSON.stringify(value) ?? String(value)} is not supported; ${known}`);
}

/** A random id of 16 letters and digits. */
export function randomId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => letters.charAt(byte % letters.length)).join('');
}
