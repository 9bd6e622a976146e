/**
 * What is known of the items that may be sent now: which of them the user asked for, and which are not to be looked at
 * again. It is known for as long as they are listed.
 */
import type { AiSdkBody, Outgoing } from '../types/index.js';

/** What the gate lists for the AI SDK. */
export type RequestItem = Outgoing<AiSdkBody>;

/** The items of one gate. */
export class Attempts {
  readonly #asked = new Set<string>();
  readonly #passed = new Set<string>();

  /** How much is known. */
  get size(): number {
    return this.#asked.size + this.#passed.size;
  }

  /** The first item to look at. Forgets what is listed no longer. */
  next(listed: readonly RequestItem[]): RequestItem | undefined {
    retain(this.#asked, listed);
    retain(this.#passed, listed);
    return listed.find((item) => !this.#passed.has(attemptOf(item)));
  }

  /** The user asked for these: nothing can veto them. */
  ask(listed: readonly RequestItem[]): void {
    for (const item of listed) this.#asked.add(attemptOf(item));
  }

  /** Whether the user asked for this attempt. */
  isAsked(item: RequestItem): boolean {
    return this.#asked.has(attemptOf(item));
  }

  /** This attempt could not be claimed, or was vetoed. */
  pass(item: RequestItem): void {
    this.#passed.add(attemptOf(item));
  }
}

/** A name for one attempt at an item. */
function attemptOf({ id, attempt }: RequestItem): string {
  return `${id}/${attempt}`;
}

function retain(known: Set<string>, listed: readonly RequestItem[]): void {
  if (known.size === 0) return;
  const attempts = new Set(listed.map(attemptOf));
  for (const attempt of known) if (!attempts.has(attempt)) known.delete(attempt);
}
