/**
 * The texts that stand for results which no tool gave, and their defaults.
 */
import type { GateTexts } from './types.js';

const INCOMPLETE = 'Error: Tool call was interrupted before its input was complete. It did not run.';

/** The texts in the order in which the core takes them: see `Core::new` in Rust. */
export function textList(texts: Partial<GateTexts> = {}): string[] {
  return [
    texts.cancelled ?? 'Error: Tool execution was cancelled by user. It did not run.',
    texts.interrupted ?? 'Error: Tool execution was interrupted. It did not run.',
    texts.mayHaveRun ?? 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.',
    INCOMPLETE,
    texts.denyPending ?? 'The user sent a new message instead of answering.',
  ];
}
