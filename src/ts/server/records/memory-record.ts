/** A record in memory, for a single process and for tests. */
import { requestText } from '../resolve/canonical-json.js';
import type { ApprovalRecord, CallResult, RequestedCall } from '../resolve/resolve-types.js';

/**
 * The server's record of one chat, in memory. For several processes, and for one that restarts, use `StoredRecord`.
 */
export class MemoryRecord implements ApprovalRecord {
  readonly #requests = new Map<string, RequestedCall>();
  readonly #results = new Map<string, CallResult | undefined>();

  /** Stores a request. Copies the input as JSON, so later changes do not affect the record. */
  request(call: RequestedCall): void {
    this.#requests.set(call.approvalId, JSON.parse(requestText(call)) as RequestedCall);
  }

  /** Returns the request with this approval id, or undefined. */
  requested(approvalId: string): RequestedCall | undefined {
    return this.#requests.get(approvalId);
  }

  /** Records that a call begins, or with `result` that it does not run. Returns true for the first time only. */
  begin(key: string, result?: CallResult): boolean {
    if (this.#results.has(key)) return false;
    this.#results.set(key, result);
    return true;
  }

  /** Stores the result of a call that has begun. */
  finish(key: string, result: CallResult): void {
    this.#results.set(key, result);
  }

  /** Returns the stored result; undefined while the call runs, and for a call that has not begun. */
  result(key: string): CallResult | undefined {
    return this.#results.get(key);
  }
}
