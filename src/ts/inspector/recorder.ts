/**
 * Records every command of a gate with its arguments and effects, for `replay`.
 *
 * The recorder is an interceptor that does not change commands. It also records the return values of the app's
 * functions (clock, ids, `needsApproval`, `rewriteResult`), because a replay has none of them. The time is constant
 * during one command. A failure of the recorder does not affect the app: the recording is discarded and starts again.
 */
import type { Command } from '../gate/commands.js';
import { encode } from '../json/encode.js';
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import { internalsOf, isFollowing, type GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, JSONObject, Outgoing, SavedGate } from '../types/index.js';
import { Answers } from './function-values.js';
import { draft, plainArgs, trimmed, type Draft } from './step-draft.js';
import { endOf, plainError, plainEvent, plainItem } from './to-plain-json.js';
import type { EndState, Recorder, Recording, RecordOptions, Step } from './recording.js';

/** Options with plain values that affect the gate's behaviour. */
const PLAIN = [
  'onDeny',
  'onUserMessage',
  'approvalTimeoutMs',
  'browserTools',
  'neverRemember',
  'texts',
  'remembered',
  'history',
] as const;

/** Options that are functions. A replay returns their recorded values. It always does so for the clock and ids. */
const FUNCTIONS = ['needsApproval', 'rewriteResult'] as const;

/**
 * Records a gate, or the gate of a guarded chat. For a gate that is in use already, the recording starts at the next
 * moment without a request in flight, and begins with the gate's state at that moment. Call it directly after `new
 * ToolGate()` to record everything. If several tabs share the chat, the leader tab records.
 *
 * Throws a `TypeError` for a gate of another copy of the package.
 */
export function record(source: NonNullable<GateSource>, options: RecordOptions = {}): Recorder {
  return new Notes(gateOfSource('record', source), options.limit ?? 100_000);
}

/** The recorder of one gate. @internal */
export class Notes implements Recorder {
  readonly #gate: ToolGate;
  readonly #internals: GateInternals;
  readonly #limit: number;
  readonly #answers: Answers;
  readonly #subscriptions: (() => void)[];
  #start: { readonly snapshot: SavedGate | undefined; readonly options: JSONObject } | undefined;
  #steps: Draft[] = [];
  readonly #open: Draft[] = [];
  /** The step for events that no command caused. It lasts for one microtask. */
  #detached: Draft | undefined;
  /** A late result of `rewriteResult` that the gate gets next; `n` is the number of that call of `rewriteResult`. */
  #lateRewrite: readonly [n: number, text: string | null] | undefined;
  #problem: string | undefined;
  #final: EndState | undefined;
  /** Whether the gate is adopting another state. */
  #isAdopting = false;
  #isStopped = false;

