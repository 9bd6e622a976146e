/**
 * What each protocol can express.
 */
import type { Capabilities, Protocol } from './types.js';

/** By protocol. @internal */
export const PROTOCOLS: Readonly<Record<Protocol, Capabilities>> = {
  'ai-sdk': {
    kind: 'resubmitting',
    reason: true,
    editedInput: false,
    cancel: false,
    remember: false,
    history: 'client',
    denialVisible: true,
  },
};

/** What the protocol can express; what it cannot is lost on the way. Throws a `TypeError` for an unknown protocol. */
export function capabilities(protocol: Protocol): Capabilities {
  if (!Object.hasOwn(PROTOCOLS, protocol)) {
    throw new TypeError(`capabilities: no protocol "${String(protocol)}"; there is: ${Object.keys(PROTOCOLS).join(', ')}`);
  }
  return PROTOCOLS[protocol];
}
