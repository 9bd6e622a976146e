/** `respondOnce`: runs the first request with an idempotency key, and gives repeated requests its reply. */
import { aFunction, anObject, checkOptions, type Checks } from '../../types/option-checks.js';
import { aDuration, MAX_DELAY_MS } from '../option-values.js';
import { reporter } from '../report.js';
import type { ApprovalRecord } from '../resolve/resolve-types.js';
import type { RecordStore } from './record-store.js';
import { lookFor, replyOf, textOf, type RequestKeys, type StoredReply } from './stored-reply.js';
import { checkNames, claimKey, DAY_MS, storeKey } from './store-keys.js';

/** What identifies a request. */
export interface RequestOfUser {
  /** Your id of the user, from the login: another user's request with the same key is another request. */
  readonly user: string;
  /** The idempotency key, for example of the header `idempotency-key`. */
  readonly key: string;
}

/** The options of {@link respondOnce}. */
export interface RespondOnceOptions<RECORD extends ApprovalRecord | undefined = ApprovalRecord | undefined> {
  /** The record that `run` receives. A call that begins in it counts as begun. */
  readonly record?: RECORD;
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
  /** Called if the reply cannot be stored. A repeated request then gets the status 410. Default: `console.error`. */
  readonly onError?: (error: unknown) => void;
}

const OPTIONS: Checks<RespondOnceOptions> = {
  record: anObject,
  ttlMs: aDuration,
  replyTtlMs: aDuration,
  waitMs: (value, options) => (value === 0 ? undefined : aDuration(value, options)),
  leaseMs: aDuration,
  waitUntil: aFunction,
  onError: aFunction,
};

/**
 * What `run` receives. A `run` with a parameter promises to say when something has begun that must not happen twice;
 * then a failure before that can be sent again with the same key.
 */
export interface RunContext<RECORD = unknown> {
  /** Call it before anything that must not happen twice. */
  readonly begun: () => void;
  /** The option `record`, for `resolveApprovals`: a call that begins in it calls `begun`. */
  readonly record: RECORD;
}

/** How often a request tries to be the next one after the first has released the key: others may try too. */
const ATTEMPTS = 100;

/**
 * Returns the response of `run`, which is called for the first request of this user with this key only. A repeated
 * request gets the reply of the first one, with the same status, headers and bytes. If that is not stored, it gets:
 *
 * - 409 with `retry-after` if the first request still runs, also after `waitMs`.
 * - 410 if the first request has ended without a stored reply, for example because its process ended. It may have run.
 *
 * A failure is not kept: a status of 400 or more, an error of `run`, a reply that breaks off. If `run` takes its
 * {@link RunContext} and nothing has begun, the key is released, and the next request with it runs. Otherwise it may
 * have run: after an error, a status of 500 or more, and 429, repeated requests get 410; other statuses are stored.
 *
 * The first client gets the reply while it is written, and the reply is stored when it is complete. Rejects with an
 * error of `run`, and if the store fails before `run` is called. Throws a `TypeError` for a missing or empty name, and
 * for an invalid option.
 */
export async function respondOnce<RECORD extends ApprovalRecord | undefined = undefined>(
  store: RecordStore,
  request: RequestOfUser,
  run: (context: RunContext<RECORD>) => Response | PromiseLike<Response>,
  options: RespondOnceOptions<RECORD> = {},
): Promise<Response> {
  checkOptions('respondOnce', options, OPTIONS);
  const { ttlMs = 30 * DAY_MS, waitMs = 30_000, leaseMs = 15_000 } = options;
  const names = checkNames('respondOnce', request, ['user', 'key']);
  const [key, reply] = await Promise.all([storeKey('once', names), storeKey('reply', names)]);
  for (let attempt = 0, waited = 0; attempt < ATTEMPTS; attempt++) {
    const id = crypto.randomUUID();
    const lease = await storeKey('lease', [id]);
    // Stored before the claim, so that a claim without a lease always belongs to a request that has ended.
    await store.put(lease, '', leaseMs);
    const keys = { key, reply, lease };
    if (await claimKey(store, key, id, ttlMs)) return respondFirst(store, keys, run, leaseMs, options);
    const first = (await store.get(key)) ?? '';
    const looked = await lookFor(store, { key, reply, lease: await storeKey('lease', [first]) }, waitMs - waited);
    waited += looked.waitedMs;
    if (looked.text !== undefined) return replyOf(looked.text);
    if (looked.isRunning) break;
    // Another id, or none: the first request has released the key.
    if (first !== '' && (await store.get(key)) === first)
      return refusal(410, 'A request with this idempotency key was started before, and its reply is not stored.');
  }
  return refusal(409, 'The first request with this idempotency key is still running.');
}

/** Runs the request that has claimed the key. */
async function respondFirst<RECORD extends ApprovalRecord | undefined>(
  store: RecordStore,
  { key, reply, lease }: RequestKeys,
  run: (context: RunContext<RECORD>) => Response | PromiseLike<Response>,
  leaseMs: number,
  { record, replyTtlMs = 600_000, waitUntil, onError }: RespondOnceOptions<RECORD>,
): Promise<Response> {
  const report = reporter(onError);
  // Without a parameter it says nothing, so anything may have begun.
  let mayHaveBegun = run.length === 0;
  const begun = (): void => void (mayHaveBegun = true);
  const renew = (): void => void store.put(lease, '', leaseMs).catch(report);
  const timer = setInterval(renew, Math.min(leaseMs / 3, MAX_DELAY_MS));
  // Stores the reply, or releases the key after a failure. A reply that breaks off is one too.
  const keep = async (work?: Promise<StoredReply>): Promise<void> => {
    const stored = await work?.catch(report);
    const { status = 500 } = stored ?? {};
    if (status >= 400 && !mayHaveBegun) return store.put(key, '', 1);
    if (stored && status < 500 && status !== 429) await store.put(reply, textOf(stored), replyTtlMs);
  };
  const end = async (work?: Promise<StoredReply>): Promise<void> => {
    await keep(work).catch(report);
    clearInterval(timer);
    await store.put(lease, '', 1).catch(report);
  };
  try {
    const response = await run({ begun, record: noting(record as RECORD, begun) });
    const { status, headers } = response;
    const [sent, copy] = response.body?.tee() ?? [null, null];
    const bytes = new Response(copy).arrayBuffer();
    const work = end(bytes.then((body) => ({ status, headers: [...headers], body })));
    waitUntil?.(work);
    return new Response(sent, response);
  } catch (error) {
    await end();
    throw error;
  }
}

/** Returns a record that calls `begun` before a call begins. Absent methods stay absent: they say what it can do. */
function noting<RECORD extends ApprovalRecord | undefined>(record: RECORD, begun: () => void): RECORD {
  return (
    record &&
    new Proxy(record, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): unknown => {
          if (name === 'begin' && !args[1]) begun();
          return Reflect.apply(method, target, args);
        };
      },
    })
  );
}

function refusal(status: 409 | 410, text: string): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...(status === 409 && { 'retry-after': '1' }) };
  return new Response(text, { status, headers });
}
