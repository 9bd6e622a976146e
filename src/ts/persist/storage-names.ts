/**
 * The names under which a chat is stored beside its own name. An app cannot use them for a chat.
 */
import { say } from '../types/say.js';

/** Actions that the leader has not confirmed. */
const ACTS = '.acts';

/** The leader. */
const LEADER = '.leader';

/** What changed since the stored snapshot. */
const JOURNAL = '.journal';

/** Records that could not be read. */
const REFUSED = '.refused';

/**
 * How many copies of unreadable records are stored. If there is no place for another, the record is not overwritten.
 */
const COPIES = 9;

export const actionsKey = (name: string): string => name + ACTS;
export const leaderKey = (name: string): string => name + LEADER;

/** The marker of a former leader: as long as it exists, that tab cannot write. */
export const fenceKey = (name: string, tab: string): string => `${name}${LEADER}.${tab}`;

/** The key of a record of the journal. Keys are in the order of their numbers. */
export const changeKey = (name: string, number: number): string =>
  `${name}${JOURNAL}.${String(number).padStart(9, '0')}`;

/** What the keys of all records of the journal begin with. */
export const changePrefix = (name: string): string => `${name}${JOURNAL}.`;

/** The names of the copies, in order. */
export function copyKeys(name: string): readonly string[] {
  return Array.from({ length: COPIES }, (_, i) => name + REFUSED + (i === 0 ? '' : `.${i + 1}`));
}

/** Why a name is invalid; undefined if it is valid. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return say`\`name\` must be a non-empty string`;
  const end = /\.(refused(\.\d)?|acts|leader(\.[\w-]+)?|journal(\.\d+)?)$/.exec(name)?.[0];
  return end && say`\`name\` must not end with "${end}", which is reserved`;
}
