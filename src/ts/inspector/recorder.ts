/**
 * Notes every command of a gate with its arguments, and what came of it: what a replay needs.
 *
 * It is an interceptor that passes everything on, and takes no decision. What the app's own functions answer (clock, ids,
 * `needsApproval`, `rewriteResult`) is noted too, since a replay has none of them. Time stands still during one command. A
 * failure of the recorder never reaches the app: the recording is dropped, and begins anew.
 */
import type { Command } from '../gate/commands.js';
import { encode } from '../json/encode.js';
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import { internalsOf, isFollowing, type GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, JSONObject, Outgoing, SavedGate } from '../types/index.js';
import { Answers } from './answers.js';
import { draft, plainArgs, trimmed, type Draft } from './draft.js';
import { endOf, plainError, plainEvent, plainItem } from './to-plain.js';
import type { EndState, Recorder, Recording, RecordOptions, Step } from './recording.js';

/** Options that are plain values, as far as they matter to what a gate does. */
const PLAIN = [
  'onDeny',
  'onUserMessage',
  'approvalTimeoutMs',
  'browserTools',
  'texts',
  'remembered',
  'history',
] as const;

/** Options that are functions, and are answered for in a replay. A clock and ids are always. */
const FUNCTIONS = ['needsApproval', 'rewriteResult'] as const;

/**
 * Begins to note what is put into a gate, or into the gate of a guarded chat. A gate that is in use already is taken up when nothing is on its way: its state
 * stands at the beginning of the recording then. Do it right after `new ToolGate()`, and the recording has everything.
 * Where a keeper shares the chat between tabs, the tab that leads records.
 *
 * Throws a `TypeError` for a gate of another copy of the package.
 */
export function record(source: NonNullable<GateSource>, options: RecordOptions = {}): Recorder {
  return new Notes(gateOfSource('record', source), options.limit ?? 100_000);
}

/** The recorder of one gate. @internal */
export class Notes implements Recorder {
  readonly #gate: ToolGate;
  readonly #port: GateInternals;
  readonly #limit: number;
  readonly #answers: Answers;
  readonly #ends: (() => void)[];
  #start:
    | { readonly snapshot: SavedGate | undefined; readonly options: JSONObject; readonly functions: string[] }
    | undefined;
  #steps: Draft[] = [];
  readonly #open: Draft[] = [];
  /** A step that nobody called: it lasts as long as its microtask. */
  #loose: Draft | undefined;
  /** What `rewriteResult` has answered, late: its number and the text. The gate is about to take it. */
  #answer: readonly [n: number, text: string | null] | undefined;
  #problem: string | undefined;
  #final: EndState | undefined;
  /** Another state is being taken over. */
  #isAdopting = false;
  #isOver = false;

