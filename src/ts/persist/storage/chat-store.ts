/**
 * What is stored for one chat. An unreadable record stays until the user's next action. A record of a newer release is
 * never replaced. Each call has a time limit.
 */
import { say } from '../../types/say.js';
import { isEnd, loggedOut, outdated, PersistError } from '../persist-error.js';
import { withoutHeaders } from '../tabs/action.js';
import { withTimeout } from '../tabs/platform.js';
import type { TabBase } from '../tabs/tab-base.js';
import { readState, type ChatState } from './change-record.js';
import {
  areActions,
  contains,
  isOfNewerRelease,
  readRecord,
  withFresh,
  type Applied,
  type ChatRecord,
  type SentAction,
} from './chat-record.js';
import type { ChatWrite, FencedStorage, StoredChat, Written } from './fenced-storage.js';

/** The stored state, for a tab that takes over. */
export interface StoredState {
  readonly epoch: number;
  readonly state: ChatState | undefined;
  /** Why what is stored cannot be read, or not all of it. */
  readonly problem: Error | undefined;
  /** Whether everything was deleted, so this tab is not the stored leader: by `clear()`, or outside the package. */
  readonly emptied: 'cleared' | 'missing' | undefined;
  /** Actions of followers that no leader has confirmed. */
  readonly actions: readonly SentAction[];
}

export class ChatStore {
  readonly #tab: TabBase;
  readonly #storage: FencedStorage | undefined;
  /** Whether nothing is stored. Only this class sets it. */
  isOff: boolean;
  /** The epoch in which this tab first saw the chat: a log-out in this epoch or later ends it here. */
  #born: number | undefined;

  constructor(tab: TabBase, storage: FencedStorage | undefined) {
    this.#tab = tab;
    this.#storage = storage;
    this.isOff = storage === undefined;
  }

  /** Whether changes can be stored without a snapshot. If nothing is stored, they need not be part of one either. */
  get hasJournal(): boolean {
    return this.isOff || this.#storage!.hasJournal;
  }

