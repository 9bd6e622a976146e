/**
 * Passes each result that Toolgate wrote to the app's `rewriteResult` before the event of the result is emitted.
 *
 * The core sends nothing while a rewrite is pending. If `rewriteResult` fails, the text does not change, and the error
 * is reported as an uncaught error.
 */
import type { CoreEvent } from '../events/gate-events.js';
import type { GateEvent, SynthesizedResult, ToolGateOptions, ToolResultEvent } from '../../types/index.js';
import { reportUncaught } from '../../types/report-uncaught.js';

type Rewrite = NonNullable<ToolGateOptions['rewriteResult']>;

/**
 * Called with the event of a result and its final text. `call` is the core's key of the call; `text` is undefined if it
 * did not change. If `isLate`, the callback must emit the event.
 */
type RewriteDone = (call: number, event: ToolResultEvent, text: string | undefined, isLate: boolean) => void;

/**
 * Returns the public events. Calls `done` for each rewritten result. Events of results rewritten later are not
 * returned.
 */
export function publicEvents(
  events: readonly CoreEvent[],
  rewrite: Rewrite | undefined,
  done: RewriteDone,
): GateEvent[] {
  const ready: GateEvent[] = [];
  for (const { event, rewrite: asked } of events) {
    if (!asked || !rewrite) {
      ready.push(event);
      continue;
    }
    const shown = event as ToolResultEvent;
    // True once `rewriteResult` has returned. It calls back before, unless the app's function returned a promise.
    let isLate = false;
    rewriteResult(asked.input, shown, rewrite, (result) => {
      const now = { ...shown, result } as ToolResultEvent;
      done(asked.call, now, result === shown.result ? undefined : result, isLate);
      if (!isLate) ready.push(now);
    });
    isLate = true;
  }
  return ready;
}

/** Calls the app's function, then `done` with the text: synchronously, unless the function returns a promise. */
function rewriteResult(input: unknown, shown: ToolResultEvent, rewrite: Rewrite, done: (text: string) => void): void {
  const { toolCallId, toolName, outcome, result } = shown;
  const text = String(result);
  const keep = (error: unknown): void => {
    reportUncaught(error);
    done(text);
  };
  const take = (made: unknown): void => done(typeof made === 'string' ? made : text);
  try {
    const made: unknown = rewrite({ toolCallId, toolName, input, outcome, text } as SynthesizedResult);
    if (typeof (made as Promise<unknown> | undefined)?.then === 'function') Promise.resolve(made).then(take, keep);
    else take(made);
  } catch (error) {
    keep(error);
  }
}
