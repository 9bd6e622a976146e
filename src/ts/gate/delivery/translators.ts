/** The translators of one gate: one for each protocol that it uses, because each reports a loss only once. */
import { partsOf } from '../../protocols/shared/protocol-value.js';
import type { TranslatedGate, Translator } from '../../protocols/shared/translator.js';
import type { Protocol } from '../../types/index.js';

/**
 * Returns a function that looks up the translator of a protocol, and makes it if necessary. The function returns
 * undefined for the AI SDK's protocol, which the core handles itself.
 */
export function translatorsOf(gate: TranslatedGate): (protocol: Protocol) => Translator | undefined {
  const made = new Map<Protocol, Translator>();
  return (protocol) => {
    const known = made.get(protocol) ?? partsOf(protocol)?.translatorFor(gate);
    if (known) made.set(protocol, known);
    return known;
  };
}
