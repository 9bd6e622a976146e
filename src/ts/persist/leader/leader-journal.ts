/**
 * The leader's journal: captures what changed in the gate as a small record, for storage and for the followers, and a
 * whole snapshot only now and then. Each record is captured once and in order, so storage and followers get the same.
 */
import type { ToolGate } from '../../gate/tool-gate.js';
import { attempt } from '../attempt.js';
import type { ChangeLog } from '../storage/change-log.js';
import { stateId, toChangeRecord, type ChangeRecord, type ChatState, type StateId } from '../storage/change-record.js';
import { isNewer, listApplied, toRecord, type ChatRecord } from '../storage/chat-record.js';
import type { ChatWrite } from '../storage/fenced-storage.js';
import type { Platform } from '../tabs/platform.js';
import type { TabMessage } from '../tabs/tab-messages.js';

/** The size of a journal: its number of records, and of characters in them. */
interface Size {
  readonly records: number;
  readonly characters: number;
}

/** A journal of this size is replaced by a snapshot when nothing has changed for a while. */
const IDLE: Size = { records: 50, characters: 128_000 };

/** A journal of this size is replaced by a snapshot with the next change, unless a request waits for that change. */
const LARGE: Size = { records: 200, characters: 1_000_000 };

/** A journal of this size is replaced by a snapshot with the next change. */
const LIMIT: Size = { records: 400, characters: 4_000_000 };

/** After this time without a change, in ms, a journal of size `IDLE` is replaced. */
const IDLE_MS = 5_000;

/** What is written next, and the counters and actions of the state that storage then has. */
export interface JournalWrite extends ChatWrite {
  readonly epoch: number;
  readonly seq: number;
  readonly applied: ChatRecord['applied'];
}

/** The journal since the last snapshot. */
interface Chain extends Size {
  readonly snapshot: StateId;
  readonly head: StateId;
}

/** The dependencies of a journal. */
interface LeaderJournalDeps {
  readonly gate: ToolGate;
  readonly changeLog: ChangeLog;
  readonly platform: Platform;
  /** Whether storage has a journal. */
  readonly isStored: () => boolean;
  /** Whether another tab follows this one. */
  readonly hasFollowers: () => boolean;
  /** The number of the last action that the state contains, by tab. */
  readonly applied: () => ReadonlyMap<string, number>;
  /** Called when a snapshot should be captured, because the journal is long and nothing has changed for a while. */
  readonly onIdle: () => void;
}

/** The journal of one leader. */
export class LeaderJournal {
  readonly #deps: LeaderJournalDeps;
  #epoch = 0;
  #seq = 0;
  /** The number of all changes, and the number of changes at the last capture. */
  #changes = 0;
  #captured = -1;
  #isUrgent = false;
  #isSnapshotDue = false;
  #applied: ChatRecord['applied'] = [];
  /** Undefined if the next capture must be a snapshot. */
  #chain: Chain | undefined;
  /** The last snapshot, while nothing was captured since. */
  #snapshot: ChatRecord | undefined;
  /** What was captured and has perhaps not been stored yet. */
  #unstored: { record: ChatRecord | undefined; changes: readonly ChangeRecord[] } = { record: undefined, changes: [] };
  #unposted: TabMessage[] = [];
  #cancelIdle: (() => void) | undefined;

  constructor(deps: LeaderJournalDeps) {
    this.#deps = deps;
  }

