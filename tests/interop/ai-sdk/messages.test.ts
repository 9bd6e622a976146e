/**
 * The messages that we build from a stream equal those that the package builds from it, after every chunk and at the
 * end, except for the differences in `differences.ts`. "Equal" is defined in `compare.ts`.
 *
 * `outcome` and `delivery` are removed from our tool parts first, because only our view has them.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { difference } from './compare';
import { type Difference, type DifferenceId, differences } from './differences';
import { continueLoaded, converse, feed, nextRequest, ready, submitted } from './ours';
import { type Chunk, type Message, type Part, type Peer, peer6, peer7, peers } from './peers';
import { type PickedStream, pickedStreams } from './picked-streams';
import { originalIds } from './stream-rewrites';
import { type Answer, conversations } from './streams';

beforeAll(ready);

const ADDED = ['outcome', 'delivery'];

const bare = (part: Part): Part =>
  Object.fromEntries(Object.entries(part).filter(([key]) => !ADDED.includes(key))) as Part;

/** The first difference between our message and theirs, except for the named differences. */
function messageDifference(
  ours: Message | undefined,
  theirs: Message | undefined,
  allowed: readonly Difference[],
  ignoreId: boolean,
): string | undefined {
  if (ours === undefined || theirs === undefined) return difference(ours, theirs);
  const head = ({ id, role, metadata }: Message) => (ignoreId ? { role, metadata } : { id, role, metadata });
  const found = difference(head(ours), head(theirs));
  if (found !== undefined) return found;
  if (ours.parts.length !== theirs.parts.length) return difference(ours.parts.map(bare), theirs.parts);
  for (const [index, part] of ours.parts.entries()) {
    const partFound = difference(bare(part), theirs.parts[index], `$.parts[${index}]`);
    if (partFound !== undefined && !allowed.some((entry) => entry.part?.(part, theirs.parts[index]!))) return partFound;
  }
  return undefined;
}

/** The assistant message with the user's decisions, as the package's `addToolApprovalResponse` writes them. */
function withAnswers(message: Message, answers: readonly Answer[]): Message {
  const parts = message.parts.map((part) => {
    const approval = part['approval'] as { id: string } | undefined;
    const answer = answers.find(({ approvalId }) => approvalId === approval?.id);
    if (answer === undefined) return part;
    const { approved, reason } = answer;
    return {
      ...part,
      state: 'approval-responded',
      // An empty reason counts as none.
      approval: { ...approval, approved, ...(reason ? { reason } : {}) },
    };
  });
  return { ...message, parts };
}

/** The first difference, and the chunk after which it appears; `undefined` if there is none. */
function statesDifference(
  ours: readonly (Message | undefined)[],
  theirs: readonly (Message | undefined)[],
  chunks: readonly Chunk[],
  allowed: readonly Difference[],
  ignoreId: boolean,
): string | undefined {
  for (const [index, chunk] of chunks.entries()) {
    // A message that the package has not published yet cannot be compared. It is compared after the next chunk.
    if (theirs[index] === undefined) continue;
    const found = messageDifference(ours[index], theirs[index], allowed, ignoreId);
    if (found !== undefined) return `after chunk ${index}, ${JSON.stringify(chunk)}: ${found}`;
  }
  return undefined;
}

const isNamed = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ type, messageId }) => type === 'start' && messageId !== undefined);

describe.each(peers)('ai $release, generated streams', (peer) => {
  const allowed = (['error-title', 'v6-raw-input', 'v6-lone-minus', 'signed-exponent', 'escaped-key'] as const)
    .map((id) => differences[id])
    .filter((entry) => entry.versions.includes(peer.version));

  test('every message, after every chunk', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(conversations({ version: peer.version }), async (conversation) => {
      const { first, answers, second } = conversation;
      const ours = converse(conversation);
      const theirs = await peer.read(first);
      expect(theirs.errors).toEqual([]);
      expect(statesDifference(ours.first.states, theirs.states, first, allowed, false)).toBeUndefined();
      expect(messageDifference(ours.first.ended, theirs.states.at(-1), allowed, false)).toBeUndefined();
      expect(ours.first.anomalies).toEqual([]);
      if (ours.second === undefined) return;
      const base = withAnswers(theirs.states.at(-1)!, answers);
      expect(messageDifference(ours.answered, base, allowed, false)).toBeUndefined();
      const more = await peer.read(second, base);
      expect(more.errors).toEqual([]);
      expect(statesDifference(ours.second.states, more.states, second, allowed, false)).toBeUndefined();
      expect(messageDifference(ours.second.ended, more.states.at(-1), allowed, false)).toBeUndefined();
      expect(ours.second.anomalies).toEqual([]);
    });
    await fc.assert(property, { numRuns: 1000 });
  });
});

