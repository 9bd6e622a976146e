/**
 * Reads calls and messages from a view.
 */
import type { GateMessage, GateView, ToolPart } from '../../src/ts/types/index.js';

/** The tool calls that a list of messages shows. */
export function callsOf(messages: readonly GateMessage[]): ToolPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => 'toolCallId' in part));
}

/** The number of a call. It is not read from the input, because an input that was cut off may have lost digits. */
export function numberOf({ toolCallId }: { readonly toolCallId: string }): number {
  return Number(toolCallId.slice('call-'.length));
}

/** The texts of the user's messages, queued ones too. */
export function saidIn({ messages, queued }: Pick<GateView, 'messages' | 'queued'>): string[] {
  return [...messages, ...queued]
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [(part as { text: string }).text] : [])));
}
