/**
 * The public types of `toolgate/ai-sdk`: what `guard` takes. What it knows of the inside of a chat is in
 * `chat-internals.ts`. Nothing is imported from `ai`, not even types.
 */
import type { ToolGateOptions } from '../types/index.js';

/** What {@link guard} can be told beside the chat. */
export interface GuardOptions {
  /**
   * How the gate behaves: `onUserMessage`, `browserTools`, `texts` and the rest. The protocol, the chat's id and the
   * source of new ids come from the chat itself.
   */
  readonly gate?: Omit<ToolGateOptions, 'protocol' | 'chatId' | 'generateId'>;
  /**
   * The request header that carries each request's idempotency key; `false` for none. Default `'Idempotency-Key'`. A
   * server of another origin must name it in `Access-Control-Allow-Headers`, or the browser refuses every request of
   * the chat. Without it a server cannot tell that a request was there before. A header that the app sets itself stays.
   */
  readonly idempotencyHeader?: string | false;
}
