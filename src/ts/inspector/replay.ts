/**
 * Replays a recording with a new gate. The recording provides the clock, the ids and the values of the app's functions.
 * The replay is recorded too, and both recordings are compared.
 */
import { COMMANDS, type CommandName } from '../gate/commands.js';
import { decode } from '../json/encode.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate as Gate } from '../gate/tool-gate.js';
import type { Protocol, SynthesizedResult, ToolGateOptions } from '../types/index.js';
import { endsDiffer, stepsDiffer } from './compare.js';
import { endOf } from './to-plain-json.js';
import { Notes } from './recorder.js';
import type { Difference, Recording, Replayed, Step } from './recording.js';

/** The options of `replay`. */
export interface ReplayOptions {
  /** The class of the new gate. */
  readonly ToolGate: typeof Gate;
  /** The protocol of the recorded gate, because a recording contains only its name. Default: the AI SDK's. */
  readonly protocol?: 'ai-sdk' | Protocol;
}

/** Maximum number of microtasks to wait for the effect of a late result. */
const MAX_MICROTASKS = 20;

/**
 * Replays a recording: the result of `recording()`, or of `JSON.parse` of its file. `difference` is the first
 * difference of transitions, decisions, deliveries, bodies, return values or the last view; absent if all are equal.
 * Sends nothing and uses no timers. Call it after `await init()`.
 *
 * Rejects with a `TypeError` for a value that is not a recording, and for another protocol than the recorded one.
 * Rejects with `bad-snapshot` if the recorded state is damaged.
 */
export async function replay(recording: unknown, { ToolGate, protocol = 'ai-sdk' }: ReplayOptions): Promise<Replayed> {
  const { options, functions, start, steps, end } = checked(recording);
  const values = new RecordedValues(steps);
  const { protocol: recorded = 'ai-sdk', ...plain } = decode(options, 'options') as RecordedOptions;
  checkProtocol(recorded, protocol);
  const made: ToolGateOptions = {
    ...plain,
    protocol,
    now: () => values.now,
    generateId: () => values.id(),
    ...(functions.includes('needsApproval') && { needsApproval: () => values.asked() }),
    ...(functions.includes('rewriteResult') && {
      rewriteResult: (result: SynthesizedResult) => values.rewritten(result),
    }),
  };
  const gate = start ? ToolGate.restore(start, made) : new ToolGate(made);
  const notes = new Notes(gate, Infinity);
  try {
    const difference = (await play(gate, steps, values, notes)) ?? problemOf(notes) ?? endsDiffer(end, endOf(gate));
    return { ...(difference && { difference }), gate };
  } finally {
    notes.stop();
  }
}

/** The recorded options, with the name of the protocol. */
type RecordedOptions = Omit<ToolGateOptions, 'protocol'> & { readonly protocol?: string };

/** Throws a `TypeError` for another protocol than the recorded one. */
function checkProtocol(recorded: string, protocol: 'ai-sdk' | Protocol): void {
  const given = typeof protocol === 'string' ? protocol : protocol.name;
  if (given === recorded) return;
  throw new TypeError(
    `replay: protocol "${given}" does not match the recorded "${recorded}". ` +
      `Pass the recorded one: replay(recording, { ToolGate, protocol })`,
  );
}

async function play(
  gate: Gate,
  steps: readonly Step[],
  values: RecordedValues,
  notes: Notes,
): Promise<Difference | undefined> {
  for (let at = 0; at < steps.length;) {
    let next = at + 1;
    while (steps[next]?.inside) next++;
    const group = steps.slice(at, next);
    const before = notes.steps.length;
    for (const step of group) {
      values.turnTo(step);
      if (step.call === 'rewritten') await values.answer(step, () => notes.steps.length > before);
      else call(gate, step);
    }
    const difference = stepsDiffer(at, group, notes.steps.slice(before));
    if (difference) return difference;
    at = next;
  }
  return undefined;
}

/** Runs the command of a step. Its error is recorded and compared. */
function call(gate: Gate, { call: name, args }: Step): void {
  const given = args.map((value) => decode(value));
  try {
    // Call the method, because recordings of earlier releases have messages without ids.
    if (name === 'sendUserMessage') gate.sendUserMessage(...(given as Parameters<Gate['sendUserMessage']>));
    else internalsOf(gate)?.commands.dispatch({ name: name as 'claim', args: given as [string] });
  } catch {
    // The recorder of the replay has recorded the error.
  }
}

function problemOf({ problem }: Notes): Difference | undefined {
  if (problem === undefined) return undefined;
  return {
    step: 'end',
    path: '',
    recorded: undefined,
    replayed: undefined,
    message: `The replay could not be recorded: ${problem}`,
  };
}

/** Provides the recorded values in place of the app's functions. */
class RecordedValues {
  #step: Step | undefined;
  #made = 0;
  readonly #taken = { ids: 0, asked: 0, rewrites: 0 };
  readonly #waiting = new Map<number, (text: string) => void>();

  constructor(steps: readonly Step[]) {
    this.#step = steps[0];
  }

  get now(): number {
    return this.#step?.at ?? 0;
  }

  turnTo(step: Step): void {
    this.#step = step;
    Object.assign(this.#taken, { ids: 0, asked: 0, rewrites: 0 });
  }

  id(): string {
    return this.#step?.ids?.[this.#taken.ids++] ?? `replayed-${this.#made++}`;
  }

  asked(): boolean {
    // Without an answer, the recorded gate did not ask: a tool that needs approval was registered later.
    return this.#step?.asked?.[this.#taken.asked++] ?? false;
  }

  rewritten({ text }: SynthesizedResult): string | Promise<string> {
    const answer = this.#step?.rewrites?.[this.#taken.rewrites++];
    if (typeof answer !== 'number') return answer ?? text;
    return new Promise((resolve) => this.#waiting.set(answer, (given) => resolve(given)));
  }

  /** Resolves a pending `rewriteResult` with the late result of a step, and waits until the gate has used it. */
  async answer({ args: [n, text] }: Step, isTaken: () => boolean): Promise<void> {
    this.#waiting.get(n as number)?.(text as string);
    for (let i = 0; i < MAX_MICROTASKS && !isTaken(); i++) await Promise.resolve();
  }
}

/** Throws a `TypeError` for a value that is not a recording. */
function checked(given: unknown): Recording {
  const recording = (typeof given === 'object' && given !== null ? given : {}) as Partial<Recording>;
  const { toolgate, version, options, functions, steps, end } = recording;
  if (toolgate !== 'recording' || version !== 1)
    throw new TypeError('replay: not a recording, or of an unsupported version. Pass the result of recording().');
  const isSound =
    isObject(options) &&
    isObject(end) &&
    Array.isArray(functions) &&
    Array.isArray(steps) &&
    steps.every(
      (step: Partial<Step> | null) => typeof step?.at === 'number' && Array.isArray(step.args) && isCall(step.call),
    );
  if (!isSound) throw new TypeError('replay: the recording is damaged. Pass the complete result of recording().');
  return recording as Recording;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isCall(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  return name === 'rewritten' || (Object.hasOwn(COMMANDS, name) && COMMANDS[name as CommandName] !== 'state');
}