  constructor(gate: ToolGate, limit: number) {
    const port = internalsOf(gate);
    if (!port) throw new TypeError('record: this gate is of another copy of the package. Pass one of the same copy');
    this.#gate = gate;
    this.#port = port;
    this.#limit = limit;
    const late = (n: number, text: string | null): void => {
      this.#loose = undefined;
      this.#answer = [n, text];
    };
    this.#answers = new Answers(port, () => this.#open.at(-1), late);
    this.#ends = [
      port.commands.use('recorder', (command, next) => this.#take(command, next)),
      gate.onEvent((event) => this.#heard(event)),
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
    if (!this.#start && !this.#isOver) this.#begin();
    if (!this.#start) return undefined;
    const { snapshot, options, functions } = this.#start;
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
    if (this.#isOver) return;
    this.#attempt(() => (this.#final = endOf(this.#gate)));
    this.#isOver = true;
    this.#ends.forEach((end) => end());
    this.#answers.stop();
  }

  /** Begins anew from the present state, if nothing is on its way. */
  #begin(): void {
    const gate = this.#gate;
    if (isFollowing(gate) || this.#answers.areAwaited || !atRest(gate)) {
      if (this.#steps.length >= 2 * this.#limit) this.#drop();
      return;
    }
    this.#drop();
    this.#attempt(() => {
      const { options } = this.#port.env;
      const isNew = gate.getSnapshot().revision === 0;
      const snapshot = gate.toJSON();
      const functions = FUNCTIONS.filter((name) => options[name] !== undefined);
      // What was remembered stands in the snapshot.
      const names = PLAIN.filter((name) => options[name] !== undefined && (isNew || name !== 'remembered'));
      const plain = Object.fromEntries(names.map((name) => [name, encode(options[name], `options.${name}`)]));
      const { chatId } = snapshot as unknown as { chatId: string };
      const { name: protocol } = gate.protocol;
      this.#start = { snapshot: isNew ? undefined : snapshot, options: { protocol, ...plain, chatId }, functions };
    });
  }

  #drop(): void {
    this.#start = undefined;
    this.#steps = [];
    this.#loose = undefined;
  }

  /** What the app must not notice: a failure drops the recording. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#drop();
    }
  }

  /** A command is given: notes it, unless it is none that a replay can repeat. */
  #take(command: Command, next: (command: Command) => unknown): unknown {
    if (command.name === 'free') this.stop();
    if (this.#isOver) return next(command);
    // Where another tab leads, what is shown is that tab's; and a state that is taken over begins a recording anew.
    const isAdopted = command.name === 'adopt';
    if (!isAdopted && !this.#isAdopting && !isFollowing(this.#gate)) return this.#note(command, next);
    this.#drop();
    this.#isAdopting ||= isAdopted;
    try {
      return next(command);
    } finally {
      if (isAdopted) this.#isAdopting = false;
    }
  }

  #note(command: Command, next: (command: Command) => unknown): unknown {
    const { name, args } = command;
    const gate = this.#gate;
    const isInside = this.#open.length > 0 || this.#loose !== undefined;
    if (!isInside && (!this.#start || this.#steps.length >= this.#limit)) this.#begin();
    if (name === 'tick') this.#answers.told(args[0]);
    const step = draft(this.#answers.clock(), name, [], isInside);
    if (this.#start) this.#attempt(() => (step.args = plainArgs(name, args)));
    const listed = this.#start ? gate.outgoing() : [];
    const at = this.#steps.length;
    if (this.#start) this.#steps.push(step);
    this.#open.push(step);
    try {
      const result = next(command);
      if (this.#start && result !== undefined) this.#attempt(() => (step.returned = encode(result, name)));
      return result;
    } catch (error) {
      step.threw = plainError(error);
      throw error;
    } finally {
      this.#open.pop();
      if (listed.length > 0) this.#attempt(() => this.#noteTaken(step, listed, this.#steps.slice(at + 1)));
    }
  }

  /** The items that a step took off the list, but for those that calls inside it took. */
  #noteTaken(step: Draft, listed: readonly Outgoing[], inside: readonly Draft[]): void {
    const left = new Set(this.#gate.outgoing().map(({ id }) => id));
    for (const { taken } of inside) taken.forEach((item) => left.add((item as { id: string }).id));
    step.taken = listed.filter(({ id }) => !left.has(id)).map(plainItem);
  }

  #heard(event: GateEvent): void {
    if (!this.#start) return;
    this.#attempt(() => {
      const plain = plainEvent(event);
      if (plain !== undefined) (this.#open.at(-1) ?? this.#looseStep())?.events.push(plain);
    });
  }

  /** The step that an event outside of all calls belongs to: a result that was being rewritten is there. */
  #looseStep(): Draft | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer) {
      this.#steps.push((this.#loose = draft(this.#answers.clock(), 'rewritten', [...answer])));
      queueMicrotask(() => (this.#loose = undefined));
    }
    return this.#loose;
  }
}

/** Whether nothing is on its way: a gate that is restored from its snapshot then goes on as this one. */
function atRest(gate: ToolGate): boolean {
  const { status, queued, messages } = gate.getSnapshot();
  if (status === 'streaming' || status === 'crashed' || queued.length > 0) return false;
  // There is one submission at a time: if it is listed, it has not left.
  if (status === 'submitted' && !gate.outgoing().some(({ kind }) => kind === 'submission')) return false;
  if (messages.some(({ parts }) => parts.some((part) => 'delivery' in part && part.delivery === 'in-flight')))
    return false;
  // An answer about a call that was cancelled is on its way, and no part says so.
  const last = new Map(
    gate.auditLog().flatMap((entry) => (entry.type === 'delivery' ? [[entry.id, entry.to] as const] : [])),
  );
  return ![...last.values()].includes('in-flight');
}
