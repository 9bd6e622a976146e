/**
 * Plays a recording into a new gate, with the answers of clock, ids and the app's functions out of the recording, and
 * records that in turn: what came of both is compared.
 */
import { COMMANDS, type CommandName } from '../gate/commands.js';
import { decode } from '../json/encode.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate as Gate } from '../gate/tool-gate.js';
import type { Protocol, SynthesizedResult, ToolGateOptions } from '../types/index.js';
import { endsDiffer, stepsDiffer } from './compare.js';
import { endOf } from './to-plain.js';
import { Notes } from './recorder.js';
import type { Difference, Recording, Replayed, Step } from './recording.js';

/** What `replay` needs. */
export interface ReplayOptions {
  /** The class to make the gate of. */
  readonly ToolGate: typeof Gate;
  /** The recorded gate's protocol. A recording has only its name. Default: the AI SDK's. */
  readonly protocol?: 'ai-sdk' | Protocol;
}

/** How many microtasks a late answer is waited for. */
const PATIENCE = 20;

/**
 * Plays a recording: the object, or what `JSON.parse` made of its file. `difference` is where transitions, decisions,
 * deliveries, bodies, return values or the last view first come out otherwise; absent if nowhere. It sends nothing, and
 * takes no time. Call it after `await init()`.
 *
 * Rejects with a `TypeError` for what is not a recording and for another protocol than the recorded one, and with
 * `bad-snapshot` for a damaged one.
 */
export async function replay(recording: unknown, { ToolGate, protocol = 'ai-sdk' }: ReplayOptions): Promise<Replayed> {
  const { options, functions, start, steps, end } = checked(recording);
  const feed = new Feed(steps);
  const { protocol: recorded = 'ai-sdk', ...plain } = decode(options, 'options') as RecordedOptions;
  mustBe(recorded, protocol);
  const made: ToolGateOptions = {
    ...plain,
    protocol,
    now: () => feed.now,
    generateId: () => feed.id(),
    ...(functions.includes('needsApproval') && { needsApproval: () => feed.asked() }),
    ...(functions.includes('rewriteResult') && {
      rewriteResult: (result: SynthesizedResult) => feed.rewritten(result),
    }),
  };
  const gate = start ? ToolGate.restore(start, made) : new ToolGate(made);
  const notes = new Notes(gate, Infinity);
  try {
    const difference = (await play(gate, steps, feed, notes)) ?? problemOf(notes) ?? endsDiffer(end, endOf(gate));
    return { ...(difference && { difference }), gate };
  } finally {
    notes.stop();
  }
}

/** The options of a recording, which names the protocol. */
type RecordedOptions = Omit<ToolGateOptions, 'protocol'> & { readonly protocol?: string };

/** Throws a `TypeError` for another protocol than the recorded one. */
function mustBe(recorded: string, protocol: 'ai-sdk' | Protocol): void {
  const given = typeof protocol === 'string' ? protocol : protocol.name;
  if (given === recorded) return;
  throw new TypeError(
    `replay: the protocol is "${given}", and the recording is of a gate with "${recorded}". ` +
      `Pass that one: replay(recording, { ToolGate, protocol })`,
  );
}

async function play(gate: Gate, steps: readonly Step[], feed: Feed, notes: Notes): Promise<Difference | undefined> {
  for (let at = 0; at < steps.length;) {
    let next = at + 1;
    while (steps[next]?.inside) next++;
    const group = steps.slice(at, next);
    const before = notes.steps.length;
    for (const step of group) {
      feed.turnTo(step);
      if (step.call === 'rewritten') await feed.answer(step, () => notes.steps.length > before);
      else call(gate, step);
    }
    const difference = stepsDiffer(at, group, notes.steps.slice(before));
    if (difference) return difference;
    at = next;
  }
  return undefined;
}

/** Gives the command of a step. What it throws is compared like anything else. */
function call(gate: Gate, { call: name, args }: Step): void {
  const given = args.map((value) => decode(value));
  try {
    // By the method: recordings of earlier releases have messages without ids.
    if (name === 'sendUserMessage') gate.sendUserMessage(...(given as Parameters<Gate['sendUserMessage']>));
    else internalsOf(gate)?.commands.dispatch({ name: name as 'claim', args: given as [string] });
  } catch {
    // It stands in the notes.
  }
}

function problemOf({ problem }: Notes): Difference | undefined {
  if (problem === undefined) return undefined;
  return {
    step: 'end',
    path: '',
    recorded: undefined,
    replayed: undefined,
    message: `what came of it could not be noted: ${problem}`,
  };
}

/** What the recording answers for the functions of the app. */
class Feed {
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
    return this.#step?.asked?.[this.#taken.asked++] ?? true;
  }

  rewritten({ text }: SynthesizedResult): string | Promise<string> {
    const answer = this.#step?.rewrites?.[this.#taken.rewrites++];
    if (typeof answer !== 'number') return answer ?? text;
    return new Promise((resolve) => this.#waiting.set(answer, (given) => resolve(given)));
  }

  /** Gives the late answer of a step, and waits until the gate has taken it. */
  async answer({ args: [n, text] }: Step, isTaken: () => boolean): Promise<void> {
    this.#waiting.get(n as number)?.(text as string);
    for (let i = 0; i < PATIENCE && !isTaken(); i++) await Promise.resolve();
  }
}

/** Throws a `TypeError` for what is no recording. */
function checked(given: unknown): Recording {
  const recording = (typeof given === 'object' && given !== null ? given : {}) as Partial<Recording>;
  const { toolgate, version, options, functions, steps, end } = recording;
  if (toolgate !== 'recording' || version !== 1)
    throw new TypeError('replay: this is no recording that this release reads; pass what recording() returned');
  const isSound =
    isObject(options) &&
    isObject(end) &&
    Array.isArray(functions) &&
    Array.isArray(steps) &&
    steps.every(
      (step: Partial<Step> | null) => typeof step?.at === 'number' && Array.isArray(step.args) && isCall(step.call),
    );
  if (!isSound) throw new TypeError('replay: the recording is damaged; pass what recording() returned, whole');
  return recording as Recording;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isCall(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  return name === 'rewritten' || (Object.hasOwn(COMMANDS, name) && COMMANDS[name as CommandName] !== 'state');
}
