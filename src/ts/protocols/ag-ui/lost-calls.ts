/** AG-UI: calls of the server whose result was lost. */
import type { Call, CallResult, Part } from '../shared/codec.js';
import { isToolCall, resultOf, setResult } from '../shared/history.js';
import type { Writing } from '../shared/history-format.js';
import { resultText } from '../shared/result-texts.js';

/** Whether a call, or its result, says that it may have run. */
export const mayHaveRun = (part: Part): boolean =>
  isToolCall(part) && [part, part.result].some((given) => given?.providerOptions?.['toolgate']?.mayHaveRun === true);

/**
 * Returns the result that closes a call without one, if the call may have run on the server and its result never
 * arrived. The server runs calls with the answers of their step: so they may have run if another call of the step may
 * have, and they are over once a message of the user follows. Without a result, the server would run them again.
 */
export function resultOfLost(
  call: Call,
  { context: { texts, reportLoss }, entry, at, request, written }: Writing,
): CallResult | undefined {
  if (!call.providerExecuted) return undefined;
  // It depends on the messages that follow.
  written.unsettle();
  if (at > (request?.['lastMessage'] as number) && !entry.content.some(mayHaveRun)) return undefined;
  if (call.response?.['approved']) reportLoss('approval', call.toolCallId);
  const closed: Call = { ...call };
  setResult(closed, resultText({ kind: 'interrupted', mayHaveRun: true }, texts), true, texts);
  return resultOf(closed, texts);
}
