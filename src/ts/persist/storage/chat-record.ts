/**
 * The record of a chat: a snapshot, with its version counters and the actions that it contains. It is stored, and tabs
 * send it to each other. The record has a version, and so has its snapshot.
 */
import { ToolGateError } from '../../types/errors.js';
import type { JSONValue, SavedGate } from '../../types/index.js';

/** The version of all records that this release writes and reads. */
export const VERSION = 2;

/** How many tabs a record remembers. Actions of older tabs cannot arrive any more. */
const TABS = 32;

/** An action that is forwarded: its tab, its number in that tab, and the encoded action. */
export type SentAction = readonly [tab: string, number: number, action: JSONValue];

/** The state of a chat at one moment. */
export interface ChatRecord {
  readonly version: number;
  /** Counts the leaders of the chat. */
  readonly epoch: number;
  /** Counts the records of that leader. */
  readonly seq: number;
  /** The number of the last action that this state contains, by tab. */
  readonly applied: readonly (readonly [tab: string, action: number])[];
  readonly snapshot: SavedGate;
}

/** The last actions by tab, for a record. */
export function listApplied(applied: ReadonlyMap<string, number>): ChatRecord['applied'] {
  return [...applied].slice(-TABS);
}

/** Creates a record of the present state. */
export function toRecord(
  { epoch, seq }: Pick<ChatRecord, 'epoch' | 'seq'>,
  applied: ChatRecord['applied'],
  snapshot: SavedGate,
): ChatRecord {
  return { version: VERSION, epoch, seq, applied, snapshot };
}

/**
 * Reads a stored or received record; `undefined` if there is none. Throws `bad-snapshot` for anything else, and for the
 * record of another chat.
 */
export function readRecord(value: unknown, name: string, chatId: string | undefined): ChatRecord | undefined {
  if (value === undefined || value === null) return undefined;
  const record = value as Partial<ChatRecord>;
  const { version, epoch, seq, applied, snapshot } = record;
  const bad = (why: string): never => {
    throw new ToolGateError('bad-snapshot', `the stored chat "${name}" ${why}`);
  };
  const isWhole =
    version === VERSION &&
    isCount(epoch) &&
    isCount(seq) &&
    areApplied(applied) &&
    typeof snapshot === 'object' &&
    snapshot !== null;
  if (!isWhole) return bad('is damaged');
  const other = (snapshot as Record<string, unknown>)['chatId'];
  if (chatId !== undefined && typeof other === 'string' && other !== chatId) {
    return bad(`has the id "${other}", not "${chatId}"`);
  }
  return record as ChatRecord;
}

/** Whether a stored record, or the snapshot in it, has a version that only a newer release reads. */
export function isOfNewerRelease(value: unknown, snapshotVersion: number): boolean {
  const { version, snapshot } = Object(value) as { version?: unknown; snapshot?: { version?: unknown } };
  return Number(version) > VERSION || Number(snapshot?.version) > snapshotVersion;
}

/** Whether a record is newer than another one. */
export function isNewer(
  record: Pick<ChatRecord, 'epoch' | 'seq'>,
  than: Pick<ChatRecord, 'epoch' | 'seq'> | undefined,
): boolean {
  if (!than) return true;
  return record.epoch > than.epoch || (record.epoch === than.epoch && record.seq > than.seq);
}

/** The epoch of a possible record; 0 for anything else. */
export function epochOf(value: unknown): number {
  const epoch = (value as { epoch?: unknown } | undefined | null)?.epoch;
  return isCount(epoch) ? epoch : 0;
}

/** The number of the tab's last action in a list of applied ones. */
export function appliedOf(applied: ChatRecord['applied'], tab: string): number {
  return applied.find(([other]) => other === tab)?.[1] ?? 0;
}

/** Whether a value is a list of actions. */
export function areActions(value: unknown): value is readonly SentAction[] {
  return Array.isArray(value) && value.every((entry: unknown) => isEntry(entry) && entry.length === 3);
}

/** Whether a value is a list of applied actions by tab. */
export function areApplied(value: unknown): value is ChatRecord['applied'] {
  return Array.isArray(value) && value.every((entry: unknown) => isEntry(entry) && entry.length === 2);
}

/** Whether a value is a counter. The limit is far below the largest exact integer, so that counting stays exact. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 50;
}

function isEntry(value: unknown): value is readonly [string, number, ...unknown[]] {
  return Array.isArray(value) && typeof value[0] === 'string' && isCount(value[1]);
}
