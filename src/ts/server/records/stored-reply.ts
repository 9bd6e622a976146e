/** The stored reply of `respondOnce`, and how a repeated request waits for it. */
import type { RecordStore } from './record-store.js';

/** A complete reply. */
export interface StoredReply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/** The keys of a request in the store. */
export interface RequestKeys {
  /** Has the id of the first request. */
  readonly key: string;
  readonly reply: string;
  /** Present while that request runs. */
  readonly lease: string;
}

/** What a repeated request finds: the stored reply, or whether the first one still runs. */
interface Look {
  readonly isRunning: boolean;
  readonly text: string | undefined;
}

/** The time between two looks at the store, in ms: at first, and at most. */
const [FIRST_POLL_MS, LAST_POLL_MS] = [250, 2000];

/** Returns the text of a reply for the store. Its bytes need not be text, so each is a character. */
export function textOf({ body, ...reply }: StoredReply): string {
  const letters = Array.from(new Uint8Array(body), (byte) => String.fromCharCode(byte));
  return JSON.stringify({ ...reply, body: letters.join('') });
}

/** Returns the response of a stored text. */
export function replyOf(text: string): Response {
  const { body, ...reply } = JSON.parse(text) as { body: string; status: number; headers: [string, string][] };
  return new Response(body ? Uint8Array.from(body, (letter) => letter.charCodeAt(0)) : null, reply);
}

/**
 * Waits for the reply of a request that runs, at most `waitMs`. Looks less and less often. Repeated requests that wait
 * in one process look together.
 */
export async function lookFor(
  store: RecordStore,
  keys: RequestKeys,
  waitMs: number,
): Promise<Look & { readonly waitedMs: number }> {
  let looked = await look(store, keys);
  let waitedMs = 0;
  for (let pause = FIRST_POLL_MS; looked.isRunning && waitedMs < waitMs; pause = Math.min(pause * 1.5, LAST_POLL_MS)) {
    const pauseMs = Math.min(pause, waitMs - waitedMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    waitedMs += pauseMs;
    looked = await lookTogether(store, keys);
  }
  return { ...looked, waitedMs };
}

async function look(store: RecordStore, { reply, lease }: RequestKeys): Promise<Look> {
  // The lease is read first: a request that ends between the two reads has stored its reply.
  const isRunning = (await store.get(lease)) !== undefined;
  const text = await store.get(reply);
  return { isRunning: isRunning && text === undefined, text };
}

const looks = new WeakMap<RecordStore, Map<string, Promise<Look>>>();

/** Returns what another repeated request has found within the last moment, or looks. */
function lookTogether(store: RecordStore, keys: RequestKeys): Promise<Look> {
  const shared = looks.get(store) ?? new Map<string, Promise<Look>>();
  looks.set(store, shared);
  let found = shared.get(keys.lease);
  if (!found) {
    found = look(store, keys);
    shared.set(keys.lease, found);
    setTimeout(() => shared.delete(keys.lease), FIRST_POLL_MS);
  }
  return found;
}
