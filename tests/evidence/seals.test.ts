/** One chain for each chat: what a server seals continues its last seal, also when two requests come at once. */
import Database from 'better-sqlite3';
import { init } from 'toolgate';
import { checkEvidence, sealEvidence, type Evidence, type EvidenceSeal, type Receipt } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { headOf, linkOf } from '../../src/ts/evidence/recorded-chain.js';
import { block } from '../docs/support/pages.js';
import { evidenceOfChat, newKeys, seal } from './support';

let keys: CryptoKeyPair;
let evidence: Evidence;
let receipts: readonly Receipt[];
beforeAll(async () => {
  await init();
  keys = await newKeys();
  ({ evidence, receipts } = await evidenceOfChat(keys));
});

/** The first links, and perhaps a denial that only this one has. */
function upTo(count: number, reason?: string): Evidence {
  const links = evidence.links.slice(0, count);
  const decided = evidence.links.find(({ entry }) => entry.type === 'decided')!.entry;
  if (reason !== undefined) links.push(linkOf(headOf({ chatId: 'chat', links }), { ...decided, reason } as never));
  return { ...evidence, links };
}

/** A server that stores the last seal of a chat. Each step takes a while, as with a database. */
function server(): { seal: (evidence: Evidence) => Promise<Evidence>; stored: () => EvidenceSeal | undefined } {
  let stored: EvidenceSeal | undefined;
  const later = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 2, value));
  return {
    stored: () => stored,
    seal: async (given) =>
      sealEvidence(given, {
        ...{ ...keys, chatId: 'chat', previous: await later(stored) },
        commit: (next, previous) => {
          if (stored?.signature !== previous?.signature) return later(false);
          stored = next;
          return later(true);
        },
      }),
  };
}

it('evidence of another chat is not sealed as that of this one', async () => {
  const commit = (): never => {
    throw new Error('not called');
  };
  for (const chatId of ['victim', '', 'chat\u202e', undefined as never])
    await expect(seal(evidence, { ...keys, chatId, commit })).rejects.toMatchObject({ code: 'other-chat' });
  const about = { ...evidence, chatId: 'x\u202e"\n', links: [] };
  await expect(seal(about, { ...keys, chatId: 'chat' })).rejects.toThrow('it is about chat "x\\u{202e}\\"\\n"');
});

it.each([0, 5])(
  'of two requests at once, whose chains contradict each other, one is sealed: %i links before',
  async (count) => {
    const { seal: sealed, stored } = server();
    if (count > 0) await sealed(upTo(count));
    const both = await Promise.allSettled([sealed(upTo(count, 'yes')), sealed(upTo(count, 'no'))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { value } = both.find((one) => one.status === 'fulfilled')!;
    const { reason } = both.find((one) => one.status === 'rejected')!;
    expect(reason).toMatchObject({ name: 'EvidenceError', code: 'sealed-meanwhile' });
    expect(value.seal).toEqual(stored());
    // The loser continues nothing: it is refused for ever.
    for (const lost of [upTo(count, 'yes'), upTo(count, 'no')].filter((one) => headOf(one) !== value.seal!.head))
      await expect(sealed(lost)).rejects.toMatchObject({ code: 'not-continued' });
  },
);

it('a page that was too late sends its chain again', async () => {
  const { seal: sealed, stored } = server();
  const tries = await Promise.allSettled([sealed(upTo(4)), sealed(evidence), sealed(upTo(6)), sealed(evidence)]);
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const last = await sealed(evidence);
  expect([last.seal, last.seal!.count]).toEqual([stored(), evidence.links.length]);
  await expect(sealed(upTo(4))).rejects.toMatchObject({ code: 'not-continued' });
});

it('only `true` says that a seal was stored, and what `commit` throws is thrown', async () => {
  for (const said of [false, undefined, null, 1, 'true', { changes: 0 }])
    await expect(seal(evidence, { ...keys, commit: () => said as never })).rejects.toMatchObject({
      code: 'sealed-meanwhile',
    });
  const commit = (): never => {
    throw new Error('of the database');
  };
  await expect(seal(evidence, { ...keys, commit })).rejects.toThrow('of the database');
});

it('`commit` gets the checked seal and the previous one, and is not called for a chain that is refused', async () => {
  const calls: unknown[] = [];
  const commit = (...given: unknown[]): boolean => calls.push(given) > 0;
  const first = await seal(upTo(5), { ...keys, previous: null, commit, now: 7 });
  const second = await seal(evidence, { ...keys, previous: first.seal!, commit, receipts });
  expect(calls).toEqual([
    [first.seal, undefined],
    [second.seal, first.seal],
  ]);
  expect(first.seal).toMatchObject({ count: 5, at: 7, head: evidence.links[4]!.hash });
  for (const [given, code] of [
    [upTo(4), 'not-continued'],
    [upTo(4, 'forked'), 'not-continued'],
    [{ ...evidence, links: evidence.links.slice(1) }, 'broken-chain'],
    [{ ...evidence, links: [] }, 'not-continued'],
  ] as const)
    await expect(seal(given, { ...keys, previous: first.seal!, commit })).rejects.toMatchObject({ code });
  await expect(seal(upTo(6), { ...keys, previous: first.seal!, commit, receipts })).rejects.toMatchObject({
    code: 'missing-receipt',
  });
  expect(calls).toHaveLength(2);
});

it('a seal of an empty chain is continued by any chain of that chat', async () => {
  const empty = await seal(upTo(0), keys);
  expect(await checkEvidence(empty, keys)).toEqual([]);
  await expect(seal(evidence, { ...keys, previous: empty.seal! })).resolves.toBeDefined();
  const other = await seal({ version: 1, chatId: 'other', links: [] }, keys);
  await expect(seal(evidence, { ...keys, previous: other.seal! })).rejects.toMatchObject({ code: 'not-continued' });
});

it("the server of the docs stores seals in SQLite, and doesn't fork", async () => {
  const db = new Database(':memory:');
  const code = block('evidence', 'CREATE TABLE IF NOT EXISTS seals')
    .replace(/^import .*$/m, '')
    .replace(/ as \{.*\} \| undefined/, '')
    .concat('\nreturn sealed;');
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction('db', 'chatId', 'privateKey', 'publicKey', 'request', 'sealEvidence', code);
  const sealed = (given: Evidence): Promise<Evidence> =>
    run(db, 'chat', keys.privateKey, keys.publicKey, { json: async () => given }, sealEvidence) as Promise<Evidence>;
  for (const count of [0, 5]) {
    const both = await Promise.allSettled([sealed(upTo(count, 'yes')), sealed(upTo(count, 'no'))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    db.exec('DELETE FROM seals');
    await sealed(upTo(5));
  }
  const rows = db.prepare('SELECT * FROM seals').all() as { chat: string; seal: string }[];
  expect(rows.map(({ chat, seal: text }) => [chat, (JSON.parse(text) as EvidenceSeal).count])).toEqual([['chat', 5]]);
});
