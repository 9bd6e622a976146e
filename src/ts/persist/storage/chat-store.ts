/**
 * What is stored for one chat. An unreadable record stays until the user's next action. A record of a newer release is
 * never replaced. Each call has a time limit.
 */
import { withoutHeaders } from '../tabs/unconfirmed-actions.js';
import { withTimeout } from '../tabs/deadline.js';
import { PersistError } from '../persist-error.js';
import type { Platform } from '../tabs/platform.js';
import {
  appliedOf,
  areActions,
  isOfNewerRelease,
  readRecord,
  type ChatRecord,
  type SentAction,
} from './chat-record.js';
import { readState, type ChatState } from './change-record.js';
import type { ChatWrite, FencedStorage, StoredChat, Written } from './fenced-storage.js';
import { say } from '../../types/say.js';

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
  /** The version of the snapshots that this release reads. */
  readonly snapshotVersion: number;
  readonly onError: (error: unknown) => void;
  /** Called when this tab must not use the chat any more: it was ended by `logOut`, or is that of a newer release. */
  readonly onEnd: (error: PersistError) => void;
}

/** The stored state, for a tab that takes over. */
export interface StoredState {
  readonly epoch: number;
  readonly state: ChatState | undefined;
  /** Why what is stored cannot be read, or not all of it. */
  readonly problem: Error | undefined;
  /** Whether everything was deleted, so that this tab is not the stored leader. */
  readonly isEmptied: boolean;
  /** Actions of followers that no leader has confirmed. */
  readonly actions: readonly SentAction[];
}

/** The stored values of one chat. */
export class ChatStore {
  readonly #deps: ChatStoreDeps;
  #isOff: boolean;
  /** The epoch in which this tab first saw the chat: a log-out in this epoch or later ends it here. */
  #born: number | undefined;

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
    try {
      const stored = await this.#call((storage, signal) => storage.read(this.#deps.name, signal));
      this.#check(stored);
      return { state: stored && this.#read(stored)?.state, actions: await this.actions() };
    } catch {
      return { state: undefined, actions: [] };
    }
  }

  /**
   * Makes this tab the leader, and returns the stored state with an epoch above `minimum` and all earlier ones.
   * `isKnown`: this tab shows the chat, so if nothing is stored, it was deleted, and this tab may not store it. If
   * storage cannot be used at all, `mayContinueWithout` decides: either the chat continues without it, and nothing is
   * changed there, or this rejects.
   */
  async takeOver(minimum: number, isKnown: boolean, mayContinueWithout: () => Promise<boolean>): Promise<StoredState> {
    const { platform, onError } = this.#deps;
    // Storage may have a state that only other tabs can read. Stored epochs are counted, so a time is above them, and
    // no change of this leader seems to continue such a state.
    const epochWithout = Math.max(minimum + 1, platform.now());
    const nothing = { epoch: epochWithout, state: undefined, problem: undefined, isEmptied: false, actions: [] };
    if (this.#isOff) return nothing;
    let taken: Awaited<ReturnType<ChatStore['lead']>>;
    let actions: readonly SentAction[];
    try {
      taken = await this.lead(minimum, isKnown);
      actions = await this.actions();
    } catch (error) {
      if (isEnd(error) || !(await mayContinueWithout())) throw error;
      this.#isOff = true;
      onError(error);
      return nothing;
    }
    const { epoch, isEmptied } = taken;
    try {
      const { state, problem } = this.#read(taken) ?? {};
      return { epoch, actions, isEmptied, state, problem };
    } catch (error) {
      return { epoch, actions: [], isEmptied, state: undefined, problem: error as Error };
    }
  }

  /**
   * Makes this tab the stored leader. If everything was deleted and `isKnown`, it does not, and returns `isEmptied`.
   * Rejects if this tab must not use the chat any more.
   */
  async lead(
    minimum: number,
    isKnown: boolean,
  ): Promise<StoredChat & { readonly epoch: number; readonly isEmptied: boolean }> {
    const { name, tab } = this.#deps;
    let isEmptied = false;
    let end: PersistError | undefined;
    const mayLead = (stored: StoredChat): boolean => {
      end = this.#endOf(stored);
      isEmptied = isKnown && !stored.leader?.tab && stored.value === undefined;
      return !end && !isEmptied;
    };
    const taken = await this.#call((storage, signal) => storage.takeOver(name, { tab, minimum, mayLead }, signal));
    if (end) this.#end(end);
    if (taken) return { ...taken, isEmptied };
    return { value: undefined, changes: [], leader: undefined, ended: 0, epoch: minimum + 1, isEmptied };
  }

  #read({ value, changes, leader }: StoredChat): ReturnType<typeof readState> | undefined {
    const { name, chatId } = this.#deps;
    const record = readRecord(value, name, chatId());
    if (record) return readState(record, changes);
    // A page that was unloaded just after everything was deleted may have left records without a leader.
    if (changes.length === 0 || !leader) return undefined;
    throw new PersistError('journal-damaged', say`persist: the stored journal of the chat "${name}" has no snapshot`);
  }

