/** What a wire must do for the kit: read requests, and write the chunks of replies. */
import type { Chunk } from '../scenario.js';

/** A call in a request, in the order of the conversation. */
export interface ReadCall {
  readonly id: string;
  readonly tool: string;
  /** The input as JSON. */
  readonly input: string;
  /** Its approval was answered, and the server has to act on it. */
  readonly decided?: { readonly approved: boolean; readonly reason?: string };
  readonly isProviderExecuted?: boolean;
}

/** A request as a server understands it. */
export interface ReadRequest {
  /** The id of the chat; for the address of a resumed reply. */
  readonly chatId: string;
  /** The id of the message that the reply continues, if there is one. */
  readonly continues?: string;
  /** Approved and denied calls of the last step, which the server has to act on. */
  readonly decisions: readonly ReadCall[];
  /**
   * What the model would read, one line each: `user: …`, `assistant: …`, `call c1: tool {input}`,
   * `result c1: output "…"`, `result c1: error "…"`, `result c1: denied "…"`. Results of {@link decisions} are missing.
   */
  readonly prompt: readonly string[];
  /** Calls without a result that nobody has decided. */
  readonly open: readonly string[];
}

/** A format of requests and replies. */
export interface Wire {
  readonly name: string;
  /** Reads a request's JSON body. Throws if it is not a request of this wire. */
  read(body: unknown): ReadRequest;
  /** The text of the reply for one chunk. */
  write(chunk: Chunk): string;
  /** The text at the end of a complete reply. */
  readonly end: string;
  /** Headers of a reply. */
  readonly headers: Readonly<Record<string, string>>;
}
