/**
 * The backend's record, read over HTTP. It asks again whenever something left the page or came back, and every
 * half second while a reply is open, so that a running tool can be seen.
 */
import { emptyRecord, type BackendRecord, type RecordSource } from '../backend/record';
import type { Files } from '../backend/workspace';
import type { WireLog } from './wire-log';

const POLL_MS = 500;

/** Keeps a copy of the record that a server holds. */
export class RemoteRecord implements RecordSource {
  #record: BackendRecord;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #url: string;
  readonly #wire: WireLog;
  readonly #listeners = new Set<() => void>();

  /** @param url where the record is. @param files what the files are until it has been read. */
  constructor(url: string, files: Files, wire: WireLog) {
    this.#url = url;
    this.#wire = wire;
    this.#record = emptyRecord(files, 'server');
    wire.subscribe(() => this.#schedule(0));
  }

  /** The latest copy. */
  readonly get = (): BackendRecord => this.#record;

  /** Calls `listener` after each change; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), ms);
  }

  async #read(): Promise<void> {
    const response = await fetch(this.#url).catch(() => undefined);
    if (response?.ok) {
      this.#record = (await response.json()) as BackendRecord;
      for (const listener of this.#listeners) listener();
    }
    const open = this.#wire.get().some(({ state }) => state === 'sending' || state === 'answering');
    if (open) this.#schedule(POLL_MS);
  }
}
