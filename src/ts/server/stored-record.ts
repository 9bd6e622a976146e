/** The server's record of one chat, in a store that several processes share and that survives them. */
import { checkOptions, type Checks } from '../types/option-checks.js';
import { requestText } from './canonical-json.js';
import { aDuration } from './option-values.js';
import type { RecordStore } from './record-store.js';
import type { ApprovalRecord, CallResult, RequestedCall } from './resolve-types.js';
import { checkNames, claimKey, DAY_MS, storeKey } from './store-keys.js';

/** The options of a `StoredRecord`. */
export interface StoredRecordOptions {
  /**
   * How long a request can be approved, in ms: it is stored this long. Default 30 days; `Infinity` for no limit.
   * Started calls and their results are stored twice as long, so that a repeated approval never finds its request
   * without them.
   */
  readonly ttlMs?: number;
}

const OPTIONS: Checks<StoredRecordOptions> = { ttlMs: aDuration };

/**
 * The server's record of one chat. Await `add` when the request of an approval is sent. Inputs and outputs are stored
 * as JSON. An output that JSON cannot express is not stored; `unrecorded` of `resolveApprovals` reports it.
 */
export class StoredRecord implements ApprovalRecord {
  readonly #store: RecordStore;
  readonly #names: readonly string[];
  readonly #ttlMs: number;

  /**
   * `names`: what identifies the chat, for example `[user, chatId]`. Throws a `TypeError` for a missing or empty name,
   * an invalid `ttlMs`, and an unknown option.
   */
  constructor(store: RecordStore, names: readonly string[], options: StoredRecordOptions = {}) {
    checkOptions('StoredRecord', options, OPTIONS);
    this.#store = store;
    this.#names = checkNames('StoredRecord', names);
    this.#ttlMs = options.ttlMs ?? 30 * DAY_MS;
  }

  /** Stores a request. Resolves when it is stored. */
  async add(call: RequestedCall): Promise<void> {
    await this.#store.put(await this.#key('request', call.approvalId), requestText(call), this.#ttlMs);
  }

  /** Returns the request with this approval id, or undefined. */
  async get(approvalId: string): Promise<RequestedCall | undefined> {
    const text = await this.#store.get(await this.#key('request', approvalId));
    return text === undefined ? undefined : (JSON.parse(text) as RequestedCall);
  }

  /**
   * Claims a key, and stores the result of a call that does not run with it. Returns true for the first claim only, in
   * all processes; a claim with an equal result counts as the first one.
   */
  async claim(key: string, result?: CallResult): Promise<boolean> {
    const value = result ? JSON.stringify(result) : crypto.randomUUID();
    return claimKey(this.#store, await this.#key('call', key), value, 2 * this.#ttlMs);
  }

  /** Stores the result of a claimed call. Rejects for an output that JSON cannot express. */
  async keep(key: string, result: CallResult): Promise<void> {
    await this.#store.put(await this.#key('call', key), JSON.stringify(result), 2 * this.#ttlMs);
  }

  /**
   * Returns the stored result; undefined for a key that was not claimed, while the call runs, and for a call whose
   * process ended before it stored the result.
   */
  async recall(key: string): Promise<CallResult | undefined> {
    const text = await this.#store.get(await this.#key('call', key));
    // Before the result, the value is the id of the claim.
    return text?.startsWith('{') ? (JSON.parse(text) as CallResult) : undefined;
  }

  #key(kind: 'request' | 'call', id: string): Promise<string> {
    return storeKey(kind, [...this.#names, id]);
  }
}
