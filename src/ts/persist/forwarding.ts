/**
 * What a follower does with the commands of its gate: what only the tab that leads can do, it does not; and an act of the user
 * it makes ready to be done there.
 */
import type { Act, DecisionForShown, Command, CommandsOf, CommandTypes } from '../gate/commands.js';
import { digestOf } from '../json/digest.js';
import { encode } from '../json/encode.js';
import type { Port } from '../gate/internals.js';
import type { JSONValue, Decision } from '../types/index.js';

type Ignored = CommandsOf<'backend' | 'delivery'> | 'tick';

/** What is returned for commands that only the tab that leads can carry out. */
const IGNORED: { readonly [N in Ignored]: () => ReturnType<CommandTypes[N]> } = {
  receive: () => {},
  streamEnded: () => {},
  reconnecting: () => {},
  load: () => ({ repairs: [] }),
  claim: () => false,
  markSent: () => {},
  markFailed: () => {},
  tick: () => {},
};

/** The answer to a command that is not for a follower; undefined if it is for one. */
export function ignored({ name }: Command): { readonly result: unknown } | undefined {
  return Object.hasOwn(IGNORED, name) ? { result: IGNORED[name as Ignored]() } : undefined;
}

/**
 * An act as another tab can do it: with the digests of the inputs that were shown, so that it counts for these only. Throws
 * `unserializable` for what has no form in JSON.
 */
export function portable(port: Port, act: Act): JSONValue {
  const { name, args, attached } = act;
  return encode({ name, args: shownIn(port, act) ?? args, ...(attached !== undefined && { attached }) }, name);
}

function shownIn(port: Port, act: Act): readonly unknown[] | undefined {
  if (act.name === 'respond') {
    const [approvalId, response, shown] = act.args;
    if (!isObject(response) || response.inputDigest !== undefined) return undefined;
    const inputDigest = shown ? digestOf(shown.input) : port.inputDigest(approvalId);
    return [approvalId, { ...response, inputDigest } satisfies Decision];
  }
  if (act.name === 'respondAll') {
    const [answer] = act.args;
    if (!isObject(answer) || !answer.where) return undefined;
    const inputDigests = answer.where.map((approvalId) => port.inputDigest(approvalId));
    return [{ ...answer, inputDigests } satisfies DecisionForShown];
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The id of the message that an act sends. */
export function sentBy(act: Act): string | undefined {
  return act.name === 'sendUserMessage' ? (act.args[0] as { id?: string }).id : undefined;
}

/** Whether a call that the act decides is shown as one that does not run. */
export function saysThatItDoesNotRun(act: Act): boolean {
  if (act.name === 'respond') return act.args[1]?.approved === false;
  return act.name === 'respondAll' ? act.args[0]?.approved === false : act.name === 'cancel';
}
