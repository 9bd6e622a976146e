/**
 * Commands: every change of a gate is a command `{ name, args }` that passes a list of interceptors before the core.
 *
 * Other parts of this package are interceptors: the driver of a guarded chat attaches the request options of the app,
 * the persister sends the user's actions to the leader tab, and the recorder records commands. A logger can be one too.
 * Ids are generated and approvals selected before a command is dispatched, so that it means the same in another tab.
 */
import type {
  CancelOnly,
  Decision,
  DecisionForAll,
  RepairReport,
  ReplyTo,
  SavedGate,
  StreamEnd,
  ToolOutput,
  UserMessage,
} from '../types/index.js';

/** One decision about all shown approvals, with the list of their ids. */
export interface DecisionForShown extends Omit<DecisionForAll, 'where'> {
  /** The approvals, in call order. Absent: all that are pending. */
  readonly where?: readonly string[];
  /** What was shown of each, in the same order. */
  readonly shown?: readonly Pick<Decision, 'inputDigest' | 'shownRevision'>[];
}

/** The signature of each command. `ToolGate` documents those that are its methods. */
export interface CommandTypes {
  /** `shown` is the shown input, if the decision has no digest of it. */
  respond(approvalId: string, decision: Decision, shown?: { readonly input: unknown }): 'accepted' | 'duplicate';
  respondAll(decision: DecisionForShown): number;
  extend(approvalId: string, expiresAt: number): boolean;
  /** `key`: the idempotency key of a request for another reply to the same history. */
  sendUserMessage(message: UserMessage, options?: { replace?: string; key?: string }): 'sent' | 'queued';
  regenerate(options?: { messageId?: string | undefined; key?: string }): void;
  cancel(reason?: string, only?: CancelOnly): void;
  stop(): void;
  resume(): void;
  addToolOutput(toolCallId: string, result: ToolOutput): void;
  retry(id: string): void;
  forget(id: string): void;
  receive(event: unknown, about?: ReplyTo): void;
  streamEnded(how: StreamEnd, about?: ReplyTo): void;
  reconnecting(about?: ReplyTo): void;
  load(messages: readonly unknown[]): RepairReport;
  /** Requests approval of open calls that nobody has asked about: see request-approvals.ts. */
  ask(): void;
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  tick(nowMs: number): void;
  /** Replaces the state with a saved one: see `GateInternals.commands` in internals.ts. */
  adopt(
    snapshot: SavedGate,
    follows: boolean,
    then?: () => void,
    continued?: (values: readonly unknown[]) => void,
  ): void;
  free(): void;
}

/** The name of a command. */
export type CommandName = keyof CommandTypes;

/**
 * The kind of a command, which determines where it may be dispatched:
 * - `user`: an action of the user, in any tab; the leader executes it
 * - `backend`: content from the backend or from a stored history; only in the tab that reads the stream
 * - `delivery`: the host sends requests; only in the leader
 * - `time`: sets the time
 * - `state`: replaces the state of the gate, or frees it
 */
type CommandKind = 'user' | 'backend' | 'delivery' | 'time' | 'state';

/** The kind of each command. */
export const COMMANDS = {
  respond: 'user',
  respondAll: 'user',
  extend: 'user',
  sendUserMessage: 'user',
  regenerate: 'user',
  cancel: 'user',
  stop: 'user',
  resume: 'user',
  addToolOutput: 'user',
  retry: 'user',
  forget: 'user',
  receive: 'backend',
  streamEnded: 'backend',
  reconnecting: 'backend',
  load: 'backend',
  ask: 'backend',
  claim: 'delivery',
  markSent: 'delivery',
  markFailed: 'delivery',
  tick: 'time',
  adopt: 'state',
  free: 'state',
} as const satisfies Readonly<Record<CommandName, CommandKind>>;

/** The members of a gate that are not commands. `deliver` is one of them: it dispatches several commands. */
export type ReadName =
  | 'protocol'
  | 'outgoing'
  | 'undelivered'
  | 'deliver'
  | 'assemble'
  | 'nextDeadline'
  | 'pending'
  | 'part'
  | 'approval'
  | 'remembered'
  | 'getSnapshot'
  | 'subscribe'
  | 'onEvent'
  | 'auditLog'
  | 'toJSON';

