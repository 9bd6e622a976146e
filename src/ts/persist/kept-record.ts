/**
 * What is stored under a name, and what tabs tell each other of a chat: a snapshot, with how new it is and which acts of
 * which tabs are in it. The record has a version of its own; the snapshot in it has another.
 */
import { ToolGateError } from '../types/errors.js';
import type { JSONValue, SavedGate } from '../types/index.js';

/** The version that this release writes. */
const VERSION = 1;

/** How many tabs are remembered: of the older ones nothing can be on its way any more. */
const TABS = 32;

/** An act that is forwarded: its tab, its number there, and itself, encoded. */
export type SentAct = readonly [tab: string, number: number, act: JSONValue];

/** The state of a chat at one moment. */
export interface KeptRecord {
  readonly version: number;
  /** Counts the tabs that have led, one after the other. */
  readonly epoch: number;
  /** Counts the records of that tab. */
  readonly seq: number;
  /** By tab, the number of its last act that is in this state. */
  readonly applied: readonly (readonly [tab: string, act: number])[];
  readonly snapshot: SavedGate;
}

/** A record of this moment. */
export function toRecord(
  { epoch, seq }: Pick<KeptRecord, 'epoch' | 'seq'>,
  applied: ReadonlyMap<string, number>,
  snapshot: SavedGate,
): KeptRecord {
  return { version: VERSION, epoch, seq, applied: [...applied].slice(-TABS), snapshot };
}

/**
 * The record in a value that was stored or sent; `undefined` if there is none. Throws `bad-snapshot` for anything else, for
 * a later version, and for the record of another chat.
 */
export function readRecord(value: unknown, name: string, chatId: string | undefined): KeptRecord | undefined {
  if (value === undefined || value === null) return undefined;
  const record = value as Partial<KeptRecord>;
  const { version, epoch, seq, applied, snapshot } = record;
  const bad = (why: string): never => {
    throw new ToolGateError('bad-snapshot', `what is stored as "${name}" ${why}`);
  };
  if (typeof version === 'number' && version > VERSION) {
    return bad(`is of version ${version}; this release reads version ${VERSION}`);
  }
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
    return bad(
      `is the chat "${other}", and this is the chat "${chatId}": give a chat the same id each time, and each chat its own name`,
    );
  }
  return record as KeptRecord;
}

/** Whether a record is newer than another one. */
export function isNewer(
  record: Pick<KeptRecord, 'epoch' | 'seq'>,
  than: Pick<KeptRecord, 'epoch' | 'seq'> | undefined,
): boolean {
  if (!than) return true;
  return record.epoch > than.epoch || (record.epoch === than.epoch && record.seq > than.seq);
}

/** The epoch of what may be a record; 0 for anything else. */
export function epochOf(value: unknown): number {
  const epoch = (value as { epoch?: unknown } | undefined | null)?.epoch;
  return isCount(epoch) ? epoch : 0;
}

/** The number of the tab's last act among those that are in a state. */
export function appliedOf(applied: KeptRecord['applied'], tab: string): number {
  return applied.find(([other]) => other === tab)?.[1] ?? 0;
}

/** Whether a value is a list of acts. */
export function areActs(value: unknown): value is readonly SentAct[] {
  return Array.isArray(value) && value.every((entry: unknown) => isEntry(entry) && entry.length === 3);
}

/** Whether a value says which acts of which tabs are part of a state. */
export function areApplied(value: unknown): value is KeptRecord['applied'] {
  return Array.isArray(value) && value.every((entry: unknown) => isEntry(entry) && entry.length === 2);
}

/** Whether a value counts something. Far below what a number can count, so that counting on stays exact. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 50;
}

function isEntry(value: unknown): value is readonly [string, number, ...unknown[]] {
  return Array.isArray(value) && typeof value[0] === 'string' && isCount(value[1]);
}
