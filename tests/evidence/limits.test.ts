/** What a hostile page or stream can make a server and a recorder do: the work that a chain causes is limited. */
import { init } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceEntry, type EvidenceError } from 'toolgate/evidence';
import { checkEvidence, type Receipt } from 'toolgate/server';
import { beforeAll, expect, it, vi } from 'vitest';

import { RecordedChain, headOf, linkOf } from '../../src/ts/evidence/recorded-chain.js';
import { signReceipt } from '../../src/ts/server/resolve/receipts.js';
import { turns } from '../lib/waiting.js';
import { asking, newKeys, seal } from './support';

let keys: CryptoKeyPair;
let good: Receipt;
beforeAll(async () => {
  await init();
  keys = await newKeys();
  good = await signReceipt(
    {
      ...{ approvalId: 'approve-c1', toolCallId: 'c1', toolName: 'edit', input: { path: 'c1' } },
      ...{ outcome: 'executed', output: 'done' },
    },
    { key: keys.privateKey, chatId: 'chat' },
    5_000,
  );
});

/** A chain of these entries, with all hashes right. */
function chainOf(entries: readonly EvidenceEntry[]): Evidence {
  const links: Evidence['links'][number][] = [];
  let head = headOf({ chatId: 'chat', links });
  for (const entry of entries) {
    const link = linkOf(head, entry);
    links.push(link);
    head = link.hash;
  }
  return { version: 1, chatId: 'chat', links };
}

/** An entry whose JSON has exactly this many characters. */
function anomaly(characters: number): EvidenceEntry {
  const entry = { at: 1, type: 'anomaly', code: 'x', message: '' } as const;
  return { ...entry, message: 'm'.repeat(characters - JSON.stringify(entry).length) } as never;
}

const forged = (at: number): EvidenceEntry => ({
  ...{ at: 1, type: 'ran' },
  receipt: { ...good, at, signature: `${good.signature.split('.')[0]}..${'A'.repeat(86)}` },
});
const sent = (ids: number): EvidenceEntry => ({
  ...{ at: 1, type: 'delivery', id: 'i', key: 'k', to: 'in-flight', attempt: 1 },
  approvalIds: Array.from({ length: ids }, (_, at) => `a${at}`),
});
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

it('a chain of the largest size is sealed and checked, and one with a link more is refused', async () => {
  const entries = times(20_000, () => anomaly(200));
  const largest = chainOf(entries);
  expect(await checkEvidence(await seal(largest, keys), keys)).toEqual([]);
  const next = linkOf(headOf(largest), anomaly(200));
  const larger = { ...largest, links: [...largest.links, next] };
  await expect(seal(larger, keys)).rejects.toMatchObject({ name: 'EvidenceError', code: 'too-large', link: 20_000 });
}, 60_000);

it.each<[string, () => readonly EvidenceEntry[]]>([
  ['many receipts', () => times(1_000, forged)],
  ['a long text', () => [anomaly(8_000_000)]],
  ['many ids in one link', () => [sent(40_000)]],
  ['many ids in all links', () => times(100, () => sent(400))],
  [
    'many keys',
    () => [
      {
        ...{ at: 1, type: 'found', approvalId: 'a', toolCallId: 'c', toolName: 't' },
        keys: times(40_000, (at) => `k${at}`),
      },
    ],
  ],
])('a chain with %s is refused before a signature is checked', async (_name, entries) => {
  const chain = chainOf(entries());
  const verify = vi.spyOn(crypto.subtle, 'verify');
  try {
    await expect(seal(chain, keys)).rejects.toMatchObject({ code: 'too-large' });
    expect(verify).not.toHaveBeenCalled();
  } finally {
    verify.mockRestore();
  }
  expect(() => recordEvidence(asking([]), { chatId: 'chat', saved: chain })).toThrow(
    expect.objectContaining({ code: 'too-large' }),
  );
});

