/** A record in memory, for a single process and for tests. */
import { requestText } from './canonical-json.js';
import type { ApprovalRecord, CallResult, RequestedCall } from './resolve-types.js';

/**
 * The server's record of one chat, in memory. Call `add` when the request of an approval is sent. For several
 * processes, and for one that restarts, use `StoredRecord`.
 */
export class MemoryRecord implements ApprovalRecord {
  readonly #requests = new Map<string, RequestedCall>();
  readonly #results = new Map<string, CallResult | undefined>();

  /** Adds a request. Copies the input as JSON, so later changes do not affect the record. */
  add(call: RequestedCall): void {
    this.#requests.set(call.approvalId, JSON.parse(requestText(call)) as RequestedCall);
  }

  /** Returns the request with this approval id, or undefined. */
  get(approvalId: string): RequestedCall | undefined {
    return this.#requests.get(approvalId);
  }

  /** Claims a key, and stores the result of a call that does not run with it. Returns true for the first claim only. */
  claim(key: string, result?: CallResult): boolean {
    if (this.#results.has(key)) return false;
    this.#results.set(key, result);
    return true;
  }

  /** Stores the result of a claimed call. */
  keep(key: string, result: CallResult): void {
    this.#results.set(key, result);
  }

  /** Returns the stored result; undefined while the call runs, and for a key that was not claimed. */
  recall(key: string): CallResult | undefined {
    return this.#results.get(key);
  }
}
