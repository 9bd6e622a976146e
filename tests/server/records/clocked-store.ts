/** A record store in memory, with a clock that the test sets, for tests of what is stored and for how long. */
import type { RecordStore } from 'toolgate/server';

/** A store whose values expire when the test advances `now`. */
export class ClockedStore implements RecordStore {
  now = 0;
  /** The lifetimes of all values that were stored, in order. */
  readonly lifetimes: number[] = [];
  readonly #values = new Map<string, { value: string; until: number }>();

  async insert(key: string, value: string, ttlMs: number): Promise<boolean> {
    if ((await this.get(key)) !== undefined) return false;
    await this.put(key, value, ttlMs);
    return true;
  }

  async put(key: string, value: string, ttlMs: number): Promise<void> {
    this.lifetimes.push(ttlMs);
    this.#values.set(key, { value, until: this.now + ttlMs });
  }

  async get(key: string): Promise<string | undefined> {
    const found = this.#values.get(key);
    return found && found.until > this.now ? found.value : undefined;
  }
}

/** A store whose client repeats an insert after its answer was lost: the caller gets the answer to the repetition. */
export class RepeatingStore extends ClockedStore {
  override async insert(key: string, value: string, ttlMs: number): Promise<boolean> {
    await super.insert(key, value, ttlMs);
    return super.insert(key, value, ttlMs);
  }
}
