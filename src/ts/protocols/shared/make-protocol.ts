/** Makes a protocol from a definition: adds the translator, and the default capabilities. */
import type { Protocol } from '../../types/index.js';
import type { Codec } from './codec.js';
import { DEFAULTS, protocolValue } from './protocol-value.js';
import { Translator } from './translator.js';

/**
 * Makes a protocol. Does not check the definition: apps call `defineProtocol`, which does. Here alone a typed codec is
 * taken for one that reads anything. It is: reading what has another type may throw, and that is caught.
 */
export function makeProtocol<BODY, EVENT, MESSAGE, READ, LOADED>(
  typed: Codec<READ, LOADED, MESSAGE, BODY>,
): Protocol<BODY, EVENT, MESSAGE> {
  const codec = typed as unknown as Codec;
  const { name, capabilities: given } = codec;
  const { history = DEFAULTS.history } = given;
  const capabilities = { historyChoices: [history], ...DEFAULTS, ...given };
  return protocolValue<Protocol<BODY, EVENT, MESSAGE>>(name, capabilities, {
    codec,
    translatorFor: (gate) => new Translator({ name, capabilities }, codec, gate),
  });
}