describe.each(peers)('ai $release, our next request', (peer) => {
  test('is accepted, after generated streams', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(conversations({ version: peer.version }), fc.nat(), async (conversation, cut) => {
      // Some replies are cut off.
      const last = conversation.second.length > 0 ? conversation.second : conversation.first;
      const isCut = cut % 3 === 0;
      const kept = isCut ? last.slice(0, 1 + (cut % last.length)) : last;
      const shortened =
        conversation.second.length > 0 ? { ...conversation, second: kept } : { ...conversation, first: kept };
      const { gate } = converse(shortened, isCut ? 'disconnected' : 'finished');
      expect(await peer.refuses(nextRequest(gate))).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 300 });
  });

  // A server of version 6 does not send chunks that only version 7 knows.
  const sent = pickedStreams.filter(({ shows }) => peer.version === 7 || !shows?.includes('v6-unknown-chunks'));

  test.each(sent)('is accepted, after: $name', async ({ chunks, before, ends = 'finished' }) => {
    const { gate } = before
      ? converse({ first: before.chunks, answers: before.answers, second: chunks }, ends)
      : converse({ first: chunks, answers: [], second: [] }, ends);
    expect(await peer.refuses(nextRequest(gate))).toBeUndefined();
  });
});

const entriesFor = (stream: PickedStream, peer: Peer): Difference[] =>
  (stream.shows ?? []).map((id) => differences[id]).filter((entry) => entry.versions.includes(peer.version));

describe.each(peers)('ai $release, picked streams', (peer) => {
  const known = pickedStreams.filter(({ versions }) => versions?.includes(peer.version) ?? true);

  test.each(known)('$name', async (stream) => {
    const entries = entriesFor(stream, peer);
    const { chunks, before, ends = 'finished' } = stream;
    const ignoreId = !isNamed([...(before?.chunks ?? []), ...chunks]);

    const start = before && (await peer.read(before.chunks));
    const base = start && withAnswers(start.states.at(-1)!, before.answers);
    const ours = before
      ? converse({ first: before.chunks, answers: before.answers, second: chunks }, ends).second!
      : feed(submitted(), chunks, ends);

    // The package's result for this stream …
    const real = await peer.read(chunks, base);
    const realDifference =
      statesDifference(ours.states, real.states, chunks, [], ignoreId) ??
      messageDifference(ours.ended, real.states.at(-1), [], ignoreId) ??
      (real.states.length < chunks.length ? 'the package stopped reading' : undefined);
    // … equals ours, or differs as an entry of the table says.
    if (entries.length === 0) {
      expect(realDifference).toBeUndefined();
      return;
    }
    expect(realDifference).toBeDefined();
    const shown = stream.shows ?? [];
    const rewritten = entries.reduce((left, entry) => entry.stream?.(left, before?.chunks ?? []) ?? left, chunks);
    const reader = entries.some((entry) => entry.as7) ? peer7 : peer;
    const wanted = await reader.read(rewritten, base);
    expect(wanted.errors.filter(({ message }) => message !== 'overloaded')).toEqual([]);
    if (rewritten === chunks) {
      expect(statesDifference(ours.states, wanted.states, chunks, entries, ignoreId)).toBeUndefined();
    }
    const last = shown.includes('another-call') ? originalIds(wanted.states.at(-1)) : wanted.states.at(-1);
    expect(messageDifference(ours.ended, last, entries, ignoreId)).toBeUndefined();
  });

  test.each(known.filter(({ before }) => before))('$name, after a reload', async (stream) => {
    const { chunks, before, ends = 'finished' } = stream;
    const start = await peer.read(before!.chunks);
    const base = withAnswers(start.states.at(-1)!, before!.answers);
    const live = converse({ first: before!.chunks, answers: before!.answers, second: chunks }, ends).second!;
    const loaded = continueLoaded(base, chunks, ends);
    const bareMessage = (message: Message | undefined) => message && { ...message, parts: message.parts.map(bare) };
    expect(difference(bareMessage(loaded.ended), bareMessage(live.ended))).toBeUndefined();
  });
});

describe('the table', () => {
  const ids = Object.keys(differences) as DifferenceId[];

  test.each(ids.filter((id) => differences[id].place === 'messages'))('%s is shown by a picked stream', (id) => {
    expect(pickedStreams.some(({ shows }) => shows?.includes(id))).toBe(true);
  });

  test('versions 6 and 7 read every picked stream alike, except for the entries of version 6', async () => {
    for (const { name, chunks, versions, shows = [] } of pickedStreams) {
      if (versions || shows.some((id) => id.startsWith('v6-'))) continue;
      const [six, seven] = await Promise.all([peer6.read(chunks), peer7.read(chunks)]);
      expect(difference(six.states.at(-1), seven.states.at(-1)), name).toBeUndefined();
    }
  });

  test('names are unique', () => {
    const names = pickedStreams.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('payloads are passed by reference', () => {
  const input = { path: 'a' };
  const output = { ok: true };
  const metadata = { p: { a: 1 } };
  const gate = submitted();
  const { ended } = feed(gate, [
    { type: 'start', messageId: 'm1' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input, providerMetadata: metadata },
    { type: 'tool-output-available', toolCallId: 'c1', output },
    { type: 'finish' },
  ]);
  const part = ended?.parts[0];
  expect(part?.['input']).toBe(input);
  expect(part?.['output']).toBe(output);
  expect(part?.['callProviderMetadata']).toBe(metadata);
});
