/**
 * What each protocol can express.
 */
import { codecOf } from './codecs/registry.js';
import type { Capabilities, Protocol } from './types.js';

const AI_SDK: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: [],
};

/**
 * What the protocol can express; what it cannot is lost on the way. Throws a `TypeError` for an unknown protocol, and
 * `not-initialized` for one that has not been loaded.
 */
export function capabilities(protocol: Protocol): Capabilities {
  return codecOf(protocol)?.capabilities ?? AI_SDK;
}
