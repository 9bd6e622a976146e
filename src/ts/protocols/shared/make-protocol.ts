/** Makes a protocol from a definition: adds the translator, and the default capabilities. */
import type { Protocol } from '../../types/index.js';
import type { Codec } from './codec.js';
import { DEFAULTS, protocolValue } from './protocol-value.js';
import { Translator } from './translator.js';

/** Makes a protocol. Does not check the definition: apps call `defineProtocol`, which does. */
export function makeProtocol(codec: Codec): Protocol {
  const { name, capabilities: given } = codec;
  const { history = DEFAULTS.history } = given;
  const capabilities = { historyChoices: [history], ...DEFAULTS, ...given };
  return protocolValue(name, capabilities, {
    codec,
    translatorFor: (gate) => new Translator({ name, capabilities }, codec, gate),
  });
}
