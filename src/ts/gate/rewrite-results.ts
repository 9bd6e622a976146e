/**
 * Converts the core's events to public ones, and passes each result that Toolgate wrote to the app's `rewriteResult`
 * before its event is emitted.
 *
 * The core sends nothing while a rewrite is pending. If `rewriteResult` fails, the text does not change, and the error
 * is reported as an uncaught error.
 */
import { toGateEvent, type CoreEvent } from './gate-events.js';
import type { GateEvent, GateTexts, SynthesizedResult, ToolGateOptions, ToolResultEvent } from '../types/index.js';

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
  texts: Partial<GateTexts> | undefined,
  rewrite: Rewrite | undefined,
  done: RewriteDone,
): GateEvent[] {
  const ready: GateEvent[] = [];
  for (const event of events) {
    const shown = toGateEvent(event, texts);
    if (!event['rewrite'] || !rewrite) {
      ready.push(shown);
      continue;
    }
    // Set after the call. `rewriteResult` calls back before it returns, unless the app's function returned a promise.
    let isLate = false;
    rewriteResult(event, shown as ToolResultEvent, rewrite, (result) => {
      const now = { ...shown, result } as ToolResultEvent;
      // The core counts from 1 here, because 0 means that there is no key.
      done(
        Number(event['rewrite']) - 1,
        now,
        result === (shown as ToolResultEvent).result ? undefined : result,
        isLate,
      );
      if (!isLate) ready.push(now);
    });
    isLate = true;
  }
  return ready;
}

/** Calls the app's function, then `done` with the text: synchronously, unless the function returns a promise. */
function rewriteResult(event: CoreEvent, shown: ToolResultEvent, rewrite: Rewrite, done: (text: string) => void): void {
  const { toolCallId, toolName, outcome, result } = shown;
  const text = String(result);
  const keep = (error: unknown): void => {
    queueMicrotask(() => {
      throw error;
    });
    done(text);
  };
  const take = (made: unknown): void => done(typeof made === 'string' ? made : text);
  try {
    const made: unknown = rewrite({ toolCallId, toolName, input: event['input'], outcome, text } as SynthesizedResult);
    if (typeof (made as Promise<unknown> | undefined)?.then === 'function') Promise.resolve(made).then(take, keep);
    else take(made);
  } catch (error) {
    keep(error);
  }
}
