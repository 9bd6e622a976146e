/**
 * What is stored under a name, kept from harm: what cannot be read is reported and copied before anything is written over it,
 * and where it can be neither read nor copied, nothing is written. Everything here ends in time, well or not.
 */
import { toStored } from './acts.js';
import { isPromise, within, type Deadline } from './deadline.js';
import { actsOf, copiesOf } from './storage-names.js';
import type { Platform } from './platform.js';
import { appliedOf, areActs, readRecord, type KeptRecord, type SentAct } from './kept-record.js';
import type { LeadStorage } from './lead-storage.js';

/** What a vault works with. */
interface VaultParts {
  readonly storage: LeadStorage | undefined;
  readonly name: string;
  /** This page, as no other one is called. */
  readonly tab: string;
  readonly platform: Platform;
  /** How long the storage may take, in ms. */
  readonly timeoutMs: number;
  readonly chatId: () => string | undefined;
  readonly onError: (error: unknown) => void;
}

/** What a tab that begins to lead finds. */
export interface Found {
  readonly epoch: number;
  readonly record: KeptRecord | undefined;
  /** What users did in tabs that followed, and nobody confirmed. */
  readonly acts: readonly SentAct[];
}

/** One name in a storage. */
export class Vault {
  readonly #parts: VaultParts;
  /** Why nothing may be written. */
  #locked: unknown;
  #isOff: boolean;
  /** What the last `takeOver` found. */
  #found: unknown;

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#isOff = parts.storage === undefined;
  }

  /** Whether nothing is stored at all. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /** What is stored, if it can be read; changes nothing. */
  async peek(): Promise<{ readonly record: KeptRecord | undefined; readonly acts: readonly SentAct[] }> {
    const { name, chatId } = this.#parts;
    try {
      const record = readRecord(await this.#ask((storage, signal) => storage.read(name, signal)), name, chatId());
      return { record, acts: await this.acts() };
    } catch {
      return { record: undefined, acts: [] };
    }
  }

  /**
   * This tab leads from now on: what is stored, and an epoch above `minimum` and all that were before. What cannot be read is
   * put aside. Where the storage cannot be used at all, the chat goes on without it, and nothing in it is touched; but only if
   * `mayDoWithout` says so: otherwise it rejects.
   */
  async takeOver(minimum: number, mayDoWithout: () => Promise<boolean>): Promise<Found> {
    const { name, tab, chatId, onError } = this.#parts;
    const nothing: Found = { epoch: minimum + 1, record: undefined, acts: [] };
    if (this.#isOff) return nothing;
    let epoch: number;
    let acts: readonly SentAct[];
    try {
      const taken = await this.#ask((storage, signal) => storage.takeOver(name, tab, minimum, signal));
      [this.#found, epoch] = [taken?.value, taken?.epoch ?? minimum + 1];
      acts = await this.acts();
    } catch (error) {
      if (!(await mayDoWithout())) throw error;
      this.#isOff = true;
      onError(error);
      return nothing;
    }
    try {
      return { epoch, acts, record: readRecord(this.#found, name, chatId()) };
    } catch (error) {
      await this.refuse(error);
      return { epoch, acts: [], record: undefined };
    }
  }

  /** The browser says that this tab leads, and what is stored says that another one does. Returns the new epoch. */
  async retake(minimum: number): Promise<number> {
    const { name, tab } = this.#parts;
    const taken = await this.#ask((storage, signal) => storage.takeOver(name, tab, minimum, signal));
    return taken?.epoch ?? minimum + 1;
  }

  /** What `takeOver` found cannot be used. It is copied; until it is, nothing is written. */
  async refuse(error: unknown): Promise<void> {
    const { name, onError } = this.#parts;
    this.#locked = error;
    onError(error);
    try {
      for (const copy of copiesOf(name)) {
        const taken = (await this.#ask((storage, signal) => storage.read(copy, signal))) ?? undefined;
        if (taken !== undefined && JSON.stringify(taken) !== JSON.stringify(this.#found)) continue;
        await this.#ask((storage, signal) => storage.update(copy, () => this.#found, signal));
        this.#locked = undefined;
        return;
      }
    } catch (cause) {
      onError(cause);
    }
  }

  /** Stores a record. Says whether it is stored: not if another tab leads. */
  write(record: KeptRecord): boolean | Promise<boolean> {
    const { name, tab } = this.#parts;
    if (this.#locked !== undefined) throw this.#locked;
    const lead = { epoch: record.epoch, tab };
    const written = this.#ask((storage, signal) => storage.write(name, record, lead, signal));
    return isPromise(written) ? written.then((isStored) => isStored ?? true) : (written ?? true);
  }

  /** Stores the acts of this tab that wait, beside those of others. */
  storeActs(own: readonly SentAct[]): void | Promise<void> {
    const { tab } = this.#parts;
    if (this.#isOff) return;
    return this.#changeActs((acts) => [...acts.filter(([other]) => other !== tab), ...own.map(toStored)]);
  }

  /**
   * Deletes the acts that are part of a state that is stored; or of one that is not, because the chat goes on without the storage:
   * should it work again, the next page does not do them once more.
   */
  clearActs(applied: KeptRecord['applied']): void | Promise<void> {
    return this.#changeActs((acts) => acts.filter(([tab, number]) => number > appliedOf(applied, tab)));
  }

  /** Deletes the record, the acts and the copies: the app says that they are not wanted. */
  async forget(): Promise<void> {
    const { name } = this.#parts;
    this.#locked = undefined;
    for (const each of [name, actsOf(name), ...copiesOf(name)]) {
      await this.#ask((storage, signal) => storage.remove(each, signal));
    }
  }

  /** The acts that are stored, and not confirmed as far as anybody knows. */
  async acts(): Promise<readonly SentAct[]> {
    const stored = await this.#ask((storage, signal) => storage.read(actsOf(this.#parts.name), signal));
    return readActs(stored);
  }

  #changeActs(change: (acts: readonly SentAct[]) => readonly SentAct[]): void | Promise<void> {
    const changed = (stored: unknown): unknown => {
      const acts = change(readActs(stored));
      return acts.length > 0 ? { version: 1, acts } : undefined;
    };
    return this.#askAnyway((storage, signal) => storage.update(actsOf(this.#parts.name), changed, signal));
  }

  /** Asks the storage, which has its time to answer; undefined without one, and where the chat goes on without it. */
  #ask<T>(
    call: (storage: LeadStorage, signal: AbortSignal) => T | PromiseLike<T>,
  ): T | undefined | Promise<T | undefined> {
    return this.#isOff ? undefined : this.#askAnyway(call);
  }

  /** As `#ask`, also where the chat goes on without it. */
  #askAnyway<T>(
    call: (storage: LeadStorage, signal: AbortSignal) => T | PromiseLike<T>,
  ): T | undefined | Promise<T | undefined> {
    const { storage, platform, timeoutMs } = this.#parts;
    if (!storage) return undefined;
    const deadline: Deadline = { platform, ms: timeoutMs, what: 'the storage' };
    return within(deadline, (signal) => call(storage, signal));
  }
}

/** The acts in what is stored; none in anything else. */
function readActs(stored: unknown): readonly SentAct[] {
  const acts = (stored as { acts?: unknown } | undefined | null)?.acts;
  return areActs(acts) ? acts : [];
}
