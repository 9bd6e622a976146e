/** Finds the calls in a list of messages by their ids. */
import { isToolPart } from '../../types/tool-part.js';
import type { GateMessage, ToolPart } from '../../types/index.js';

/** The calls of each list of messages, by id. They stay valid, because a list never changes. */
const callsIn = new WeakMap<readonly GateMessage[], Map<string, ToolPart>>();

/** The newest call with this id in a list of messages. */
export function callIn(messages: readonly GateMessage[], toolCallId: string): ToolPart | undefined {
  let calls = callsIn.get(messages);
  if (!calls) {
    const parts = messages.flatMap((message) => message.parts.filter(isToolPart));
    callsIn.set(messages, (calls = new Map(parts.map((part) => [part.toolCallId, part]))));
  }
  return calls.get(toolCallId);
}
