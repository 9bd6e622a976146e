/**
 * Who decides: names the user of this tab in its decisions, before the persister forwards them, and says of a decision
 * that reaches the core in which tab it was made.
 */
import type { Command, Decider } from '../gate/commands.js';
import type { GateInternals } from '../gate/internals.js';
import { timeOf } from './evidence-form.js';
import type { DecidedIn } from './evidence-types.js';

/** A decision that is being executed. */
interface Deciding {
  /** The approvals; undefined for all. */
  readonly approvalIds: readonly string[] | undefined;
  readonly by: DecidedIn;
}

/** The deciders of one gate. */
export class Deciders {
  /** Ends the observation. */
  readonly stop: () => void;
  readonly #user: () => string | undefined;
  readonly #before: () => void;
  /** The innermost is last: a listener may decide during a decision. */
  readonly #deciding: Deciding[] = [];
  #depth = 0;

  /** `user` is called when a decision happens in this tab. `before` is called before a decision reaches the core. */
  constructor({ commands }: Pick<GateInternals, 'commands'>, user: () => string | undefined, before: () => void) {
    this.#user = user;
    this.#before = before;
    const ends = [
      commands.use('driver', (command, next) => next(this.#named(command))),
      commands.use('recorder', (command, next) => this.#execute(command, next)),
    ];
    this.stop = () => ends.forEach((end) => end());
  }

  /** Whether a command is being executed, so that the view may show what has no entry yet. */
  get isExecuting(): boolean {
    return this.#depth > 0;
  }

  /** Who decides this approval now. Empty if that is unknown. */
  of(approvalId: string): DecidedIn {
    const { by } = this.#deciding.findLast(({ approvalIds: ids }) => ids?.includes(approvalId) ?? true) ?? {};
    return by ?? {};
  }

  #named(command: Command): Command {
    if (!approvalsOf(command) || command.isForwarded) return command;
    // A rule says who made it.
    const user = command.decider?.user ?? this.#user();
    return user === undefined ? command : { ...command, decider: { ...command.decider, user } };
  }

  #execute(command: Command, next: (command: Command) => unknown): unknown {
    const decision = approvalsOf(command);
    // What came with a history has no entry until it is looked for.
    if (decision && !this.isExecuting) this.#before();
    this.#depth++;
    if (decision) this.#deciding.push({ ...decision, by: decidedIn(command) });
    try {
      return next(command);
    } finally {
      this.#depth--;
      if (decision) this.#deciding.pop();
    }
  }
}

/** The approvals that a command decides; undefined for a command that is not a decision. */
function approvalsOf({ name, args }: Command): Pick<Deciding, 'approvalIds'> | undefined {
  if (name === 'respond') return { approvalIds: [args[0]] };
  return name === 'respondAll' ? { approvalIds: args[0]?.where } : undefined;
}

/** Who decides by a command. Any script of the site can send messages to a tab, so the fields are checked. */
function decidedIn({ decider, isForwarded, tab = '' }: Command): DecidedIn {
  const { user, rule, at } = (decider ?? {}) as { readonly [NAME in keyof Decider]: unknown };
  const named = { ...(typeof user === 'string' && { user }), ...(typeof rule === 'string' && { rule }) };
  if (!isForwarded) return named;
  return { ...named, tab, ...(typeof at === 'number' && at >= 0 && { decidedAt: timeOf(at) }) };
}
