/** Checks the options of `guard` and `useGuardedChat` that are not the AI SDK's. */
import { GATE_OPTIONS } from '../gate/gate-options.js';
import { checkOptions } from '../types/option-checks.js';
import type { GuardOptions } from './guard-options.js';
import { say } from '../types/say.js';

/** The default header for the idempotency key. */
const KEY_HEADER = 'Idempotency-Key';

/**
 * Returns the name of the header for idempotency keys, or undefined. Throws a `TypeError` for invalid options. `where`
 * names the called function in the error.
 */
export function checkGuardOptions(where: string, options: GuardOptions): string | undefined {
  const { gate, idempotencyHeader: header = KEY_HEADER } = options;
  for (const name of ['protocol', 'chatId', 'generateId']) {
    if (!gate || !(name in gate)) continue;
    throw new TypeError(say`${where}: invalid gate option \`${name}\`. The chat sets it; omit the option.`);
  }
  if (gate) checkOptions(where, gate, GATE_OPTIONS);
  if (header === false) return undefined;
  if (typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) return header;
  throw new TypeError(say`${where}: invalid option \`idempotencyHeader\`. Expected a header name, or false for none.`);
}
