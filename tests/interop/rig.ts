/**
 * The type of a rig: a real framework with a gate and a scripted model. A rig only forwards bytes and records the
 * framework's tool runs and prompts. The expected behaviour is in scenarios.ts; the rig declares deviations of its
 * framework, with the source.
 */
import type { Outgoing, PendingApproval, ToolGate, ToolGateOptions } from 'toolgate';
import { type ProtocolName } from '../protocols/all.js';
import type { InterruptionName } from './interruptions';
import type { Data } from './support';

/** One reply of the scripted model. */
export type Reply =
  | { readonly text: string }
  /** The calls, all in one step. */
  | { readonly calls: readonly ScriptedCall[] }
  /** The model's API fails with this error. */
  | { readonly error: string };

/** A call that the scripted model makes. */
export interface ScriptedCall {
  readonly id: string;
  /**
   * `read` runs without approval; `remove` and `send` need one. The input of each is `{ path: string }`, and its output
   * `<name> <path>: done`. `question`: the program's own tool, which asks the user about `path`.
   */
  readonly tool: 'read' | 'remove' | 'send' | 'question';
  readonly path: string;
}

/** One entry of a message that the model received: a text, a call, or the result of a call. */
export interface Line {
  readonly kind: 'user' | 'text' | 'call' | 'result' | 'other';
  /** The text, or the result as a text. */
  readonly text?: string;
  /** The tool and its path: `remove /a`. For a result, those of the call with its id. */
  readonly call?: string;
}

/** A chat with the framework. */
export interface Session {
  readonly gate: ToolGate;
  /** The address of the server, for the samples of docs/backends/. */
  readonly url?: string;
  /**
   * Sends an item to the framework's server or runner and passes its reply to the gate, up to `streamEnded`. For
   * `gate.deliver`.
   */
  send(item: Outgoing): Promise<void>;
  /** The tools that ran, in order: `remove /a`. */
  readonly ran: readonly string[];
  /** Every list of messages that the model received, in order. */
  readonly prompts: readonly (readonly Line[])[];
  /** Reads the server's record into `ran` and `prompts`, if it is in another process. `send` does so too. */
  look?(): Promise<void>;
  /** Resolves when the backend waits for the user, or has ended its turn. Default: `send` resolves then. */
  settled?(): Promise<void>;
  /** The requests of the backend that have no answer. */
  open?(): readonly Data[];
  /** Fills the empty gate of a page that is opened again with what the server stores of the chat. */
  refill?(): Promise<void>;
  /** Names a pending approval as in `ScriptedCall`: `remove /a`. Default: the tool's name and the input's path. */
  nameOf?(approval: PendingApproval): string;
  /** Closes the session. */
  close?(): Promise<void> | void;
}

/**
 * What a framework does differently from what a scenario expects, with the reason, which is added to the test's name.
 */
export interface Quirk {
  readonly why: string;
  /** The calls that ran, instead of those that the scenario expects. */
  readonly ran?: readonly string[];
  /** Calls that are not in the model's messages. */
  readonly gone?: readonly string[];
  /** Calls that ran, although the model reads about them as about calls that did not. */
  readonly untold?: readonly string[];
  /** Calls that did not run, although the model reads that they may have: their request was lost, and then refused. */
  readonly unknown?: readonly string[];
  /** Calls that the framework stores without a result in the model's messages. */
  readonly open?: readonly string[];
  /** Whether the framework forgets the turn: the model's last request has none of its messages and calls. */
  readonly forgets?: boolean;
  /** What the model's last request says about calls that did not run, instead of what the scenario expects. */
  readonly told?: Readonly<Record<string, RegExp>>;
}

/** The names of the scenarios. */
export type ScenarioName =
  | 'approve all'
  | 'deny one with a reason'
  | 'deny all'
  | 'mixed'
  | 'cancel'
  | 'a message while approvals are pending'
  | 'resume after a request that failed'
  | 'resume after a turn that failed'
  | 'answers request fails, then a message'
  | 'denials fail, then a message'
  | 'unconfirmed resume, then a message'
  | 'reload of a waiting thread';

/** A framework. */
export interface Rig<S extends Session = Session> {
  readonly name: string;
  readonly protocol: ProtocolName;
  /** Opens a new chat. Its model returns these replies in order, and fails the test at a further call. */
  open(replies: readonly Reply[], options: ToolGateOptions): Promise<S>;
  readonly quirks?: Partial<Record<ScenarioName | InterruptionName, Quirk>>;
  /** The interruptions after which the gate does what it must not do, each with what that is. */
  readonly faults?: Partial<Record<InterruptionName, string>>;
  /** Whether a message while a turn runs ends that turn, whose results the model then does not read. */
  readonly cutsTurns?: boolean;
  /** The scenarios that are played, if not all: a program's session may take many seconds. */
  readonly only?: readonly ScenarioName[];
  /**
   * Where a page that is opened again finds a chat that waits for the user: with the server, which `Session.refill`
   * asks, or only in the gate's own saved state, for this reason.
   */
  readonly waiting: 'with the server' | { readonly savedOnly: string };
  /** Whether a repeated request with decisions runs the approved tools twice. */
  readonly runsAgain?: boolean;
  /** Whether a repeated request with decisions closes a call that was asked about since, which then never runs. */
  readonly closesLater?: boolean;
  /**
   * Whether it refuses a request with both approvals and denials, and runs nothing. The user then cancels that request.
   */
  readonly refusesMixed?: boolean;
  /** Whether the reply continues while an approval is pending. */
  readonly streams?: boolean;
  /** Whether the framework does not pass the reason of a denial to the model. */
  readonly losesReasons?: boolean;
  /** A text that shows the model that a call was denied, if the framework writes its own. */
  readonly deniedWords?: RegExp;
}

/** The reason of a rig whose client sends the whole history, with what waits. */
export const IN_THE_CLIENT = { savedOnly: 'the client stores the history' } as const;
