/**
 * Protocol values. The name and capabilities are public; the parts that translate are for the gate only. The translator
 * is part of the value, so a page that uses only the AI SDK's protocol does not load it.
 */
import type { Capabilities, Protocol } from '../../types/index.js';
import type { Codec } from './codec.js';
import type { TranslatedGate, Translator } from './translator.js';
import { say } from '../../types/say.js';

/** The parts of a protocol that a gate uses. */
export interface ProtocolParts {
  /** The definition. */
  readonly codec: Codec;
  /** Makes the translator of one gate. */
  translatorFor(gate: TranslatedGate): Translator;
}

/** The key of a protocol's parts. */
const PARTS = Symbol('toolgate.protocol');

/** The capabilities of a protocol that does not specify them. */
export const DEFAULTS: Omit<Capabilities, 'kind' | 'historyChoices'> = {
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: [],
  repeat: 'unknown',
  messageWhilePending: false,
};

/** The AI SDK's protocol. It needs no translator, because the core implements it. */
export const AI_SDK = protocolValue('ai-sdk', {
  ...DEFAULTS,
  kind: 'resubmitting',
  historyChoices: ['client'],
  repeat: 'runs-again',
});

/** Makes a protocol value from its parts. */
export function protocolValue<P = Protocol>(name: string, capabilities: Capabilities, parts?: ProtocolParts): P {
  const value = { name, capabilities: Object.freeze(capabilities) };
  return Object.freeze(Object.defineProperty(value, PARTS, { value: parts })) as unknown as P;
}

/** Returns the parts of a protocol; undefined for the AI SDK's and for values that are not protocols. */
export function partsOf(protocol: unknown): ProtocolParts | undefined {
  return (protocol as { readonly [PARTS]?: ProtocolParts } | null | undefined)?.[PARTS];
}

/** Returns the protocol for an app's option, by default the AI SDK's; undefined for an invalid option. */
export function protocolOf(given: unknown = AI_SDK): Protocol | undefined {
  if (given === 'ai-sdk') return AI_SDK;
  return given === AI_SDK || partsOf(given) ? (given as Protocol) : undefined;
}

/** The expected value of a `protocol` option, for error messages. */
export const aProtocol = (): string =>
  say`'ai-sdk' or a protocol: a value such as \`acp\` from 'toolgate/protocols/acp', or one that defineProtocol() made`;
