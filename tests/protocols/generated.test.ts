/**
 * Generated chats in every protocol: each provider's rules hold, only declared losses occur, and histories survive a
 * round trip.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { histories } from '../interop/ai-sdk/histories';
import { checked, rules } from './pairing';
import { factsOf, gateFor, loaded, losses, without, type Data } from './support';
import { capabilitiesOf, named } from './all.js';

const chats = fc.oneof(
  histories({ version: 7, calls: 'left' }),
  histories({ version: 7, calls: 'open' }),
  histories({ version: 6, calls: 'settled' }),
);

/** Removes metadata of a provider: other providers do not accept it, and it is not part of a decision. */
const plain = (history: readonly Data[]): Data[] =>
  JSON.parse(
    JSON.stringify(history, (key, value) => (/ProviderMetadata$|^providerMetadata$/.test(key) ? undefined : value)),
  );

/** Whether an assistant message has the content of the one before it. Both are then loaded as one message. */
const hasCopies = (written: readonly Data[]): boolean => {
  const contents = written.map(({ role, parts }) =>
    JSON.stringify([role, parts?.filter((part: Data) => part.type !== 'step-start')]),
  );
  return written.some(({ role, parts }, i) => role === 'assistant' && parts && contents[i] === contents[i - 1]);
};

describe.each(checked)('%s', (protocol) => {
  const { lost } = capabilitiesOf(protocol);

  test('the provider’s rules hold', () => {
    fc.assert(
      fc.property(chats, (history) => {
        const gate = loaded('ai-sdk', history);
        expect(rules[protocol](gate.assemble(named(protocol)))).toEqual([]);
        gate.sendUserMessage({ text: 'And now?' });
        expect(rules[protocol](gate.assemble(named(protocol)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('a round trip loses only what the protocol declares', () => {
    fc.assert(
      fc.property(chats, (history) => {
        const gate = loaded('ai-sdk', plain(history));
        let written: unknown[] = [];
        const gone = losses(gate, () => (written = gate.assemble(named(protocol)))).filter(
          ({ loss }) => loss === 'pending',
        );
        fc.pre(!hasCopies(written as Data[]));
        const back = loaded(protocol, written);
        const ids = gone.map(({ toolCallId }) => toolCallId);
        expect(factsOf(back.assemble('ai-sdk'))).toEqual(without(lost, factsOf(gate.assemble('ai-sdk')), ids));
        expect(back.assemble(named(protocol))).toEqual(written);
      }),
      { numRuns: 300 },
    );
  });

  test('each loss is declared, and reported once', () => {
    fc.assert(
      fc.property(chats, (history) => {
        const gate = loaded('ai-sdk', history);
        const found = losses(gate, () => gate.assemble(named(protocol)));
        for (const { loss } of found) expect(lost).toContain(loss);
        expect(new Set(found.map((entry) => JSON.stringify(entry))).size).toBe(found.length);
        expect(losses(gate, () => gate.assemble(named(protocol)))).toEqual([]);
        const pending = factsOf(gate.assemble('ai-sdk')).filter(({ outcome }) => outcome === undefined);
        const left = found.filter(({ loss }) => loss === 'pending').map(({ toolCallId }) => toolCallId);
        expect(pending.map(({ id }) => id)).toEqual(expect.arrayContaining(left));
      }),
      { numRuns: 100 },
    );
  });

  test('a history only grows from turn to turn', () => {
    fc.assert(
      fc.property(histories({ version: 7, calls: 'settled' }), (history) => {
        const gate = loaded('ai-sdk', history);
        const before = gate.assemble(named(protocol));
        gate.sendUserMessage({ text: 'And now?' });
        expect(gate.assemble(named(protocol)).slice(0, before.length)).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  test('a foreign event raises an anomaly or is passed through, and never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), fc.object())), (events) => {
        const gate = gateFor(protocol);
        for (const event of events) gate.receive(event);
        gate.streamEnded({ status: 'finished' });
        expect(gate.getSnapshot().status).not.toBe('crashed');
      }),
      { numRuns: 200 },
    );
  });
});
