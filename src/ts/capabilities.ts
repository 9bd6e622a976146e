/**
 * What each protocol can express.
 */
import type { Capabilities, Protocol } from './types.js';

const AI_SDK: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
};

/** What the protocol can express; what it cannot is lost on the way. Throws a `TypeError` for an unknown protocol. */
export function capabilities(protocol: Protocol): Capabilities {
  if (protocol !== 'ai-sdk') throw new TypeError(`capabilities: no protocol "${String(protocol)}"; there is: ai-sdk`);
  return AI_SDK;
}
