/**
 * From a definition to a protocol: adds the translator, and what the definition leaves out.
 */
import type { Protocol } from '../../types/index.js';
import type { Codec } from './codec.js';
import { DEFAULTS, protocolValue } from './protocol-value.js';
import { Translator } from './translator.js';

/** Makes a protocol. Nothing is checked: apps call `defineProtocol`. */
export function makeProtocol(codec: Codec): Protocol {
  const { name, capabilities: given } = codec;
  const { history = DEFAULTS.history } = given;
  const capabilities = { historyChoices: [history], ...DEFAULTS, ...given };
  return protocolValue(name, capabilities, {
    codec,
    translatorFor: (gate) => new Translator({ name, capabilities }, codec, gate),
  });
}
