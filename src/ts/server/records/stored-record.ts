/** The server's record of one chat, in a store that several processes share and that survives them. */
import { checkOptions, type Checks } from '../../types/option-checks.js';
import { callKey } from '../resolve/call-key.js';
import { requestText } from '../resolve/canonical-json.js';
import type { ApprovalRecord, CallResult, RequestedCall } from '../resolve/resolve-types.js';
import { aDuration } from '../option-values.js';
import type { RecordStore } from './record-store.js';
import { checkNames, claimKey, DAY_MS, storeKey } from './store-keys.js';

/** The chat of a record. */
export interface RecordedChat {
  /** Your id of the user, from the login. Ids of chats come from clients, so they need not be unique without it. */
  readonly user: string;
  /** The id of the chat. */
  readonly chat: string;
}

/** The options of a `StoredRecord`. */
export interface StoredRecordOptions {
  /**
   * How long a request can be approved, in ms: it is stored this long. Default 30 days; `Infinity` for no limit. Calls
   * that have begun and their results are stored twice as long, so that a repeated approval never finds its request
   * without them.
   */
  readonly ttlMs?: number;
}

const OPTIONS: Checks<StoredRecordOptions> = { ttlMs: aDuration };

/**
 * The server's record of one chat. Inputs and outputs are stored as JSON. An output that JSON cannot express is not
 * stored; `unrecorded` of `resolveApprovals` reports it.
 */
export class StoredRecord implements ApprovalRecord {
  readonly #store: RecordStore;
  readonly #chat: readonly string[];
  readonly #ttlMs: number;

  /** Throws a `TypeError` for a missing or empty name, an invalid `ttlMs`, and an unknown option. */
  constructor(store: RecordStore, chat: RecordedChat, options: StoredRecordOptions = {}) {
    checkOptions('StoredRecord', options, OPTIONS);
    this.#store = store;
    this.#chat = checkNames('StoredRecord', chat, ['user', 'chat']);
    this.#ttlMs = options.ttlMs ?? 30 * DAY_MS;
  }

  /**
   * Stores a request. Resolves when it is stored. A request whose call has begun is not stored again: it could be
   * approved when the record of its first run has expired.
   */
  async request(call: RequestedCall): Promise<void> {
    const text = requestText(call);
    const key = await callKey(JSON.parse(text) as RequestedCall);
    if ((await this.#store.get(await this.#key('call', key))) !== undefined) return;
    await this.#store.put(await this.#key('request', call.approvalId), text, this.#ttlMs);
  }

  /** Returns the request with this approval id, or undefined. */
  async requested(approvalId: string): Promise<RequestedCall | undefined> {
    const text = await this.#store.get(await this.#key('request', approvalId));
    return text === undefined ? undefined : (JSON.parse(text) as RequestedCall);
  }

  /**
   * Records that a call begins, or with `result` that it does not run. Returns true for the first time with a key only,
   * in all processes; a second time with an equal result counts as the first one.
   */
  async begin(key: string, result?: CallResult): Promise<boolean> {
    const value = result ? JSON.stringify(result) : crypto.randomUUID();
    return claimKey(this.#store, await this.#key('call', key), value, 2 * this.#ttlMs);
  }

  /** Stores the result of a call that has begun. Rejects for an output that JSON cannot express. */
  async finish(key: string, result: CallResult): Promise<void> {
    await this.#store.put(await this.#key('call', key), JSON.stringify(result), 2 * this.#ttlMs);
  }

  /**
   * Returns the stored result; undefined for a call that has not begun, while it runs, and for a call whose process
   * ended before it stored the result.
   */
  async result(key: string): Promise<CallResult | undefined> {
    const text = await this.#store.get(await this.#key('call', key));
    // Before the result, the value is a random id.
    return text?.startsWith('{') ? (JSON.parse(text) as CallResult) : undefined;
  }

  #key(kind: 'request' | 'call', id: string): Promise<string> {
    return storeKey(kind, [...this.#chat, id]);
  }
}
