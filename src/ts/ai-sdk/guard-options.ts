/** The public types of `toolgate/ai-sdk`. Nothing is imported from `ai`, not even types. */
import type { ToolGateOptions } from '../types/index.js';

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
