/** The options of `guard`, which `useGuardedChat` has too, and their checks. Nothing is imported from `ai`. */
import { GATE_OPTIONS } from '../gate/gate-options.js';
import type { ToolGateOptions } from '../types/index.js';
import { checkOptions } from '../types/option-checks.js';
import { say } from '../types/say.js';

/** The options of {@link guard}. */
export interface GuardOptions {
  /**
   * The options of the gate: `onUserMessage`, `browserTools`, `texts` and others. The chat sets `protocol`, `chatId`
   * and `generateId`.
   */
  readonly gate?: Omit<ToolGateOptions, 'protocol' | 'chatId' | 'generateId'>;
  /**
   * The request header with the idempotency key; `false` for none. Default `'Idempotency-Key'`. A server of another
   * origin must list it in `Access-Control-Allow-Headers`, otherwise the browser blocks every request of the chat.
   * Without the header a server cannot recognize repeated requests. A header that the app sets itself is not
   * overwritten.
   */
  readonly idempotencyHeader?: string | false;
}

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
