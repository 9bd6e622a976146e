/** A description of what a remembered decision applies to. */
import { digest, type RememberedDecision } from 'toolgate';
import { callsOf, callTitle, type ChatMessage } from '../session/message-types';

/**
 * Describes every call of the tool, or the calls with one input. The gate stores only the input's digest, so the input
 * is looked up in the messages.
 */
export function subjectOf(
  { toolName, scope, inputDigest }: RememberedDecision,
  messages: readonly ChatMessage[],
): string {
  if (scope === 'tool') return `every ${toolName}`;
  const call = messages.flatMap(callsOf).find((one) => one.toolName === toolName && digest(one.input) === inputDigest);
  return call ? `“${callTitle(call)}” with the same input` : `${toolName} with the same input`;
}
