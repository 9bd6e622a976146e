/**
 * What the app's own functions answer a gate: its clock and ids, `needsApproval`, `rewriteResult`. Noted in the step that
 * asked, since a replay has none of them.
 */
import type { GateInternals } from '../gate/internals.js';
import { guarded } from '../gate/listeners.js';
import { randomId } from '../json/random-id.js';
import type { ToolGateOptions } from '../types/index.js';
import type { Draft } from './draft.js';

/** Lies over the functions among a gate's options, and notes what they answer. */
export class Answers {
  readonly #step: () => Draft | undefined;
  readonly #late: (n: number, text: string | null) => void;
  readonly #uncover: () => void;
  /** The options without what is laid over them here. */
  #below: ToolGateOptions;
  /** The time that `tick` told. */
  #time: number | undefined;
  #rewrites = 0;
  #asking = 0;

  /** `step` is the one in progress. `late` is told of a text of `rewriteResult` when the gate is about to take it. */
  constructor(port: GateInternals, step: () => Draft | undefined, late: (n: number, text: string | null) => void) {
    this.#step = step;
    this.#late = late;
    const { options } = port.env;
    const now = port.env.now();
    if (!options.now && Math.abs(now - Date.now()) >= 1000) this.#time = now;
    this.#below = options;
    this.#uncover = port.env.override((below) => this.#cover(below));
  }

  /** Whether `rewriteResult` has yet to answer. */
  get areAwaited(): boolean {
    return this.#asking > 0;
  }

  /** The time, as the gate alone would have it. */
  clock(): number {
    let now: unknown;
    guarded(() => (now = this.#below.now?.()));
    return typeof now === 'number' ? now : (this.#time ?? Date.now());
  }

  /** `tick` is called: from now on a time that is not the present one is the gate's. */
  told(time: unknown): void {
    if (typeof time === 'number' && Number.isFinite(time))
      this.#time = Math.abs(time - Date.now()) < 1000 ? undefined : time;
  }

  /** Takes what was laid over the options away. */
  stop(): void {
    this.#uncover();
  }

  #cover(below: ToolGateOptions): Partial<ToolGateOptions> {
    this.#below = below;
    return {
      // Time stands still during a step.
      now: () => this.#step()?.at ?? this.clock(),
      generateId: () => {
        let id: unknown;
        guarded(() => (id = below.generateId?.()));
        const made = typeof id === 'string' ? id : randomId();
        this.#step()?.ids.push(made);
        return made;
      },
      ...(below.needsApproval && { needsApproval: (call) => this.#ask(() => below.needsApproval?.(call)) as boolean }),
      ...(below.rewriteResult && {
        rewriteResult: (result) => this.#rewrite(() => below.rewriteResult?.(result)) as string,
      }),
    };
  }

  #ask(ask: () => unknown): unknown {
    let answer: unknown = true;
    try {
      return (answer = ask());
    } finally {
      this.#step()?.asked.push(answer !== false);
    }
  }

  #rewrite(ask: () => unknown): unknown {
    const rewrites = this.#step()?.rewrites ?? [];
    // A function that throws answers nothing.
    const at = rewrites.push(null) - 1;
    const made = ask();
    if (typeof (made as PromiseLike<unknown> | undefined)?.then !== 'function') {
      if (typeof made === 'string') rewrites[at] = made;
      return made;
    }
    const n = (rewrites[at] = this.#rewrites++);
    this.#asking++;
    const came = (text: unknown): void => {
      this.#asking--;
      this.#late(n, typeof text === 'string' ? text : null);
    };
    const answer = Promise.resolve(made);
    // First, before the gate asks the same promise: what it makes of the answer comes right after this.
    void answer.then(came, () => came(null));
    return answer;
  }
}