  /** Reads the stored state and actions, without errors: what cannot be read is absent. */
  async readStored(): Promise<{ readonly state: ChatState | undefined; readonly actions: readonly SentAction[] }> {
    try {
      const stored = await this.#readChecked();
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
    const { platform, onError } = this.#tab;
    // Storage may have a state that only other tabs can read. Stored epochs are counted, so a time is above them, and
    // no change of this leader seems to continue such a state.
    const epochWithout = Math.max(minimum + 1, platform.now());
    const without = { epoch: epochWithout, state: undefined, problem: undefined, emptied: undefined, actions: [] };
    if (this.isOff) return without;
    try {
      const taken = await this.lead(minimum, isKnown);
      const { epoch, emptied } = taken;
      const actions = await this.actions();
      try {
        const { state, problem } = this.#read(taken) ?? {};
        return { epoch, actions, emptied, state, problem };
      } catch (error) {
        return { ...without, epoch, emptied, problem: error as Error };
      }
    } catch (error) {
      if (isEnd(error) || !(await mayContinueWithout())) throw error;
      this.isOff = true;
      onError(error);
      return without;
    }
  }

  /**
   * Makes this tab the stored leader. If everything was deleted and `isKnown`, it does not, and returns `emptied`.
   * Rejects if this tab must not use the chat any more.
   */
  async lead(minimum: number, isKnown: boolean): Promise<StoredChat & Pick<StoredState, 'epoch' | 'emptied'>> {
    const { name, id } = this.#tab;
    let emptied: StoredState['emptied'];
    let end: PersistError | undefined;
    const mayLead = (stored: StoredChat): boolean => {
      end = this.#endOf(stored);
      if (isKnown && !stored.leader?.tab && stored.value === undefined) emptied = stored.leader ? 'cleared' : 'missing';
      return !end && !emptied;
    };
    const taken = await this.#call((storage, signal) => storage.takeOver(name, { tab: id, minimum, mayLead }, signal));
    if (end) this.#end(end);
    return { ...taken!, emptied };
  }

  /**
   * Stores a snapshot or changes. `cleared`: everything was deleted by `clear()`. Rejects if this tab must not use the
   * chat any more.
   */
  async write(write: ChatWrite, epoch: number): Promise<Written | 'cleared'> {
    const { name, id: tab } = this.#tab;
    const written = await this.#call((storage, signal) => storage.write(name, write, { tab, epoch }, signal));
    if (written === undefined || written === 'stored') return 'stored';
    const stored = await this.#readChecked();
    return stored?.leader?.tab === '' && stored.value === undefined ? 'cleared' : written;
  }

  /** Replaces the stored actions of this tab. */
  async storeActions(own: readonly SentAction[]): Promise<void> {
    const { id } = this.#tab;
    if (this.isOff) return;
    await this.#changeActions((actions) => [...actions.filter(([tab]) => tab !== id), ...own.map(withoutHeaders)]);
  }

  /**
   * Deletes the stored actions that a record contains. The record need not be stored: if the chat continues without
   * storage, the next page must not apply these actions again.
   */
  async clearActions(applied: Applied): Promise<void> {
    await this.#changeActions((actions) => actions.filter((action) => !contains(applied, action)));
  }

  /** Deletes what is stored, and what an earlier release has stored beside it. */
  async clear(): Promise<void> {
    for (const each of withFresh(this.#tab.name)) await this.#call((storage, signal) => storage.clear(each, signal));
  }

  async actions(): Promise<readonly SentAction[]> {
    return readActions(await this.#call((storage, signal) => storage.readActions(this.#tab.name, signal)));
  }

  async #changeActions(change: (actions: readonly SentAction[]) => readonly SentAction[]): Promise<void> {
    const { name } = this.#tab;
    const changed = (stored: unknown): unknown => {
      const actions = change(readActions(stored));
      return actions.length > 0 ? { actions } : undefined;
    };
    const born = this.#born ?? Infinity;
    // Also if the chat continues without storage.
    const isAlive = await this.#call((storage, signal) => storage.updateActions(name, changed, born, signal), false);
    if (isAlive === false) this.#end(loggedOut());
  }

  #read({ value, changes, leader }: StoredChat): ReturnType<typeof readState> | undefined {
    const { name, internals } = this.#tab;
    const record: ChatRecord | undefined = readRecord(value, name, internals.env.options.chatId);
    if (record) return readState(record, changes);
    // A page that was unloaded just after everything was deleted may have left records without a leader.
    if (changes.length === 0 || !leader) return undefined;
    throw new PersistError('journal-damaged', say`persist: the stored journal of the chat "${name}" has no snapshot`);
  }

  /** Reads what is stored. Rejects if this tab must not use the chat any more. */
  async #readChecked(): Promise<StoredChat | undefined> {
    const stored = await this.#call((storage, signal) => storage.read(this.#tab.name, signal));
    const end = stored && this.#endOf(stored);
    if (end) this.#end(end);
    return stored;
  }

  #endOf(stored: StoredChat): PersistError | undefined {
    const { internals } = this.#tab;
    this.#born ??= Math.max(stored.leader?.epoch ?? 0, stored.ended + 1);
    if (stored.ended >= this.#born) return loggedOut();
    const records = [stored.value, ...stored.changes];
    if (!records.some((record) => isOfNewerRelease(record, internals.saving.version))) return undefined;
    return outdated();
  }

  #end(error: PersistError): never {
    this.#tab.onEnd(error);
    throw error;
  }

  /** Calls the storage with a time limit. Resolves with undefined if nothing is stored. */
  async #call<T>(
    call: (storage: FencedStorage, signal: AbortSignal) => T | PromiseLike<T>,
    isOff = this.isOff,
  ): Promise<T | undefined> {
    const storage = this.#storage;
    const { platform, storeMs: ms } = this.#tab;
    if (!storage || isOff) return undefined;
    return withTimeout({ platform, ms, what: 'storage' }, (signal) => call(storage, signal));
  }
}

/** The actions in a stored value; none in an invalid one. */
function readActions(stored: unknown): readonly SentAction[] {
  const actions = (stored as { actions?: unknown } | undefined | null)?.actions;
  return areActions(actions) ? actions : [];
}
