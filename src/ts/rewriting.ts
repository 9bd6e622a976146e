/**
 * The results that Toolgate writes itself, on their way through the app's `rewriteResult`.
 *
 * The core lets nothing leave while it waits for one. A function that fails changes nothing: the text stays as it was,
 * and the failure is the app's own, reported as an uncaught error.
 */
import type { CoreEvent } from './gate-events.js';
import type { SynthesizedResult, ToolGateOptions, ToolResultEvent } from './types.js';

/** Asks the app what it makes of a result. `done` gets the text, at once if the app answers at once. */
export function rewritten(
  event: CoreEvent,
  shown: ToolResultEvent,
  rewrite: NonNullable<ToolGateOptions['rewriteResult']>,
  done: (text: string) => void,
): void {
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