  constructor(gate: ToolGate, limit: number) {
    const internals = internalsOf(gate);
    if (!internals)
      throw new TypeError('record: this gate comes from another copy of the package. Pass a gate of the same copy');
    this.#gate = gate;
    this.#internals = internals;
    this.#limit = limit;
    const late = (n: number, text: string | null): void => {
      this.#detached = undefined;
      this.#lateRewrite = [n, text];
    };
    this.#answers = new Answers(internals, () => this.#open.at(-1), late);
    this.#subscriptions = [
      internals.commands.use('recorder', (command, next) => this.#intercept(command, next)),
      gate.onEvent((event) => this.#onEvent(event)),
    ];
    this.#begin();
  }

  /** The steps so far. */
  get steps(): readonly Step[] {
    return this.#steps;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  recording(): Recording | undefined {
    if (!this.#start && !this.#isStopped) this.#begin();
    if (!this.#start) return undefined;
    const { snapshot, options } = this.#start;
    // A tool that needs approval may have been registered since the start.
    const functions = FUNCTIONS.filter((name) => this.#internals.env.options[name] !== undefined);
    const end = this.#final ?? endOf(this.#gate);
    return {
      toolgate: 'recording',
      version: 1,
      options,
      functions,
      ...(snapshot && { start: snapshot }),
      steps: this.#steps.map(trimmed),
      end,
      auditLog: this.#gate.auditLog(),
    };
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#guarded(() => (this.#final = endOf(this.#gate)));
    this.#isStopped = true;
    this.#subscriptions.forEach((end) => end());
    this.#answers.stop();
  }

  /** Starts a new recording from the current state, if no request is in flight. */
  #begin(): void {
    const gate = this.#gate;
    if (isFollowing(gate) || this.#answers.arePending || !atRest(gate)) {
      if (this.#steps.length >= 2 * this.#limit) this.#discard();
      return;
    }
    this.#discard();
    this.#guarded(() => {
      const { options } = this.#internals.env;
      const isNew = gate.getSnapshot().revision === 0;
      const snapshot = gate.toJSON();
      // The saved state contains the remembered decisions.
      const names = PLAIN.filter((name) => options[name] !== undefined && (isNew || name !== 'remembered'));
      const plain = Object.fromEntries(names.map((name) => [name, encode(options[name], `options.${name}`)]));
      const { chatId } = snapshot as unknown as { chatId: string };
      const { name: protocol } = gate.protocol;
      this.#start = { snapshot: isNew ? undefined : snapshot, options: { protocol, ...plain, chatId } };
    });
  }

  #discard(): void {
    this.#start = undefined;
    this.#steps = [];
    this.#detached = undefined;
  }

  /** Runs a part of the recorder. A failure discards the recording and does not affect the app. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#discard();
    }
  }

  /** Intercepts a command and records it, unless a replay cannot repeat it. */
  #intercept(command: Command, next: (command: Command) => unknown): unknown {
    if (command.name === 'free') this.stop();
    if (this.#isStopped) return next(command);
    // A follower shows the leader's state, and an adopted state starts a new recording: discard the steps.
    const isAdopted = command.name === 'adopt';
    if (!isAdopted && !this.#isAdopting && !isFollowing(this.#gate)) return this.#record(command, next);
    this.#discard();
    this.#isAdopting ||= isAdopted;
    try {
      return next(command);
    } finally {
      if (isAdopted) this.#isAdopting = false;
    }
  }

  #record(command: Command, next: (command: Command) => unknown): unknown {
    const { name, args } = command;
    const gate = this.#gate;
    const isInside = this.#open.length > 0 || this.#detached !== undefined;
    if (!isInside && (!this.#start || this.#steps.length >= this.#limit)) this.#begin();
    if (name === 'tick') this.#answers.setTime(args[0]);
    const step = draft(this.#answers.clock(), name, [], isInside);
    if (this.#start) this.#guarded(() => (step.args = plainArgs(name, args)));
    const listed = this.#start ? gate.outgoing() : [];
    const at = this.#steps.length;
    if (this.#start) this.#steps.push(step);
    this.#open.push(step);
    try {
      const result = next(command);
      if (this.#start && result !== undefined) this.#guarded(() => (step.returned = encode(result, name)));
      return result;
    } catch (error) {
      step.threw = plainError(error);
      throw error;
    } finally {
      this.#open.pop();
      if (listed.length > 0) this.#guarded(() => this.#recordTaken(step, listed, this.#steps.slice(at + 1)));
    }
  }

  /** Records the items that a step removed from the outgoing list, except those that nested steps removed. */
  #recordTaken(step: Draft, listed: readonly Outgoing[], inside: readonly Draft[]): void {
    const remaining = new Set(this.#gate.outgoing().map(({ id }) => id));
    for (const { taken } of inside) taken.forEach((item) => remaining.add((item as { id: string }).id));
    step.taken = listed.filter(({ id }) => !remaining.has(id)).map(plainItem);
  }

  #onEvent(event: GateEvent): void {
    if (!this.#start) return;
    this.#guarded(() => {
      const plain = plainEvent(event);
      if (plain !== undefined) (this.#open.at(-1) ?? this.#detachedStep())?.events.push(plain);
    });
  }

  /** Returns the step of an event outside of all commands: a late result of `rewriteResult` caused it. */
  #detachedStep(): Draft | undefined {
    const answer = this.#lateRewrite;
    this.#lateRewrite = undefined;
    if (answer) {
      this.#steps.push((this.#detached = draft(this.#answers.clock(), 'rewritten', [...answer])));
      queueMicrotask(() => (this.#detached = undefined));
    }
    return this.#detached;
  }
}

/** Whether nothing is in flight, so that a gate restored from the saved state behaves like this one. */
function atRest(gate: ToolGate): boolean {
  const { status, queued, messages } = gate.getSnapshot();
  if (status === 'streaming' || status === 'crashed' || queued.length > 0) return false;
  // There is one submission at a time. If it is listed, it has not been sent.
  if (status === 'submitted' && !gate.outgoing().some(({ kind }) => kind === 'submission')) return false;
  if (messages.some(({ parts }) => parts.some((part) => 'delivery' in part && part.delivery === 'in-flight')))
    return false;
  // The decision of a cancelled call may be in flight without any part that shows it.
  const last = new Map(
    gate.auditLog().flatMap((entry) => (entry.type === 'delivery' ? [[entry.id, entry.to] as const] : [])),
  );
  return ![...last.values()].includes('in-flight');
}
