/**
 * The backend's record, read over HTTP. It is read again after every change in this page, and every half second while
 * the backend is busy, so that a running tool is visible.
 */
import { emptyRecord, type BackendRecord, type RecordSource } from '../backend/record';
import type { Files } from '../backend/workspace';

/** A store: calls the listener after each change, and returns an unsubscribe function. */
export type Changes = (listener: () => void) => () => void;

/** How long a change waits for more changes, in milliseconds. */
const GATHER_MS = 80;

const POLL_MS = 500;

/** Holds a copy of the server's record, as long as there are listeners. */
export class RemoteRecord implements RecordSource {
  #record: BackendRecord;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | undefined;
  #asked = 0;
  #shown = 0;
  readonly #url: string;
  readonly #changes: readonly Changes[];
  readonly #listeners = new Set<() => void>();

  /** @param url where the record is. @param files the files to show until the record has been read. */
  constructor(url: string, files: Files, changes: readonly Changes[]) {
    this.#url = url;
    this.#changes = changes;
    this.#record = emptyRecord(files, 'server');
  }

  /** The latest copy. */
  readonly get = (): BackendRecord => this.#record;

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#stop ??= this.#listen();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  };

  #listen(): () => void {
    const stops = this.#changes.map((subscribe) => subscribe(() => this.#schedule(GATHER_MS)));
    this.#schedule(0);
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Schedules a read, unless one is scheduled: streamed text must not postpone it again and again. */
  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#read(), ms);
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    const asked = ++this.#asked;
    const response = await fetch(this.#url).catch(() => undefined);
    const record = response?.ok ? ((await response.json().catch(() => null)) as BackendRecord | null) : null;
    if (!this.#stop || !record || asked < this.#shown) return;
    this.#shown = asked;
    this.#record = record;
    for (const listener of this.#listeners) listener();
    const isAtWork =
      record.requests.some(({ reply }) => reply === 'open') ||
      record.toolRuns.some(({ result }) => result === 'running');
    if (isAtWork) this.#schedule(POLL_MS);
  }
}
