/**
 * Tracks the listed outgoing items: which of them the user requested, and which are to be skipped. Items that are not
 * listed any more are forgotten.
 */
import type { AiSdkBody, Outgoing } from '../../types/index.js';

/** An outgoing item with the body of an AI SDK request. */
export type RequestItem = Outgoing<AiSdkBody>;

/** The tracked attempts of one gate. */
export class Attempts {
  readonly #requested = new Set<string>();
  readonly #skipped = new Set<string>();

  /** Returns the first item that is not to be skipped. Forgets items that are not listed any more. */
  next(listed: readonly RequestItem[]): RequestItem | undefined {
    const attempts = listed.map(attemptOf);
    retain(this.#requested, attempts);
    retain(this.#skipped, attempts);
    return listed.find((item) => !this.#skipped.has(attemptOf(item)));
  }

  /** Marks these items as requested by the user. The predicate cannot veto them. */
  markRequested(listed: readonly RequestItem[]): void {
    for (const item of listed) this.#requested.add(attemptOf(item));
  }

  /** Whether the user requested this attempt. */
  isRequested(item: RequestItem): boolean {
    return this.#requested.has(attemptOf(item));
  }

  /** Skips this attempt from now on: it could not be claimed, or was vetoed. */
  skip(item: RequestItem): void {
    this.#skipped.add(attemptOf(item));
  }
}

/** A unique key for one attempt of an item. */
function attemptOf({ id, attempt }: RequestItem): string {
  return `${id}/${attempt}`;
}

/** Removes all but these keys from a map or a set. */
export function retain(from: Map<string, unknown> | Set<string>, keys: readonly (string | undefined)[]): void {
  if (from.size === 0) return;
  const kept = new Set(keys);
  for (const key of from.keys()) if (!kept.has(key)) from.delete(key);
}
