/**
 * What is stored for one chat. An unreadable record is reported and copied before it is overwritten; if it cannot be
 * copied, nothing is written. Each call has a time limit.
 */
import { withoutHeaders } from './unconfirmed-actions.js';
import { isPromise, withTimeout, type Deadline } from './deadline.js';
import { actionsKey, copyKeys } from './storage-names.js';
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';
import { appliedOf, areActions, readRecord, type ChatRecord, type SentAction } from './chat-record.js';
import { readState, type ChatState } from './change-record.js';
import type { ChatWrite, FencedStorage, StoredChat } from './fenced-storage.js';
import { say } from '../types/say.js';

/** The dependencies of a store. */
interface ChatStoreDeps {
  readonly storage: FencedStorage | undefined;
  readonly name: string;
  /** The id of this tab. */
  readonly tab: string;
  readonly platform: Platform;
  /** The time limit of one call of the storage, in ms. */
  readonly timeoutMs: number;
  readonly chatId: () => string | undefined;
  readonly onError: (error: unknown) => void;
}

/** The stored state, for a tab that takes over. */
export interface StoredState {
  readonly epoch: number;
  readonly state: ChatState | undefined;
  /** Whether the state is all that is stored, so that the journal can be continued. */
  readonly isWhole: boolean;
  /** Actions of followers that no leader has confirmed. */
  readonly actions: readonly SentAction[];
}

/** The stored values of one chat. */
export class ChatStore {
  readonly #deps: ChatStoreDeps;
  /** Why nothing may be written, if so. */
  #writeBlock: unknown;
  #isOff: boolean;
  /** What the last `takeOver` found. */
  #found: StoredChat | undefined;

  constructor(deps: ChatStoreDeps) {
    this.#deps = deps;
    this.#isOff = deps.storage === undefined;
  }

  /** Whether nothing is stored. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /** Whether changes can be stored without a snapshot. If nothing is stored, they need not be part of one either. */
  get hasJournal(): boolean {
    return this.#isOff || this.#deps.storage?.hasJournal === true;
  }

