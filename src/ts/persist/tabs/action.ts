/**
 * Actions: the commands of the user, as a follower encodes them for the leader, and the leader reads them. Commands
 * that only a leader can execute are ignored in a follower.
 */
import { COMMANDS, type Command, type DecisionForShown, type UserCommand } from '../../gate/commands.js';
import type { GateInternals } from '../../gate/internals.js';
import { digestOf } from '../../json/digest.js';
import { decode, encode } from '../../json/encode.js';
import type { Decision, JSONObject, JSONValue } from '../../types/index.js';
import { say } from '../../types/say.js';
import { isObject, type SentAction } from '../storage/chat-record.js';

/** The result of a command that a follower ignores, because only a leader can execute it; undefined for all others. */
export function ignored({ name }: Command): { readonly result: unknown } | undefined {
  if (!['backend', 'delivery', 'time'].includes(COMMANDS[name])) return undefined;
  return { result: name === 'load' ? { repairs: [] } : name === 'claim' ? false : undefined };
}

/**
 * Encodes an action for another tab. A decision has the digests of the shown inputs, so that it applies to these
 * inputs only, and says who decided when, because the other tab cannot know that. Throws `unserializable` for a value
 * that JSON cannot express.
 */
export function encodeForLeader(internals: GateInternals, action: UserCommand): JSONValue {
  const { name, args, attached, decider } = action;
  const isDecision = name === 'respond' || name === 'respondAll';
  return encode(
    {
      ...{ name, args: boundArgs(internals, action) ?? args },
      ...(attached !== undefined && { attached }),
      ...(isDecision && { decider: { at: internals.env.now(), ...decider } }),
    },
    name,
  );
}

function boundArgs(internals: GateInternals, action: UserCommand): readonly unknown[] | undefined {
  if (action.name === 'respond') {
    const [approvalId, response, shown] = action.args;
    if (!isObject(response)) return undefined;
    const inputDigest = response.inputDigest ?? (shown ? digestOf(shown.input) : internals.inputDigest(approvalId));
    const shownRevision = response.shownRevision ?? internals.shownRevision(approvalId);
    return [approvalId, { ...response, inputDigest, ...(shownRevision && { shownRevision }) } satisfies Decision];
  }
  if (action.name === 'respondAll') {
    const [answer] = action.args;
    if (!isObject(answer) || !answer.where) return undefined;
    const shown = answer.where.map((approvalId) => ({
      inputDigest: internals.inputDigest(approvalId),
      shownRevision: internals.shownRevision(approvalId),
    }));
    return [{ ...answer, shown } satisfies DecisionForShown];
  }
  return undefined;
}

/** The id of the message that an action sends. */
export function sentMessageId(action: UserCommand): string | undefined {
  return action.name === 'sendUserMessage' ? (action.args[0] as { id?: string }).id : undefined;
}

/** Whether the action shows a call as one that will not run. */
export function showsCallAsNotRun(action: UserCommand): boolean {
  if (action.name === 'respond') return action.args[1]?.approved === false;
  return action.name === 'respondAll' ? action.args[0]?.approved === false : action.name === 'cancel';
}

/** An action without the headers of its request, which may contain credentials: the form that is stored. */
export function withoutHeaders([tab, number, action]: SentAction): SentAction {
  const { attached } = action as { attached?: { options?: { headers?: JSONValue } } };
  if (attached?.options?.headers === undefined) return [tab, number, action];
  const { headers: _, ...options } = attached.options;
  return [tab, number, { ...(action as JSONObject), attached: { ...attached, options } as JSONObject }];
}

/** Decodes the action that was sent. Throws a `TypeError` for anything else: any script of the site can send. */
export function readAction([, , sent]: SentAction): UserCommand {
  const action = decode(sent) as Partial<UserCommand> | null | undefined;
  const { name = 'free', args } = action ?? {};
  if (!Object.hasOwn(COMMANDS, name) || COMMANDS[name] !== 'user' || !Array.isArray(args))
    throw new TypeError(say`persist: ignored a message that is not an action of the user`);
  return action as UserCommand;
}
