/**
 * What is stored under a name, kept from harm: what cannot be read is told of and copied before anything is written over
 * it, and where it can be neither read nor copied, nothing is written.
 */
import { readRecord, type KeptRecord } from './record.js';
import type { KeepStorage } from './types.js';

/** What stands behind the name of a copy. */
export const REFUSED = '.refused';

/** How many copies are kept. With all places taken, what was refused stays where it is. */
const COPIES = 9;

/** One name in a storage. */
export class Vault {
  readonly #storage: KeepStorage | undefined;
  readonly #name: string;
  readonly #chatId: () => string | undefined;
  readonly #onError: (error: unknown) => void;
  /** Why nothing may be written. */
  #locked: unknown;
  #isOff = false;
  /** What the last `read` found. */
  #found: unknown;

  constructor(
    storage: KeepStorage | undefined,
    name: string,
    chatId: () => string | undefined,
    onError: (error: unknown) => void,
  ) {
    this.#storage = storage;
    this.#name = name;
    this.#chatId = chatId;
    this.#onError = onError;
    this.#isOff = storage === undefined;
  }

  /** Whether anything is stored at all. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /** The record that is stored, if it can be read; changes nothing. */
  async peek(): Promise<KeptRecord | undefined> {
    try {
      return readRecord(await this.#storage?.read(this.#name), this.#name, this.#chatId());
    } catch {
      return undefined;
    }
  }

  /** The record that is stored. What cannot be read is put aside. */
  async read(): Promise<KeptRecord | undefined> {
    if (this.#isOff) return undefined;
    try {
      this.#found = await this.#storage?.read(this.#name);
    } catch (error) {
      // A storage that cannot even be opened: the chat goes on without it, and nothing in it is touched.
      this.#isOff = true;
      this.#onError(error);
      return undefined;
    }
    try {
      return readRecord(this.#found, this.#name, this.#chatId());
    } catch (error) {
      await this.refuse(error);
      return undefined;
    }
  }

  /** What `read` found cannot be used. It is copied; until it is, nothing is written. */
  async refuse(error: unknown): Promise<void> {
    this.#locked = error;
    this.#onError(error);
    try {
      for (let place = 1; place <= COPIES; place++) {
        const name = this.#copy(place);
        const taken = (await this.#storage?.read(name)) ?? undefined;
        if (taken !== undefined && JSON.stringify(taken) !== JSON.stringify(this.#found)) continue;
        await this.#storage?.write(name, this.#found);
        this.#locked = undefined;
        return;
      }
    } catch (cause) {
      this.#onError(cause);
    }
  }

  /** Stores a record. Returns nothing if it is stored already. */
  write(record: KeptRecord): void | PromiseLike<void> {
    if (this.#locked !== undefined) throw this.#locked;
    if (!this.#isOff) return this.#storage?.write(this.#name, record);
  }

  /** Deletes the record and the copies: the app says that they are not wanted. */
  async forget(): Promise<void> {
    this.#locked = undefined;
    await this.#storage?.remove(this.#name);
    for (let place = 1; place <= COPIES; place++) await this.#storage?.remove(this.#copy(place));
  }

  #copy(place: number): string {
    return this.#name + REFUSED + (place === 1 ? '' : `.${place}`);
  }
}
