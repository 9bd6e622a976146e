/**
 * The record of a chat: a snapshot, with its version, its counters and the actions that it contains. It is stored, and
 * tabs send it to each other.
 *
 * | counter | counts |
 * |---|---|
 * | `epoch` | the leaders of the chat |
 * | `seq` | the states that this leader has captured, each in a record |
 * | `number` of a change | the records after their snapshot |
 * | `number` of an action | the user's actions in its tab |
 */
import { ToolGateError } from '../../types/errors.js';
import type { JSONValue, SavedGate } from '../../types/index.js';
import { say } from '../../types/say.js';

/** The version of all records that this release writes and reads. */
export const VERSION = 2;

/** How many tabs a record remembers. Actions of older tabs cannot arrive any more. */
const TABS = 32;

/** The names of a chat and of the one beside it, for releases that cannot read it. */
export const withFresh = (name: string): readonly [string, string] => [name, `${name}.fresh`];

/** The counters of a state. No two states of a chat have the same. */
export interface Counters {
  readonly epoch: number;
  readonly seq: number;
}

/** An action that is forwarded: its tab, its number in that tab, and the encoded action. */
export type SentAction = readonly [tab: string, number: number, action: JSONValue];

/** The number of the last action that a state contains, by tab. */
export type Applied = readonly (readonly [tab: string, number: number])[];

/** The state of a chat at one moment. */
export interface ChatRecord extends Counters {
  readonly version: number;
  readonly applied: Applied;
  readonly snapshot: SavedGate;
}

/** The last actions by tab, for a record. */
export const listApplied = (applied: ReadonlyMap<string, number>): Applied => [...applied].slice(-TABS);

/** Creates a record of the present state. */
export function toRecord({ epoch, seq }: Counters, applied: Applied, snapshot: SavedGate): ChatRecord {
  return { version: VERSION, epoch, seq, applied, snapshot };
}

/**
 * Reads a stored or received record; `undefined` if there is none. Throws `bad-snapshot` for anything else, and for the
 * record of another chat.
 */
export function readRecord(value: unknown, name: string, chatId: string | undefined): ChatRecord | undefined {
  if (value === undefined || value === null) return undefined;
  const { version, epoch, seq, applied, snapshot } = value as Partial<ChatRecord>;
  const areCounts = version === VERSION && isCount(epoch) && isCount(seq);
  if (!areCounts || !areApplied(applied) || !isObject(snapshot))
    throw new ToolGateError('bad-snapshot', say`the stored chat "${name}" is damaged`);
  const other = (snapshot as unknown as Record<string, unknown>)['chatId'];
  if (chatId !== undefined && typeof other === 'string' && other !== chatId)
    throw new ToolGateError('bad-snapshot', say`the stored chat "${name}" has the id "${other}", not "${chatId}"`);
  return value as ChatRecord;
}

/** Whether a stored record, or the snapshot in it, has a version that only a newer release reads. */
export function isOfNewerRelease(value: unknown, snapshotVersion: number): boolean {
  const { version, snapshot } = Object(value) as { version?: unknown; snapshot?: { version?: unknown } };
  return Number(version) > VERSION || Number(snapshot?.version) > snapshotVersion;
}

/** Whether a state is newer than another one. */
export function isNewer({ epoch, seq }: Counters, than: Counters | undefined): boolean {
  return !than || epoch > than.epoch || (epoch === than.epoch && seq > than.seq);
}

/** The epoch of a possible record; 0 for anything else. */
export function epochOf(value: unknown): number {
  const epoch = (value as { epoch?: unknown } | undefined | null)?.epoch;
  return isCount(epoch) ? epoch : 0;
}

/** Whether a state with these applied actions contains this one. */
export function contains(applied: Applied, [tab, number]: SentAction): boolean {
  return number <= (applied.find(([other]) => other === tab)?.[1] ?? 0);
}

/** Whether two actions are the same one. */
export const isSame = (one: SentAction, other: SentAction): boolean => one[0] === other[0] && one[1] === other[1];

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value is a list of actions. */
export function areActions(value: unknown): value is readonly SentAction[] {
  return areEntries(value, 3);
}

/** Whether a value is a list of applied actions by tab. */
export function areApplied(value: unknown): value is Applied {
  return areEntries(value, 2);
}

/** Whether a value is a counter. The limit is far below the largest exact integer, so that counting stays exact. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 50;
}

function areEntries(value: unknown, length: number): boolean {
  const isEntry = (entry: unknown): boolean =>
    Array.isArray(entry) && entry.length === length && typeof entry[0] === 'string' && isCount(entry[1]);
  return Array.isArray(value) && value.every(isEntry);
}