it('what follows the link that is too much is not looked at', async () => {
  const links = chainOf([anomaly(200), anomaly(8_000_000)]).links;
  const rest = new Proxy({} as never, {
    get: () => {
      throw new Error('looked at');
    },
  });
  await expect(seal({ version: 1, chatId: 'chat', links: [...links, rest] }, keys)).rejects.toMatchObject({
    code: 'too-large',
  });
});

it('evidence without the seal of a server is refused before a hash is computed', async () => {
  const { seal: sealOf, ...open } = await seal(chainOf(times(10, forged)), keys);
  const digest = vi.spyOn(crypto.subtle, 'digest');
  try {
    await expect(checkEvidence(open, keys)).rejects.toMatchObject({ code: 'not-sealed' });
    const other = await newKeys();
    await expect(checkEvidence({ ...open, seal: sealOf! }, other)).rejects.toMatchObject({ code: 'bad-signature' });
    expect(digest).not.toHaveBeenCalled();
  } finally {
    digest.mockRestore();
  }
});

it('a recorder ends with the largest chain, says so once, and its chain is sealed', async () => {
  const errors: EvidenceError[] = [];
  let stored: Evidence | undefined;
  const saved = chainOf([...times(19_990, () => anomaly(200)), anomaly(2_600)]);
  const options = {
    ...{ chatId: 'chat', saved, onError: (error: EvidenceError) => errors.push(error) },
    onChange: (evidence: Evidence) => (stored = evidence),
  };
  const gate = asking(['c1', 'c2'], (made) => void recordEvidence(made, options));
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false });
  await turns();
  expect(errors.map(({ code }) => code)).toEqual(['too-large']);
  expect(stored!.links.length).toBeGreaterThan(saved.links.length);
  const sealed = await seal(JSON.parse(JSON.stringify(stored)) as Evidence, keys);
  expect(sealed.links.slice(0, saved.links.length)).toEqual(saved.links);
  // After a reload it is still full.
  recordEvidence(asking(['c3']), { ...options, saved: stored! });
  await turns();
  expect(errors.map(({ code }) => code)).toEqual(['too-large', 'too-large']);
}, 60_000);

it('an entry that does not fit ends the recording: later ones would contradict what is missing', () => {
  const chain = new RecordedChain('chat');
  expect(() => chain.add(anomaly(8_000_000))).toThrow(expect.objectContaining({ code: 'too-large' }));
  chain.add(anomaly(200));
  expect(chain.length).toBe(0);
  chain.continue(chainOf([anomaly(200)]));
  chain.add(anomaly(200));
  expect(chain.length).toBe(2);
});

it('forged receipts in a stream do not fill a chain, and the real one is recorded after them', async () => {
  const errors: EvidenceError[] = [];
  let recorder: ReturnType<typeof recordEvidence> | undefined;
  const gate = asking(['c1', 'c2'], (made) => {
    recorder = recordEvidence(made, { chatId: 'chat', onError: (error) => errors.push(error) });
  });
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false });
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  gate.markSent(item!.id);
  gate.receive({ type: 'start' });
  const part = (data: unknown, id: unknown): object => ({ type: 'data-toolgate-receipt', id: `r${id}`, data });
  for (let at = 0; at < 1_500; at++)
    gate.receive(part({ ...(forged(at) as { receipt: Receipt }).receipt, toolCallId: `x${at}` }, at) as never);
  gate.receive(part(good, 'good') as never);
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
  await turns();
  const codes = errors.map(({ code }) => code);
  expect(codes.filter((code) => code === 'not-witnessed')).toHaveLength(100);
  expect(codes.filter((code) => code === 'too-large')).toHaveLength(1_400);
  const sealed = await seal(recorder!.toJSON(), { ...keys, receipts: [good] });
  const story = await checkEvidence(sealed, keys);
  expect(story.find(({ toolCallId }) => toolCallId === 'c1')).toMatchObject({ receipt: good, problems: [] });
  expect(sealed.links.filter(({ entry }) => entry.type === 'ran')).toHaveLength(101);
});
