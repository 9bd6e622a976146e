/**
 * `assemble('ai-sdk')` of a loaded history equals the package's `convertToModelMessages`, except for the differences in
 * `differences.ts`. "Equal" is defined in `compare.ts`.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { difference } from './compare';
import { type Difference, type DifferenceId, differences } from './differences';
import { histories, type HistoryOptions } from './histories';
import { assemble, ready } from './ours';
import { type Message, type ModelMessage, type Peer, peer7, peers } from './peers';
import { pickedHistories } from './picked-histories';

beforeAll(ready);

/** The package's result for the history, with the differences of the entries applied. Ours must equal it. */
async function wantedOf(
  peer: Peer,
  history: readonly Message[],
  entries: readonly Difference[],
): Promise<ModelMessage[]> {
  const rewritten = entries.reduce((left, entry) => entry.history?.(left) ?? left, history);
  const reader = entries.some((entry) => entry.as7) ? peer7 : peer;
  const theirs = await reader.toModelMessages(rewritten);
  return entries.reduce((left, entry) => entry.messages?.(left, rewritten) ?? left, theirs);
}

const entriesFor = (ids: readonly DifferenceId[], peer: Peer): Difference[] =>
  ids.map((id) => differences[id]).filter((entry) => entry.versions.includes(peer.version));

describe.each(peers)('ai $release, generated histories', (peer) => {
  const cases: readonly (readonly [HistoryOptions['calls'], readonly DifferenceId[]])[] = [
    ['settled', ['empty-message', 'lost-input', 'v7-file-data', 'v6-fresh-denial', 'denial-shape']],
    ['open', ['empty-message', 'lost-input', 'open-call', 'v7-file-data', 'v6-fresh-denial', 'denial-shape']],
    [
      'left',
      ['empty-message', 'lost-input', 'left-open', 'open-call', 'v7-file-data', 'v6-fresh-denial', 'denial-shape'],
    ],
  ];
  test.each(cases)('calls: %s', { timeout: 120_000 }, async (calls, ids) => {
    const property = fc.asyncProperty(histories({ version: peer.version, calls }), async (history) => {
      const wanted = await wantedOf(peer, history, entriesFor(ids, peer));
      expect(difference(assemble(history), wanted)).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

describe.each(peers)('ai $release, picked histories', (peer) => {
  test.each(pickedHistories)('$name', async ({ messages, shows = [] }) => {
    const ours = assemble(messages);
    const theirs = await peer.toModelMessages(messages).catch((error: unknown) => error);
    const entries = entriesFor(shows, peer);
    if (entries.length === 0) {
      expect(difference(ours, theirs)).toBeUndefined();
      return;
    }
    expect(difference(ours, theirs)).toBeDefined();
    expect(difference(ours, await wantedOf(peer, messages, entries))).toBeUndefined();
  });
});

describe('assembled histories', () => {
  test.each(pickedHistories)('are assembled to equal messages again: $name', ({ messages }) => {
    const once = assemble(messages);
    expect(difference(assemble(once as unknown as Message[]), once)).toBeUndefined();
  });

  test('are assembled to equal messages again: generated', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(histories({ version: 7, calls: 'left' }), (history) => {
        const once = assemble(history);
        expect(difference(assemble(once as unknown as Message[]), once)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('do not change the loaded messages', () => {
    fc.assert(
      fc.property(histories({ version: 7, calls: 'left' }), (history) => {
        const before = structuredClone(history);
        assemble(history);
        expect(history).toEqual(before);
      }),
    );
  });
});

describe('the table', () => {
  const ids = (Object.keys(differences) as DifferenceId[]).filter((id) => differences[id].place === 'history');
  test.each(ids)('a picked history shows %s', (id) => {
    expect(pickedHistories.some(({ shows }) => shows?.includes(id))).toBe(true);
  });
});
