/**
 * The records of a journal: what changed in a chat since the record before. A record names the snapshot that it belongs
 * to, its number after that snapshot, and the state that it follows. It has a checksum, because a page can be killed
 * while a record is written.
 */
import { checksum } from '../../json/checksum.js';
import { say } from '../../types/say.js';
import { PersistError } from '../persist-error.js';
import type { SavedChanges } from './change-log.js';
import { areApplied, isCount, isNewer, VERSION, type Applied, type ChatRecord, type Counters } from './chat-record.js';

/** The counters of a state. */
export type StateId = readonly [epoch: number, seq: number];

/** The changes of a chat since the record before. */
export interface ChangeRecord extends Counters {
  readonly version: number;
  /** The snapshot that the changes belong to. */
  readonly snapshot: StateId;
  /** Counts the records of that snapshot, from 1. */
  readonly number: number;
  /** The state that the changes follow. */
  readonly after: StateId;
  readonly applied: Applied;
  /** The changes, as JSON. */
  readonly changes: string;
  readonly checksum: string;
}

/** The state of a chat: a snapshot, and the records of the journal since. */
export interface ChatState {
  readonly record: ChatRecord;
  readonly changes: readonly ChangeRecord[];
}

/** The id of a record's state. */
export const stateId = ({ epoch, seq }: Counters): StateId => [epoch, seq];

/** The newest record of a state, with its counters and the actions that the state contains. */
export function headOf({ record, changes }: ChatState): Pick<ChatRecord, 'epoch' | 'seq' | 'applied'> {
  return changes.at(-1) ?? record;
}

/** Creates a record. */
export function toChangeRecord(content: Omit<ChangeRecord, 'version' | 'checksum'>): ChangeRecord {
  const record = { version: VERSION, ...content };
  return { ...record, checksum: checksumOf(record) };
}

/** Whether a value is a record of this release that is not damaged. */
export function isChangeRecord(value: unknown): value is ChangeRecord {
  const record = Object(value) as Partial<ChangeRecord>;
  const { version, snapshot, number, after, epoch, seq, applied, changes } = record;
  return (
    version === VERSION &&
    [snapshot, after].every((id) => Array.isArray(id) && id.length === 2 && id.every(isCount)) &&
    [number, epoch, seq].every(isCount) &&
    areApplied(applied) &&
    typeof changes === 'string' &&
    record.checksum === checksumOf(record as ChangeRecord)
  );
}

/** Whether a record continues a state: it belongs to the same snapshot, and none is missing in between. */
export function continues(change: ChangeRecord, state: ChatState): boolean {
  const head = headOf(state);
  const isId = ([epoch, seq]: StateId, of: Counters): boolean => epoch === of.epoch && seq === of.seq;
  return (
    isId(change.snapshot, state.record) &&
    change.number === state.changes.length + 1 &&
    isId(change.after, head) &&
    isNewer(change, head)
  );
}

/** The changes of records, for the gate. The checksum of each was checked. */
export function savedChanges(records: readonly ChangeRecord[]): readonly SavedChanges[] {
  return records.map(({ changes }) => JSON.parse(changes) as SavedChanges);
}

/**
 * Returns the state that a stored snapshot and its journal describe. The first record that is damaged or missing ends
 * the journal, and `problem` is the error for it.
 */
export function readState(
  record: ChatRecord,
  journal: readonly unknown[],
): { readonly state: ChatState; readonly problem: PersistError | undefined } {
  const changes: ChangeRecord[] = [];
  const state = { record, changes };
  for (const entry of journal) {
    const isSound = isChangeRecord(entry);
    // The records of earlier snapshots are deleted after the new snapshot is stored, so some may be left.
    if (isSound && isNewer(record, { epoch: entry.snapshot[0], seq: entry.snapshot[1] })) continue;
    if (!isSound || !continues(entry, state)) {
      const message = say`persist: record ${changes.length + 1} of the stored journal is damaged or missing. The chat is
        restored up to there, and sends and stores nothing until the user continues`;
      return { state, problem: new PersistError('journal-damaged', message) };
    }
    changes.push(entry);
  }
  return { state, problem: undefined };
}

function checksumOf(record: Omit<ChangeRecord, 'checksum'>): string {
  const { version, snapshot, number, after, epoch, seq, applied, changes } = record;
  return checksum([version, snapshot, number, after, epoch, seq, applied, changes]);
}
