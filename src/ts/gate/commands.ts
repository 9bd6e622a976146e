/**
 * Everything that changes a gate is a command, `{ name, args }`, and passes one list of interceptors on its way to the core.
 *
 * That is how the parts of this package that are no part of the gate take part: the driver of a guarded chat attaches what
 * the app gave for the request, the keeper hands the user's acts to the tab that sends, the recorder notes what happens. A
 * logger needs nothing more than this either. Arguments are plain data as far as the app's values are: ids are made, and
 * approvals chosen, before a command is dispatched, so that the same command means the same in another tab.
 */
import type {
  Decision,
  DecisionForAll,
  RepairReport,
  ReplyTo,
  SavedGate,
  StreamEnd,
  ToolOutput,
  UserMessage,
} from '../types/index.js';

/** The decision about all approvals that were shown: which these are is a list of ids here. */
export interface DecisionForShown extends Omit<DecisionForAll, 'where'> {
  /** The approvals, in call order. Absent: all that are pending. */
  readonly where?: readonly string[];
  /** The digests of the inputs that were shown, in the same order. */
  readonly inputDigests?: readonly string[];
}

/** What each command takes and returns. Those that are methods of `ToolGate` are described there. */
export interface CommandTypes {
  /** `shown`: the input that was shown, where the decision has no digest of it. */
  respond(approvalId: string, decision: Decision, shown?: { readonly input: unknown }): 'accepted' | 'duplicate';
  respondAll(decision: DecisionForShown): number;
  sendUserMessage(message: UserMessage, options?: { replace?: string }): 'sent' | 'queued';
  regenerate(options?: { messageId?: string }): void;
  cancel(reason?: string): void;
  stop(): void;
  resume(): void;
  addToolOutput(toolCallId: string, result: ToolOutput): void;
  retry(id: string): void;
  forget(id: string): void;
  receive(event: unknown, about?: ReplyTo): void;
  streamEnded(how: StreamEnd, about?: ReplyTo): void;
  reconnecting(about?: ReplyTo): void;
  load(messages: readonly unknown[]): RepairReport;
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  tick(nowMs: number): void;
  /** Takes a state over in place of the present one: see `Port.adopt` in internals.ts. */
  adopt(snapshot: SavedGate, follows: boolean, then?: () => void): void;
  free(): void;
}

/** The name of a command. */
export type CommandName = keyof CommandTypes;

/**
 * What kind of command it is, which decides who may give it:
 * - `act`: the user does it, in any tab; it counts in the tab that sends
 * - `backend`: the backend says it, or a history that it stored; only the tab that reads the stream can know
 * - `delivery`: the host sends requests, which only the tab that sends may
 * - `time`: it tells the gate the time
 * - `state`: the gate itself begins anew or ends
 */
type CommandKind = 'act' | 'backend' | 'delivery' | 'time' | 'state';

/** All commands. */
export const COMMANDS = {
  respond: 'act',
  respondAll: 'act',
  sendUserMessage: 'act',
  regenerate: 'act',
  cancel: 'act',
  stop: 'act',
  resume: 'act',
  addToolOutput: 'act',
  retry: 'act',
  forget: 'act',
  receive: 'backend',
  streamEnded: 'backend',
  reconnecting: 'backend',
  load: 'backend',
  claim: 'delivery',
  markSent: 'delivery',
  markFailed: 'delivery',
  tick: 'time',
  adopt: 'state',
  free: 'state',
} as const satisfies Readonly<Record<CommandName, CommandKind>>;

/** The methods of a gate that change nothing; `deliver` consists of commands. */
export type ReadName =
  | 'protocol'
  | 'outgoing'
  | 'undelivered'
  | 'deliver'
  | 'assemble'
  | 'nextDeadline'
  | 'pending'
  | 'remembered'
  | 'getSnapshot'
  | 'subscribe'
  | 'onEvent'
  | 'auditLog'
  | 'toJSON';

/** The commands of one kind. */
export type CommandsOf<KIND extends CommandKind> = {
  [N in CommandName]: (typeof COMMANDS)[N] extends KIND ? N : never;
}[CommandName];

/** A command. */
export interface CommandOf<N extends CommandName> {
  readonly name: N;
  readonly args: Parameters<CommandTypes[N]>;
  /** What the app gave for the request that the command leads to, by the driver of a guarded chat: plain data. */
  readonly attached?: unknown;
  /** It was given in another tab, or in this one before it led. */
  readonly isForwarded?: boolean;
}

/** Any command: `name` says which arguments it has. */
export type Command = { [N in CommandName]: CommandOf<N> }[CommandName];

/** An act of the user. */
export type Act = { [N in CommandsOf<'act'>]: CommandOf<N> }[CommandsOf<'act'>];

/** Whether a command is an act of the user. */
export function isAct(command: Command): command is Act {
  return COMMANDS[command.name] === 'act';
}

/**
 * Gets each command before the core does, and returns what its caller gets. It may pass the command on by `next`, change it
 * first, answer itself, or refuse by throwing.
 */
export type Interceptor = (command: Command, next: (command: Command) => unknown) => unknown;

/**
 * Who comes first. The driver attaches what another tab needs to know, so it comes before the keeper, which hands commands to
 * that tab; the recorder notes what reaches the core. Within one place, whoever came first.
 */
const PLACES = { app: 0, driver: 1, keeper: 2, recorder: 3 } as const;

/** Where an interceptor stands in the list. */
export type InterceptorPlace = keyof typeof PLACES;

/** The commands of one gate. */
export class Commands {
  /** What the core makes of a command. */
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
   * Gives a command. Returns what its handler or an interceptor returns, and throws what they throw. `after`: only the
   * interceptors after this place get it.
   */
  dispatch<N extends CommandName>(command: CommandOf<N>, after?: InterceptorPlace): ReturnType<CommandTypes[N]> {
    const list = after ? this.#list.filter(({ place }) => PLACES[place] > PLACES[after]) : this.#list;
    const pass = (at: number, passed: Command): unknown => {
      const entry = list[at];
      return entry ? entry.intercept(passed, (changed) => pass(at + 1, changed)) : this.#handle(passed);
    };
    return pass(0, command as unknown as Command) as ReturnType<CommandTypes[N]>;
  }
}
