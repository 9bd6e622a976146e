/** A description of what a remembered decision applies to. */
import { digest, type RememberedDecision } from 'toolgate';
import { callsOf, callTitle, type ChatMessage } from '../session/message-types';

/** The tool, or the call with that input. The gate stores only the input's digest. */
export function subjectOf(
  { toolName, scope, inputDigest }: RememberedDecision,
  messages: readonly ChatMessage[],
): string {
  if (scope === 'tool') return `every ${toolName}`;
  const call = messages.flatMap(callsOf).find((one) => one.toolName === toolName && digest(one.input) === inputDigest);
  return call ? `“${callTitle(call)}” with the same input` : `${toolName} with the same input`;
}