  /** Reads the stored state and actions, without errors: what cannot be read is absent. */
  async readStored(): Promise<{ readonly state: ChatState | undefined; readonly actions: readonly SentAction[] }> {
    const { name } = this.#deps;
    try {
      const stored = await this.#call((storage, signal) => storage.readChat(name, signal));
      return { state: stored && this.#read(stored)?.state, actions: await this.actions() };
    } catch {
      return { state: undefined, actions: [] };
    }
  }

  /**
   * Makes this tab the leader, and returns the stored state with an epoch above `minimum` and all earlier ones. What
   * cannot be read is reported and copied. If storage cannot be used at all, `mayContinueWithout` decides: either the
   * chat continues without it, and nothing there is changed, or this rejects.
   */
  async takeOver(minimum: number, mayContinueWithout: () => Promise<boolean>): Promise<StoredState> {
    const { name, tab, platform, onError } = this.#deps;
    // Storage may have a state that only other tabs can read. Stored epochs are counted, so a time is above them, and
    // no change of this leader seems to continue such a state.
    const epochWithout = Math.max(minimum + 1, platform.now());
    const nothing: StoredState = { epoch: epochWithout, state: undefined, isWhole: true, actions: [] };
    if (this.#isOff) return nothing;
    let epoch: number;
    let actions: readonly SentAction[];
    try {
      const taken = await this.#call((storage, signal) => storage.takeOver(name, tab, minimum, signal));
      [this.#found, epoch] = [taken, taken?.epoch ?? minimum + 1];
      actions = await this.actions();
    } catch (error) {
      if (!(await mayContinueWithout())) throw error;
      this.#isOff = true;
      onError(error);
      return nothing;
    }
    try {
      const read = this.#found && this.#read(this.#found);
      if (read?.problem) await this.refuse(read.problem);
      return { epoch, actions, state: read?.state, isWhole: !read?.problem };
    } catch (error) {
      await this.refuse(error);
      return { epoch, actions: [], state: undefined, isWhole: true };
    }
  }

  #read({ value, changes }: StoredChat): ReturnType<typeof readState> | undefined {
    const { name, chatId } = this.#deps;
    const record = readRecord(value, name, chatId());
    if (record) return readState(record, changes);
    if (changes.length === 0) return undefined;
    throw new PersistError('journal-damaged', say`persist: the stored journal of the chat "${name}" has no snapshot`);
  }

  /**
   * Makes this tab the leader again, because the browser says that it is and storage says that it is not. Returns the
   * new epoch.
   */
  async retake(minimum: number): Promise<number> {
    const { name, tab } = this.#deps;
    const taken = await this.#call((storage, signal) => storage.takeOver(name, tab, minimum, signal));
    return taken?.epoch ?? minimum + 1;
  }

  /** Refuses what `takeOver` found, or a part of it, and copies it. Until there is a copy nothing is written. */
  async refuse(error: unknown): Promise<void> {
    const { name, onError } = this.#deps;
    this.#writeBlock = error;
    onError(error);
    const { value, changes = [] } = this.#found ?? {};
    const found = changes.length > 0 ? { value, changes } : value;
    try {
      for (const copy of copyKeys(name)) {
        const taken = (await this.#call((storage, signal) => storage.read(copy, signal))) ?? undefined;
        if (taken !== undefined && JSON.stringify(taken) !== JSON.stringify(found)) continue;
        await this.#call((storage, signal) => storage.update(copy, () => found, signal));
        this.#writeBlock = undefined;
        return;
      }
    } catch (cause) {
      onError(cause);
    }
  }

  /** Stores a snapshot or changes. Returns whether they are stored: they are not if another tab is the leader. */
  write(write: ChatWrite, epoch: number): boolean | Promise<boolean> {
    const { name, tab } = this.#deps;
    if (this.#writeBlock !== undefined) throw this.#writeBlock;
    const lead = { epoch, tab };
    const written = this.#call((storage, signal) => storage.write(name, write, lead, signal));
    return isPromise(written) ? written.then((isStored) => isStored ?? true) : (written ?? true);
  }

  /** Replaces the stored actions of this tab. */
  storeActions(own: readonly SentAction[]): void | Promise<void> {
    const { tab } = this.#deps;
    if (this.#isOff) return;
    return this.#changeActions((actions) => [
      ...actions.filter(([other]) => other !== tab),
      ...own.map(withoutHeaders),
    ]);
  }

  /**
   * Deletes the stored actions that a record contains. The record need not be stored: if the chat continues without
   * storage, the next page must not apply these actions again.
   */
  clearActions(applied: ChatRecord['applied']): void | Promise<void> {
    return this.#changeActions((actions) => actions.filter(([tab, number]) => number > appliedOf(applied, tab)));
  }

  /** Deletes the record, the actions and the copies, at the app's request. */
  async clear(): Promise<void> {
    const { name } = this.#deps;
    this.#writeBlock = undefined;
    for (const each of [name, actionsKey(name), ...copyKeys(name)]) {
      await this.#call((storage, signal) => storage.remove(each, signal));
    }
  }

  /** Reads the stored actions. */
  async actions(): Promise<readonly SentAction[]> {
    const stored = await this.#call((storage, signal) => storage.read(actionsKey(this.#deps.name), signal));
    return readActions(stored);
  }

  #changeActions(change: (actions: readonly SentAction[]) => readonly SentAction[]): void | Promise<void> {
    const changed = (stored: unknown): unknown => {
      const actions = change(readActions(stored));
      return actions.length > 0 ? { version: 1, acts: actions } : undefined;
    };
    return this.#callAlways((storage, signal) => storage.update(actionsKey(this.#deps.name), changed, signal));
  }

  /** Calls the storage with a time limit. Returns undefined if there is none, or if the chat continues without it. */
  #call<T>(
    call: (storage: FencedStorage, signal: AbortSignal) => T | PromiseLike<T>,
  ): T | undefined | Promise<T | undefined> {
    return this.#isOff ? undefined : this.#callAlways(call);
  }

  /** Like `#call`, even if the chat continues without storage. */
  #callAlways<T>(
    call: (storage: FencedStorage, signal: AbortSignal) => T | PromiseLike<T>,
  ): T | undefined | Promise<T | undefined> {
    const { storage, platform, timeoutMs } = this.#deps;
    if (!storage) return undefined;
    const deadline: Deadline = { platform, ms: timeoutMs, what: 'storage' };
    return withTimeout(deadline, (signal) => call(storage, signal));
  }
}

/** The actions in a stored value; none in an invalid one. */
function readActions(stored: unknown): readonly SentAction[] {
  const actions = (stored as { acts?: unknown } | undefined | null)?.acts;
  return areActions(actions) ? actions : [];
}
