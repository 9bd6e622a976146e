/** The translators of one gate: one for each protocol that it uses, because each reports a loss only once. */
import { partsOf } from '../protocols/shared/protocol-value.js';
import type { TranslatedGate, Translator } from '../protocols/shared/translator.js';
import type { Protocol } from '../types/index.js';

/** The translators of one gate. */
export class Translators {
  readonly #gate: TranslatedGate;
  readonly #made = new Map<Protocol, Translator>();

  constructor(gate: TranslatedGate) {
    this.#gate = gate;
  }

  /** The translator of a protocol; undefined for the AI SDK's protocol, which the core handles itself. */
  of(protocol: Protocol): Translator | undefined {
    let translator = this.#made.get(protocol);
    if (translator) return translator;
    translator = partsOf(protocol)?.translatorFor(this.#gate);
    if (translator) this.#made.set(protocol, translator);
    return translator;
  }
}
