/**
 * The codecs by their protocols' names, for tests of what a codec does by itself.
 */
import type { Protocol } from 'toolgate';
import type { Codec } from '../../src/ts/protocols/shared/codec';

const modules = import.meta.glob<{ codec?: Codec }>('../../src/ts/protocols/*.ts');

/** The codec of a protocol. */
export async function codecFor(protocol: Exclude<Protocol, 'ai-sdk'>): Promise<Codec> {
  const { codec } = (await modules[`../../src/ts/protocols/${protocol}.ts`]?.()) ?? {};
  if (!codec) throw new Error(`no codec of ${protocol}`);
  return codec;
}
