/** A server stack that answers in place of the kit's own reading of requests: for clients of another stack. */
import type { Line, Reply } from '../scenario.js';

/** What the scenario's model does during one request. */
export interface ScriptedModel {
  /**
   * Must be called for each call of the model, with what it reads, one line each, as in `Expectation.model`. Returns
   * what it says in this step. Throws if the model fails there.
   */
  next(prompt: readonly string[]): readonly Line[];
  /** Must be called when a tool runs, with the id of the call. */
  ran(callId: string): void;
  /** Waits at a point `{ until: name }` of the step. */
  reached(name: string): Promise<void>;
}

/** A server stack. It runs approved calls and continues the conversation by itself. */
export interface Backend {
  /** Headers of a reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answers a request. Yields the pieces of the reply. */
  answer(body: unknown, model: ScriptedModel): AsyncIterable<string>;
}

/** What the model says in each step of a reply. */
export function stepsOf({ lines }: Reply): Line[][] {
  const steps: Line[][] = [];
  for (const line of lines) {
    if ('type' in line && line.type === 'start-step') steps.push([]);
    else if (!('type' in line) || line.type !== 'finish-step') {
      if (steps.length === 0) steps.push([]);
      steps.at(-1)!.push(line);
    }
  }
  return steps;
}
