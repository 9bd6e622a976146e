/**
 * What a keeper asks of a storage. A tab that stood still may go on to write when another one leads already: what is stored says
 * who leads, and everything else is refused. No code.
 */
import type { Platform } from './platform.js';

type MaybePromise<T> = T | PromiseLike<T>;

/** A tab's lead, as it is stored: the later one counts. */
export interface Lead {
  readonly epoch: number;
  /** The tab. */
  readonly tab: string;
}

/** A storage, with the lead of each name. What it rejects with is why it could not be done. */
export interface LeadStorage {
  /** The value under this name; `undefined` or `null` for none. */
  read(name: string, signal: AbortSignal): MaybePromise<unknown>;
  /** A tab leads from now on: no write of another one counts any more. Returns what is stored, and the epoch that it has now. */
  takeOver(
    name: string,
    tab: string,
    minimum: number,
    signal: AbortSignal,
  ): MaybePromise<{ readonly value: unknown; readonly epoch: number }>;
  /** Stores a value, unless another tab leads: then it returns `false`, and nothing is stored. */
  write(name: string, value: unknown, lead: Lead, signal: AbortSignal): MaybePromise<boolean>;
  /** Stores what `change` makes of a value, with nothing in between; `undefined` deletes it. */
  update(name: string, change: (value: unknown) => unknown, signal: AbortSignal): MaybePromise<void>;
  /** Deletes the value, and what is known about leads. */
  remove(name: string, signal: AbortSignal): MaybePromise<void>;
}

/** What a storage of the app's own has to be told, which knows nothing of leads. */
export interface Holder {
  readonly platform: Platform;
  /** Whether this tab leads, asked of the browser unless it answered just now. */
  readonly holds: () => Promise<boolean>;
}
