/** The key of a call in a record. */
import { canonical, toJson } from './canonical-json.js';
import type { RequestedCall } from './resolve-types.js';
import { digestOf } from './signature.js';

/**
 * Returns the key of a requested call: 43 letters, digits, `-` and `_`. It is the same for a repeated decision, and
 * another one for another input, and for the same ids in another turn.
 */
export function callKey({ approvalId, toolCallId, input, turn = '' }: RequestedCall): Promise<string> {
  let text = '';
  try {
    text = canonical(toJson(input));
  } catch {
    // Nested too deeply. Such a call never matches a recorded request, so nothing begins under this key.
  }
  return digestOf(['toolgate-call-v2', turn, approvalId, toolCallId, text]);
}
