/** Helpers for writing a protocol, typed with the public types. */
import type { GateTexts } from '../../types/index.js';
import type { HistoryCall, HistoryMessage, HistoryPart, HistoryResult } from '../../types/protocol-definition.js';
import * as history from './history.js';
import { modelMessagesOf } from './model-messages.js';
import type { Call, Entry } from './codec.js';

/** Whether a part is a tool call. */
export function isToolCall(part: HistoryPart): part is HistoryCall {
  return part.type === 'tool-call';
}

/**
 * Returns how a call settled, with the text for the model; undefined if the call has no result yet. Pass `texts` from
 * the context. For a call that did not run, the text is the one that Toolgate writes, such as that the user denied it.
 */
export function resultOf(call: HistoryCall, texts?: Partial<GateTexts>): HistoryResult | undefined {
  return history.resultOf(call as Call, texts) as HistoryResult | undefined;
}

/** Returns the history as the AI SDK's `ModelMessage[]`, for backends that accept them. */
export function toModelMessages(messages: readonly HistoryMessage[]): unknown[] {
  return (messages as readonly Entry[]).flatMap(modelMessagesOf);
}
