/**
 * What a protocol's value is to a gate: its name and capabilities, which everybody sees, and what translates, which
 * only a gate does. The translator comes with the value, so a page that speaks only the AI SDK's protocol has none.
 */
import type { Capabilities, Protocol } from '../../types/index.js';
import type { Codec } from './codec.js';
import type { TranslatedGate, Translator } from './translator.js';

/** What a protocol brings for a gate. */
export interface ProtocolParts {
  /** The definition. */
  readonly codec: Codec;
  /** Makes what translates for one gate. */
  translatorFor(gate: TranslatedGate): Translator;
}

/** Where a protocol carries its parts. */
const PARTS = Symbol('toolgate.protocol');

/** What a capability is where a protocol says nothing of it. */
export const DEFAULTS: Omit<Capabilities, 'kind' | 'historyChoices'> = {
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: [],
  repeat: 'unknown',
};

/** The AI SDK's own protocol. It needs no translator: it is the core's. */
export const AI_SDK = protocolValue('ai-sdk', {
  ...DEFAULTS,
  kind: 'resubmitting',
  historyChoices: ['client'],
  repeat: 'runs-again',
});

/** A protocol with these parts. */
export function protocolValue(name: string, capabilities: Capabilities, parts?: ProtocolParts): Protocol {
  const value = { name, capabilities: Object.freeze(capabilities) };
  return Object.freeze(Object.defineProperty(value, PARTS, { value: parts })) as unknown as Protocol;
}

/** What a protocol brings for a gate; undefined for the AI SDK's, and for what is not a protocol. */
export function partsOf(protocol: unknown): ProtocolParts | undefined {
  return (protocol as { readonly [PARTS]?: ProtocolParts } | null | undefined)?.[PARTS];
}

/** The protocol that an app has named, and its gate's, the AI SDK's, by default; undefined for what is not one. */
export function protocolOf(given: unknown = AI_SDK): Protocol | undefined {
  if (given === 'ai-sdk') return AI_SDK;
  return given === AI_SDK || partsOf(given) ? (given as Protocol) : undefined;
}

/** What a protocol has to be, in an error. */
export const A_PROTOCOL =
  "'ai-sdk' or a protocol: a value such as `acp` from 'toolgate/protocols/acp', or one that defineProtocol() made";
