/**
 * The names under which a chat is stored, beside its own: chats must not be called so.
 */

/** Acts that the tab that leads has not confirmed. */
const ACTS = '.acts';

/** Who leads. */
const LEADER = '.leader';

/** What could not be read. */
const REFUSED = '.refused';

/** How many copies of what could not be read are kept. With all places taken, it stays where it is. */
const COPIES = 9;

export const actsOf = (name: string): string => name + ACTS;
export const leaderOf = (name: string): string => name + LEADER;

/** The end of a tab's lead: while it is there, that tab cannot write. */
export const fenceOf = (name: string, tab: string): string => `${name}${LEADER}.${tab}`;

/** The names of copies, in order. */
export function copiesOf(name: string): readonly string[] {
  return Array.from({ length: COPIES }, (_, i) => name + REFUSED + (i === 0 ? '' : `.${i + 1}`));
}

/** Why a chat cannot be called so; undefined if it can. */
export function badName(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return '`name` must be a non-empty string';
  const end = /\.(refused(\.\d)?|acts|leader(\.[\w-]+)?)$/.exec(name)?.[0];
  return end && `\`name\` must not end with "${end}", which is for the keeper's own`;
}