  /** The epoch of the records. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The counters of the last record. */
  get head(): Pick<ChatRecord, 'epoch' | 'seq'> {
    return { epoch: this.#epoch, seq: this.#seq };
  }

  /**
   * Starts a journal. `stored`: the stored state that the gate has adopted, if the journal in storage can be continued.
   */
  begin(epoch: number, stored: ChatState | undefined): void {
    this.reset(epoch);
    if (!stored) return;
    const { record, changes } = stored;
    const characters = changes.reduce((sum, change) => sum + change.changes.length, 0);
    const head = stateId(changes.at(-1) ?? record);
    this.#chain = { snapshot: stateId(record), head, records: changes.length, characters };
  }

  /**
   * Raises the epoch of the records from now on. Another tab has shown a different state, so the next record is a
   * snapshot.
   */
  raise(epoch: number): void {
    this.#epoch = epoch;
    this.#requireSnapshot();
  }

  /** Starts again with a snapshot. Nothing of this journal is in storage, or nothing can be added to it. */
  reset(epoch = this.#epoch): void {
    this.#epoch = epoch;
    this.#captured = -1;
    this.#chain = this.#snapshot = undefined;
    this.#unstored = { record: undefined, changes: [] };
    this.#unposted = [];
    this.end();
  }

  /** The state has changed. `isUrgent`: a request may wait until the change is stored. */
  changed(isUrgent: boolean): void {
    this.#changes++;
    this.#isUrgent ||= isUrgent;
  }

  /** Captures the present state, and returns what has to be stored. Throws if it cannot be serialized. */
  capture(): JournalWrite {
    const { gate, isStored, hasFollowers } = this.#deps;
    this.#capture();
    if (!hasFollowers()) this.#unposted = [];
    const state = { ...this.head, applied: this.#applied };
    if (!isStored()) {
      const record = this.#snapshot ?? toRecord(this.head, this.#applied, gate.toJSON());
      return { ...state, record, changes: [] };
    }
    return { ...state, ...this.#unstored };
  }

  /** A captured state is stored. */
  saved(write: JournalWrite): void {
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
    if (this.#snapshot && this.#captured === this.#changes) this.#unposted = [snapshotMessage(this.#snapshot)];
    else this.#requireSnapshot();
  }

  /** The state until now, for a tab that is not the leader any more; undefined if it cannot be serialized. */
  last(): ChatState | undefined {
    const { gate, applied } = this.#deps;
    const next = { epoch: this.#epoch, seq: this.#seq + 1 };
    const record = attempt(() => toRecord(next, listApplied(applied()), gate.toJSON()));
    return record && { record, changes: [] };
  }

  /** Ends waiting for an idle moment. */
  end(): void {
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
  }

  #requireSnapshot(): void {
    this.#isSnapshotDue = true;
    this.#captured = -1;
  }

  #capture(): void {
    if (this.#captured === this.#changes) return;
    const { isStored, hasFollowers, applied: appliedNow } = this.#deps;
    const applied = listApplied(appliedNow());
    const next = { epoch: this.#epoch, seq: this.#seq + 1 };
    // Without a journal in storage, changes are for followers only.
    if (!isStored() && !hasFollowers() && this.#captured >= 0 && !this.#isSnapshotDue) {
      this.#chain = this.#snapshot = undefined;
    } else if (this.#needsSnapshot() || !this.#captureChanges(next, applied)) {
      this.#captureSnapshot(next, applied);
    }
    this.#seq = next.seq;
    this.#applied = applied;
    this.#captured = this.#changes;
    this.#isUrgent = false;
    this.#awaitIdle();
  }

  #needsSnapshot(): boolean {
    const chain = this.#chain;
    return !chain || this.#isSnapshotDue || exceeds(chain, this.#isUrgent ? LIMIT : LARGE);
  }

  /** Captures what changed. Returns false if only a snapshot can be captured. */
  #captureChanges(next: Pick<ChatRecord, 'epoch' | 'seq'>, applied: ChatRecord['applied']): boolean {
    const { changeLog, isStored } = this.#deps;
    const chain = this.#chain;
    const saved = chain && changeLog.changes();
    if (!chain || !saved) return false;
    const { snapshot, head: after, records, characters } = chain;
    const changes = JSON.stringify(saved);
    const change = toChangeRecord({ snapshot, number: records + 1, after, ...next, applied, changes });
    this.#chain = { snapshot, head: stateId(next), records: records + 1, characters: characters + changes.length };
    this.#snapshot = undefined;
    if (isStored()) this.#unstored = { ...this.#unstored, changes: [...this.#unstored.changes, change] };
    this.#unposted.push({ type: 'change', change });
    return true;
  }

  #captureSnapshot(next: Pick<ChatRecord, 'epoch' | 'seq'>, applied: ChatRecord['applied']): void {
    const record = toRecord(next, applied, this.#deps.changeLog.whole());
    const id = stateId(next);
    this.#chain = { snapshot: id, head: id, records: 0, characters: 0 };
    this.#snapshot = record;
    this.#unstored = { record, changes: [] };
    this.#unposted = [snapshotMessage(record)];
    this.#isSnapshotDue = false;
  }

  #awaitIdle(): void {
    this.end();
    if (!this.#chain || !exceeds(this.#chain, IDLE)) return;
    this.#cancelIdle = this.#deps.platform.after(IDLE_MS, () => {
      this.#requireSnapshot();
      this.#deps.onIdle();
    });
  }
}

function exceeds({ records, characters }: Size, limit: Size): boolean {
  return records >= limit.records || characters >= limit.characters;
}

function snapshotMessage(record: ChatRecord): TabMessage {
  return { type: 'state', state: { record, changes: [] } };
}
