/**
 * A record in memory: for one process, for tests, and as an example of what a table does.
 */
import type { ApprovalRecord, CallResult, RequestedCall } from './resolve-types.js';

/**
 * The server's record of one chat, as long as the process lives. `add` what is asked for, when its request leaves. Several
 * processes, or one that restarts, need a table: see {@link ApprovalRecord}.
 */
export class MemoryRecord implements ApprovalRecord {
  readonly #asked = new Map<string, RequestedCall>();
  readonly #results = new Map<string, CallResult | undefined>();

  /** Notes a request. The input is copied as JSON: what is changed later does not change the record. */
  add(call: RequestedCall): void {
    const { approvalId, toolCallId, toolName, input } = call;
    this.#asked.set(
      approvalId,
      JSON.parse(JSON.stringify({ approvalId, toolCallId, toolName, input })) as RequestedCall,
    );
  }

  /** What was noted under this id. */
  get(approvalId: string): RequestedCall | undefined {
    return this.#asked.get(approvalId);
  }

  /** `true` for the first who claims the key. */
  claim(key: string): boolean {
    if (this.#results.has(key)) return false;
    this.#results.set(key, undefined);
    return true;
  }

  /** Keeps the result of a claimed call, until the process ends. */
  keep(key: string, result: CallResult): void {
    this.#results.set(key, result);
  }

  /** The result that was kept; undefined while the call runs, and for a key that nobody claimed. */
  recall(key: string): CallResult | undefined {
    return this.#results.get(key);
  }
}
