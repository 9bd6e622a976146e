/**
 * The core's events on their way to the app. A result that Toolgate wrote itself goes through the app's `rewriteResult`,
 * and is told when it has its text.
 *
 * The core lets nothing leave while it waits for one. A function that fails changes nothing: the text stays as it was,
 * and the failure is the app's own, reported as an uncaught error.
 */
import { toGateEvent, type CoreEvent } from './gate-events.js';
import type { GateEvent, GateTexts, SynthesizedResult, ToolGateOptions, ToolResultEvent } from '../types/index.js';

type Rewrite = NonNullable<ToolGateOptions['rewriteResult']>;

/**
 * Takes the event of a result with its text; `call` is the core's key of the call, `text` is undefined for the core's
 * own. A late event is emitted by whoever takes it.
 */
type RewriteDone = (call: number, event: ToolResultEvent, text: string | undefined, isLate: boolean) => void;

/** The public events, but for those of results that the app rewrites later: `done` gets these, and all that it rewrote. */
export function publicEvents(
  events: readonly CoreEvent[],
  texts: Partial<GateTexts> | undefined,
  rewrite: Rewrite | undefined,
  done: RewriteDone,
): GateEvent[] {
  const told: GateEvent[] = [];
  for (const event of events) {
    const shown = toGateEvent(event, texts);
    if (!event['rewrite'] || !rewrite) {
      told.push(shown);
      continue;
    }
    let isLate = false;
    rewritten(event, shown as ToolResultEvent, rewrite, (result) => {
      const now = { ...shown, result } as ToolResultEvent;
      // The core counts from 1 here: 0 is no key.
      done(
        Number(event['rewrite']) - 1,
        now,
        result === (shown as ToolResultEvent).result ? undefined : result,
        isLate,
      );
      if (!isLate) told.push(now);
    });
    isLate = true;
  }
  return told;
}

/** Asks the app what it makes of a result. `done` gets the text, at once if the app answers at once. */
function rewritten(event: CoreEvent, shown: ToolResultEvent, rewrite: Rewrite, done: (text: string) => void): void {
  const { toolCallId, toolName, outcome, result } = shown;
  const text = String(result);
  const asIs = (error: unknown): void => {
    queueMicrotask(() => {
      throw error;
    });
    done(text);
  };
  const take = (made: unknown): void => done(typeof made === 'string' ? made : text);
  try {
    const made: unknown = rewrite({ toolCallId, toolName, input: event['input'], outcome, text } as SynthesizedResult);
    if (typeof (made as Promise<unknown> | undefined)?.then === 'function') Promise.resolve(made).then(take, asIs);
    else take(made);
  } catch (error) {
    asIs(error);
  }
}
