/**
 * What each protocol can express.
 */
import { NEUTRAL } from './shared/codec.js';
import { codecOf } from './registry.js';
import type { Capabilities, Protocol } from '../types/index.js';

/**
 * What the protocol can express; what it cannot is lost on the way. Throws a `TypeError` for an unknown protocol, and
 * `not-initialized` for one that has not been loaded.
 */
export function capabilities(protocol: Protocol): Capabilities {
  return codecOf(protocol)?.capabilities ?? NEUTRAL;
}
