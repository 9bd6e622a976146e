/** `respondOnce`: runs the first request with an idempotency key, and gives repeated requests its reply. */
import { aFunction, checkOptions, type Checks } from '../types/option-checks.js';
import { aDuration } from './option-values.js';
import type { RecordStore } from './record-store.js';
import { checkNames, claimKey, DAY_MS, storeKey } from './store-keys.js';

/** The options of {@link respondOnce}. */
export interface RespondOnceOptions {
  /** How long a key is stored, in ms. A later request with it runs. Default 30 days; `Infinity` for no limit. */
  readonly ttlMs?: number;
  /** How long a reply is stored, in ms. Default 10 minutes; `Infinity` for no limit. */
  readonly replyTtlMs?: number;
  /** How long a repeated request waits while the first one runs, in ms. Default 30 seconds; 0: it does not wait. */
  readonly waitMs?: number;
  /**
   * The first request shows in the store that it still runs: it renews a lease of this many ms. When its process has
   * ended, the lease expires. Default 15 seconds.
   */
  readonly leaseMs?: number;
  /** Receives the work that continues after the response was returned. Workers need it: pass `ctx.waitUntil`. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /** Called if the reply cannot be stored. A repeated request then gets the status 410. */
  readonly onError?: (error: unknown) => void;
}

const OPTIONS: Checks<RespondOnceOptions> = {
  ttlMs: aDuration,
  replyTtlMs: aDuration,
  waitMs: (value, options) => (value === 0 ? undefined : aDuration(value, options)),
  leaseMs: aDuration,
  waitUntil: aFunction,
  onError: aFunction,
};

/** The stored form of a response. */
interface StoredReply {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
}

/** The maximum delay of a timer, in ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The time between two looks at the store, in ms. */
const POLL_MS = 250;

/**
 * Returns the response of `run`, which is called for the first request with these names only. `names` identify the
 * request, for example `[user, idempotencyKey]`. A repeated request gets the reply of the first one, with its body as
 * text. If that is not stored, it gets:
 *
 * - 409 with `retry-after` if the first request still runs, also after `waitMs`.
 * - 410 if the first request has ended without a stored reply, for example because its process ended. It may have run.
 *
 * The first client gets the reply while it is written, and the reply is stored when it is complete. If the process ends
 * in between, repeated requests get 410.
 *
 * If `run` throws, so does `respondOnce`, and the key stays used: validate the request before. Rejects if the store
 * fails before `run` is called. Throws a `TypeError` for a missing or empty name, and for an invalid option.
 */
export async function respondOnce(
  store: RecordStore,
  names: readonly string[],
  run: () => Response | PromiseLike<Response>,
  options: RespondOnceOptions = {},
): Promise<Response> {
  checkOptions('respondOnce', options, OPTIONS);
  const { ttlMs = 30 * DAY_MS, replyTtlMs = 600_000, waitMs = 30_000, leaseMs = 15_000, waitUntil, onError } = options;
  checkNames('respondOnce', names);

  const [key, replyKey] = await Promise.all([storeKey('once', names), storeKey('reply', names)]);
  const id = crypto.randomUUID();
  const leaseKey = await storeKey('lease', [id]);
  // Stored before the claim, so that a claim without a lease always belongs to a request that has ended.
  await store.put(leaseKey, '', leaseMs);
  if (!(await claimKey(store, key, id, ttlMs))) return repeat(store, key, replyKey, waitMs);

  const report = (error: unknown): void => onError?.(error);
  const renew = (): void => void store.put(leaseKey, '', leaseMs).catch(report);
  const timer = setInterval(renew, Math.min(leaseMs / 3, MAX_DELAY_MS));
  const record = async (reply: Promise<StoredReply> | undefined): Promise<void> => {
    try {
      if (reply) await store.put(replyKey, JSON.stringify(await reply), replyTtlMs);
    } finally {
      clearInterval(timer);
      await store.put(leaseKey, '', 1);
    }
  };
  try {
    const response = await run();
    const { status, headers } = response;
    const [sent, copy] = response.body?.tee() ?? [null, null];
    const reply = new Response(copy).text().then((body) => ({ status, headers: [...headers], body }));
    const work = record(reply).catch(report);
    waitUntil?.(work);
    return new Response(sent, response);
  } catch (error) {
    await record(undefined).catch(report);
    throw error;
  }
}

/** The response for a request whose key is used. */
async function repeat(store: RecordStore, key: string, replyKey: string, waitMs: number): Promise<Response> {
  const firstId = (await store.get(key)) ?? '';
  const leaseKey = await storeKey('lease', [firstId]);
  for (let waited = 0; ; waited += POLL_MS) {
    // The lease is read first: a request that ends between the two reads has stored its reply.
    const isRunning = (await store.get(leaseKey)) !== undefined;
    const text = await store.get(replyKey);
    if (text !== undefined) {
      const { status, headers, body } = JSON.parse(text) as StoredReply;
      return new Response(body || null, { status, headers });
    }
    if (!isRunning)
      return refusal(410, 'A request with this idempotency key was started before, and its reply is not stored.');
    if (waited >= waitMs) return refusal(409, 'The first request with this idempotency key is still running.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function refusal(status: 409 | 410, text: string): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...(status === 409 && { 'retry-after': '1' }) };
  return new Response(text, { status, headers });
}