  /**
   * Stores a snapshot or changes. `cleared`: everything was deleted by `clear()`. Rejects if this tab must not use the
   * chat any more.
   */
  async write(write: ChatWrite, epoch: number): Promise<Written | 'cleared'> {
    const { name, tab } = this.#deps;
    const written = await this.#call((storage, signal) => storage.write(name, write, { tab, epoch }, signal));
    if (written === undefined || written === 'stored') return 'stored';
    const stored = await this.#call((storage, signal) => storage.read(name, signal));
    this.#check(stored);
    return stored?.leader?.tab === '' && stored.value === undefined ? 'cleared' : written;
  }

  /** Replaces the stored actions of this tab. */
  async storeActions(own: readonly SentAction[]): Promise<void> {
    const { tab } = this.#deps;
    if (this.#isOff) return;
    await this.#changeActions((actions) => [...actions.filter(([other]) => other !== tab), ...own.map(withoutHeaders)]);
  }

  /**
   * Deletes the stored actions that a record contains. The record need not be stored: if the chat continues without
   * storage, the next page must not apply these actions again.
   */
  async clearActions(applied: ChatRecord['applied']): Promise<void> {
    await this.#changeActions((actions) => actions.filter(([tab, number]) => number > appliedOf(applied, tab)));
  }

  /** Deletes what is stored, at the app's request. */
  async clear(): Promise<void> {
    await this.#call((storage, signal) => storage.clear(this.#deps.name, signal));
  }

  /** Reads the stored actions. */
  async actions(): Promise<readonly SentAction[]> {
    return readActions(await this.#call((storage, signal) => storage.readActions(this.#deps.name, signal)));
  }

  async #changeActions(change: (actions: readonly SentAction[]) => readonly SentAction[]): Promise<void> {
    const changed = (stored: unknown): unknown => {
      const acts = change(readActions(stored));
      return acts.length > 0 ? { acts } : undefined;
    };
    const { name } = this.#deps;
    const isAlive = await this.#callAlways((storage, signal) =>
      storage.updateActions(name, changed, this.#born ?? Infinity, signal),
    );
    if (isAlive === false) this.#end(loggedOut());
  }

  /** Throws if this tab must not use the chat any more. */
  #check(stored: StoredChat | undefined): void {
    const end = stored && this.#endOf(stored);
    if (end) this.#end(end);
  }

  #endOf(stored: StoredChat): PersistError | undefined {
    const { name, snapshotVersion } = this.#deps;
    this.#born ??= Math.max(stored.leader?.epoch ?? 0, stored.ended + 1);
    if (stored.ended >= this.#born) return loggedOut();
    if (![stored.value, ...stored.changes].some((record) => isOfNewerRelease(record, snapshotVersion)))
      return undefined;
    return new PersistError('outdated', say`persist: a newer release has stored the chat "${name}". Reload this page`);
  }

  #end(error: PersistError): never {
    this.#deps.onEnd(error);
    throw error;
  }

  /** Calls the storage with a time limit. Resolves with undefined if nothing is stored. */
  async #call<T>(call: (storage: FencedStorage, signal: AbortSignal) => T | PromiseLike<T>): Promise<T | undefined> {
    return this.#isOff ? undefined : this.#callAlways(call);
  }

  /** Like `#call`, even if the chat continues without storage. */
  async #callAlways<T>(
    call: (storage: FencedStorage, signal: AbortSignal) => T | PromiseLike<T>,
  ): Promise<T | undefined> {
    const { storage, platform, timeoutMs: ms } = this.#deps;
    return storage && withTimeout({ platform, ms, what: 'storage' }, (signal) => call(storage, signal));
  }
}

/** Whether the error says that this tab must not use the chat any more. */
export function isEnd(error: unknown): boolean {
  return error instanceof PersistError && (error.code === 'logged-out' || error.code === 'outdated');
}

/** The error of a chat that `logOut` has ended. */
export function loggedOut(): PersistError {
  return new PersistError('logged-out', say`persist: the user has logged out`);
}

/** The actions in a stored value; none in an invalid one. */
function readActions(stored: unknown): readonly SentAction[] {
  const actions = (stored as { acts?: unknown } | undefined | null)?.acts;
  return areActions(actions) ? actions : [];
}
