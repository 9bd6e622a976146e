/**
 * What helps to write a protocol, with the public types.
 */
import type { GateTexts } from '../types/index.js';
import type { CallResult, HistoryCall, HistoryMessage, HistoryPart } from '../types/protocol-definition.js';
import * as history from './shared/history.js';
import type { Call, Entry } from './shared/codec.js';

/** Whether a part is a tool call. */
export function isToolCall(part: HistoryPart): part is HistoryCall {
  return part.type === 'tool-call';
}

/**
 * How a call settled, with the text for the model; undefined as long as it has no result. `texts`: those of the
 * context. A call that did not run has the text that Toolgate writes for it, such as that the user denied it.
 */
export function resultOf(call: HistoryCall, texts?: Partial<GateTexts>): CallResult | undefined {
  return history.resultOf(call as Call, texts);
}

/** The history as the AI SDK's `ModelMessage[]`, for backends that take these. */
export function toModelMessages(messages: readonly HistoryMessage[]): unknown[] {
  return history.toModelMessages(messages as readonly Entry[]);
}