/** The names of all commands of one kind. */
export type CommandsOf<KIND extends CommandKind> = {
  [N in CommandName]: (typeof COMMANDS)[N] extends KIND ? N : never;
}[CommandName];

/** Who decides by a command, as plain data: what the tab of the decision says. */
export interface Decider {
  /** The user, as the recorder of `toolgate/evidence` in that tab names them, or the rule that decides. */
  readonly user?: string | undefined;
  /** The id of the rule of `toolgate/rules` that decides. */
  readonly rule?: string;
  /** When they decided, in ms since 1970, by the clock of that tab. */
  readonly at?: number;
}

/** A command with a known name, and the arguments for that name. */
export interface CommandOf<N extends CommandName> {
  readonly name: N;
  readonly args: Parameters<CommandTypes[N]>;
  /** The request options that the driver of a guarded chat attached for the request of this command, as plain data. */
  readonly attached?: unknown;
  /** Who decides, if the command is a decision. */
  readonly decider?: Decider;
  /** Whether the command comes from another tab, or from this tab before it became the leader. */
  readonly isForwarded?: boolean;
  /** The id of the tab that forwarded it. */
  readonly tab?: string;
}

/** Any command. Its `name` determines the type of its arguments. */
export type Command = { [N in CommandName]: CommandOf<N> }[CommandName];

/** A command that is an action of the user. */
export type UserCommand = { [N in CommandsOf<'user'>]: CommandOf<N> }[CommandsOf<'user'>];

/** Whether a command is an action of the user. */
export function isUserCommand(command: Command): command is UserCommand {
  return COMMANDS[command.name] === 'user';
}

/**
 * Called with each command before the core. Its return value is what the caller of the command gets. It can pass the
 * command, or a changed one, to `next`, return a value itself, or throw to refuse it.
 */
export type Interceptor = (command: Command, next: (command: Command) => unknown) => unknown;

/**
 * The order of interceptors. The driver attaches data that another tab needs, so it precedes the persister, which sends
 * commands to that tab. The recorder is last, because it records what reaches the core. Within one place, the order is
 * that of `use`.
 */
const PLACES = { app: 0, driver: 1, persister: 2, recorder: 3 } as const;

/** The place of an interceptor in the list. */
export type InterceptorPlace = keyof typeof PLACES;

/** The commands of one gate. */
export class Commands {
  /** Executes a command on the core. */
  readonly #handle: (command: Command) => unknown;
  #list: readonly { readonly place: InterceptorPlace; readonly intercept: Interceptor }[] = [];

  constructor(handle: (command: Command) => unknown) {
    this.#handle = handle;
  }

  /** Adds an interceptor. Returns a function that removes it. */
  use(place: InterceptorPlace, intercept: Interceptor): () => void {
    const entry = { place, intercept };
    this.#list = [...this.#list, entry].sort((a, b) => PLACES[a.place] - PLACES[b.place]);
    return () => (this.#list = this.#list.filter((other) => other !== entry));
  }

  /**
   * Dispatches a command. Returns the return value of its handler or of an interceptor, and throws their errors. With
   * `after`, only interceptors after that place are called.
   */
  dispatch<N extends CommandName>(command: CommandOf<N>, after?: InterceptorPlace): ReturnType<CommandTypes[N]> {
    const list = after ? this.#list.filter(({ place }) => PLACES[place] > PLACES[after]) : this.#list;
    if (list.length === 0) return this.#handle(command as unknown as Command) as ReturnType<CommandTypes[N]>;
    const pass = (at: number, passed: Command): unknown => {
      const entry = list[at];
      return entry ? entry.intercept(passed, (changed) => pass(at + 1, changed)) : this.#handle(passed);
    };
    return pass(0, command as unknown as Command) as ReturnType<CommandTypes[N]>;
  }
}
