/**
 * Records the return values of the app's functions: the clock, ids, `needsApproval` and `rewriteResult`. A replay has
 * no such functions, so the recording contains their values for each step.
 */
import type { GateInternals } from '../gate/internals.js';
import { guarded } from '../types/report-uncaught.js';
import { randomId } from '../json/random-id.js';
import type { ToolGateOptions } from '../types/index.js';
import type { Draft } from './step-draft.js';

/** Wraps the functions among a gate's options and records their return values. */
export class Answers {
  readonly #step: () => Draft | undefined;
  readonly #late: (n: number, text: string | null) => void;
  readonly #removeWrappers: () => void;
  /** The options without these wrappers. */
  #original: ToolGateOptions;
  /** The time of the last `tick`, unless it is the current time. */
  #time: number | undefined;
  #rewrites = 0;
  #pendingRewrites = 0;

  /**
   * `step` returns the step in progress. Calls `late` with a late result of `rewriteResult`, directly before the gate
   * gets it.
   */
  constructor(port: GateInternals, step: () => Draft | undefined, late: (n: number, text: string | null) => void) {
    this.#step = step;
    this.#late = late;
    const { options } = port.env;
    const now = port.env.now();
    if (!options.now && Math.abs(now - Date.now()) >= 1000) this.#time = now;
    this.#original = options;
    this.#removeWrappers = port.env.override((original) => this.#wrap(original));
  }

  /** Whether a result of `rewriteResult` is pending. */
  get arePending(): boolean {
    return this.#pendingRewrites > 0;
  }

  /** The time by the gate's own clock, which the recorder's wrapper replaces. */
  clock(): number {
    let now: unknown;
    guarded(() => (now = this.#original.now?.()));
    return typeof now === 'number' ? now : (this.#time ?? Date.now());
  }

  /** Called with the argument of `tick`: a time that is not the current one becomes the gate's time. */
  setTime(time: unknown): void {
    if (typeof time === 'number' && Number.isFinite(time))
      this.#time = Math.abs(time - Date.now()) < 1000 ? undefined : time;
  }

  /** Removes the wrappers. */
  stop(): void {
    this.#removeWrappers();
  }

  #wrap(original: ToolGateOptions): Partial<ToolGateOptions> {
    this.#original = original;
    return {
      // The time is constant during a step.
      now: () => this.#step()?.at ?? this.clock(),
      generateId: () => {
        let id: unknown;
        guarded(() => (id = original.generateId?.()));
        const made = typeof id === 'string' ? id : randomId();
        this.#step()?.ids.push(made);
        return made;
      },
      ...(original.needsApproval && {
        needsApproval: (call) => this.#ask(() => original.needsApproval?.(call)) as boolean,
      }),
      ...(original.rewriteResult && {
        rewriteResult: (result) => this.#rewrite(() => original.rewriteResult?.(result)) as string,
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
    // If the function throws, the recorded value is null.
    const at = rewrites.push(null) - 1;
    const made = ask();
    if (typeof (made as PromiseLike<unknown> | undefined)?.then !== 'function') {
      if (typeof made === 'string') rewrites[at] = made;
      return made;
    }
    const n = (rewrites[at] = this.#rewrites++);
    this.#pendingRewrites++;
    const record = (text: unknown): void => {
      this.#pendingRewrites--;
      this.#late(n, typeof text === 'string' ? text : null);
    };
    const answer = Promise.resolve(made);
    // Subscribe before the gate awaits the same promise, so that the gate's reaction follows directly after this.
    void answer.then(record, () => record(null));
    return answer;
  }
}
