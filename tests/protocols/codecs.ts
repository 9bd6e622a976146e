/** The definitions of protocols, for tests that use one directly. */

import type { Codec, StreamContext } from '../../src/ts/protocols/shared/codec';
import { partsOf } from '../../src/ts/protocols/shared/protocol-value';
import type { ProtocolName } from './all.js';

const modules = import.meta.glob<Record<string, { readonly name: string }>>('../../src/ts/protocols/*.ts');

/** Returns the definition of a protocol that was imported from src/ts. */
export function codecOf(protocol: { readonly name: string }): Codec {
  const parts = partsOf(protocol);
  if (!parts) throw new Error(`not a protocol of src/ts: ${protocol.name}`);
  return parts.codec;
}

/** Returns the definition of the protocol with a name. */
export async function codecFor(name: Exclude<ProtocolName, 'ai-sdk'>): Promise<Codec> {
  const exported = Object.values((await modules[`../../src/ts/protocols/${name}.ts`]?.()) ?? {});
  // A function, such as `agUiFor`, returns variants of the protocol.
  const [protocol, ...others] = exported.filter((value) => typeof value === 'object');
  if (!protocol || others.length) throw new Error(`${name}.ts does not export one protocol`);
  return codecOf(protocol);
}

/** Returns the context of a reader without a gate: no call is shown, and what the reader reports is ignored. */
export function contextOf(given: Pick<StreamContext, 'emit'> & Partial<StreamContext>): StreamContext {
  return {
    refuse: () => undefined,
    unread: () => undefined,
    unanswerable: () => undefined,
    onEnd: () => undefined,
    newId: () => '',
    connection: { number: 0 },
    calls: () => [],
    messages: () => [],
    runsInPage: () => false,
    chatId: 's',
    ...given,
  };
}
