/**
 * The leader's journal: captures what changed in the gate as a small record, for storage and for the followers, and a
 * whole snapshot only now and then. Each record is captured once and in order, so storage and followers get the same.
 */
import { attempt } from '../persist-error.js';
import { stateId, toChangeRecord, type ChangeRecord, type ChatState, type StateId } from '../storage/change-record.js';
import {
  isNewer,
  listApplied,
  toRecord,
  type Applied,
  type ChatRecord,
  type Counters,
} from '../storage/chat-record.js';
import type { ChatWrite } from '../storage/fenced-storage.js';
import type { TabMessage } from '../tabs/tab-channel.js';
import type { Tab } from '../tabs/tab.js';
import type { LeaderActions } from './leader-actions.js';

/** A journal with so many records, or characters in them, is replaced by a snapshot with the next change. */
const RECORDS = 200;
const CHARACTERS = 1_000_000;

/** What is written next, and the counters and actions of the state that storage then has. */
export interface JournalWrite extends ChatWrite, Counters {
  readonly applied: Applied;
}

/** The journal since the last snapshot. */
interface Chain {
  /** The number of records, and of characters in them. */
  readonly records: number;
  readonly characters: number;
  readonly snapshot: StateId;
  readonly head: StateId;
}

export class LeaderJournal {
  readonly #tab: Tab;
  readonly #actions: LeaderActions;
  /** The counters of the last record. Only this class sets them. */
  head: Counters = { epoch: 0, seq: 0 };
  /** The number of all changes, and the number of changes at the last capture. */
  #changes = 0;
  #captured = -1;
  #applied: Applied = [];
  /** Undefined if the next capture must be a snapshot. */
  #chain: Chain | undefined;
  /** The last snapshot, while nothing was captured since. */
  #snapshot: ChatRecord | undefined;
  /** What was captured and has perhaps not been stored yet. */
  #unstored: ChatWrite = { changes: [] };
  /** The messages that the followers have not got. */
  #unposted: readonly TabMessage[] = [];

  constructor(tab: Tab, actions: LeaderActions) {
    this.#tab = tab;
    this.#actions = actions;
  }

  /** Starts a journal. `stored`: the state that the gate has adopted, if its journal can be continued. */
  begin(epoch: number, stored: ChatState | undefined): void {
    this.reset(epoch);
    if (!stored) return;
    const { record, changes } = stored;
    const characters = changes.reduce((sum, change) => sum + change.changes.length, 0);
    const head = stateId(changes.at(-1) ?? record);
    this.#chain = { snapshot: stateId(record), head, records: changes.length, characters };
  }

  /** Raises the epoch. Another tab has shown a different state, so the next record is a snapshot. */
  raise(epoch: number): void {
    this.head = { ...this.head, epoch };
    this.#chain = undefined;
  }

  /** Starts again with a snapshot. Nothing of this journal is in storage, or nothing can be added to it. */
  reset(epoch = this.head.epoch): void {
    this.head = { ...this.head, epoch };
    this.#captured = -1;
    this.#chain = this.#snapshot = undefined;
    this.#unstored = { changes: [] };
    this.#unposted = [];
  }

  /** The state has changed. */
  changed(): void {
    this.#changes++;
  }

  /** Captures the present state, and returns what has to be stored. Throws if it cannot be serialized. */
  capture(): JournalWrite {
    const { gate, chatStore } = this.#tab;
    this.#capture();
    const state = { ...this.head, applied: this.#applied };
    if (chatStore.hasJournal) return { ...state, ...this.#unstored };
    return { ...state, record: this.#snapshot ?? toRecord(this.head, this.#applied, gate.toJSON()), changes: [] };
  }

  saved(write: Counters): void {
    const { record, changes } = this.#unstored;
    this.#unstored = {
      record: record && isNewer(record, write) ? record : undefined,
      changes: changes.filter((change) => isNewer(change, write)),
    };
  }

  /** Captures the present state, and returns the messages that the followers have not got. */
  messages(): readonly TabMessage[] {
    this.#capture();
    const messages = this.#unposted;
    this.#unposted = [];
    return messages;
  }

  /** A follower needs a snapshot: it is the next message. */
  share(): void {
    if (this.#snapshot && this.#captured === this.#changes) this.#postSnapshot(this.#snapshot);
    else this.#chain = undefined;
  }

  /** The state until now, for a tab that is not the leader any more; undefined if it cannot be serialized. */
  last(): ChatState | undefined {
    const record = attempt(() => toRecord(this.#next, this.#appliedNow, this.#tab.gate.toJSON()));
    return record && { record, changes: [] };
  }

  get #next(): Counters {
    const { epoch, seq } = this.head;
    return { epoch, seq: seq + 1 };
  }

  get #appliedNow(): Applied {
    return listApplied(this.#actions.applied);
  }

  #capture(): void {
    if (this.#chain && this.#captured === this.#changes) return;
    const [next, applied] = [this.#next, this.#appliedNow];
    if (this.#needsSnapshot() || !this.#captureChanges(next, applied)) this.#captureSnapshot(next, applied);
    this.head = next;
    this.#applied = applied;
    this.#captured = this.#changes;
  }

  #needsSnapshot(): boolean {
    const chain = this.#chain;
    return !chain || chain.records >= RECORDS || chain.characters >= CHARACTERS;
  }

  /** Captures what changed. Returns false if only a snapshot can be captured. */
  #captureChanges(next: Counters, applied: Applied): boolean {
    const { changeLog, chatStore } = this.#tab;
    const chain = this.#chain;
    const saved = chain && changeLog.changes();
    if (!saved) return false;
    const { snapshot, head: after, records, characters } = chain;
    const changes = JSON.stringify(saved);
    const change: ChangeRecord = toChangeRecord({ snapshot, number: records + 1, after, ...next, applied, changes });
    this.#chain = { snapshot, head: stateId(next), records: records + 1, characters: characters + changes.length };
    this.#snapshot = undefined;
    if (chatStore.hasJournal) this.#unstored = { ...this.#unstored, changes: [...this.#unstored.changes, change] };
    this.#unposted = [...this.#unposted, { type: 'change', change }];
    return true;
  }

  #captureSnapshot(next: Counters, applied: Applied): void {
    const record = toRecord(next, applied, this.#tab.changeLog.whole());
    const id = stateId(next);
    this.#chain = { snapshot: id, head: id, records: 0, characters: 0 };
    this.#snapshot = record;
    this.#unstored = { record, changes: [] };
    this.#postSnapshot(record);
  }

  #postSnapshot(record: ChatRecord): void {
    this.#unposted = [{ type: 'state', state: { record, changes: [] } }];
  }
}
