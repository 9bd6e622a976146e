/**
 * Evidence that was changed anywhere is refused: by `checkEvidence`, and by the script of docs/evidence.md that needs
 * no package of ours.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import canonicalize from 'canonicalize';
import * as jose from 'jose';
import { init } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceEntry, type EvidenceProblem } from 'toolgate/evidence';
import { checkEvidence, sealEvidence, type Receipt } from 'toolgate/server';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { headOf, linkOf } from '../../src/ts/evidence/recorded-chain.js';
import { signReceipt } from '../../src/ts/server/resolve/receipts.js';
import { block } from '../docs/support/pages.js';
import { asking, evidenceOfChat, newKeys, seal, twinOf } from './support';

mkdirSync('target', { recursive: true });
/** Where Node finds the libraries of the script. */
const folder = mkdtempSync(join('target', 'evidence-'));
let keys: CryptoKeyPair;
let sealed: Evidence;
/** The evidence of the same chat by a recorder that began at its end. */
let late: Evidence;

beforeAll(async () => {
  await init();
  keys = await newKeys();
  const { evidence, receipts, gate } = await evidenceOfChat(keys);
  sealed = await seal(evidence, { ...keys, receipts });
  const lateRecorder = recordEvidence(gate, { chatId: 'chat' });
  late = await seal(JSON.parse(JSON.stringify(lateRecorder)) as Evidence, { ...keys, receipts });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A changed copy. */
function changedCopy(
  of: Evidence,
  change: (evidence: { -readonly [K in keyof Evidence]: Evidence[K] } & { links: Link[] }) => void,
): Evidence {
  const copy = structuredClone(of) as never;
  change(copy);
  return copy;
}
type Link = { entry: EvidenceEntry; hash: string };

/** Every value in a JSON value, with a function that replaces it. */
function* leaves(value: object, path = ''): Generator<[string, unknown, (now: unknown) => void]> {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) yield* leaves(inner, `${path}.${name}`);
    else yield [`${path}.${name}`, inner, (now) => ((value as Record<string, unknown>)[name] = now)];
  }
}

/** Each way in which the evidence may have been changed, by name. */
function tampered(of: Evidence): [string, Evidence][] {
  const changed = (change: Parameters<typeof changedCopy>[1]): Evidence => changedCopy(of, change);
  const cases: [string, Evidence][] = [];
  const count = of.links.length;
  [...leaves(of)].forEach(([path, was], at) => {
    const now = typeof was === 'string' ? `${was}0` : typeof was === 'number' ? was + 1 : !was;
    cases.push([`changed ${path}`, changed((copy) => [...leaves(copy)][at]![2](now))]);
  });
  for (let at = 0; at < count; at++) {
    cases.push([`removed ${at}`, changed(({ links }) => void links.splice(at, 1))]);
    cases.push([`doubled ${at}`, changed(({ links }) => void links.splice(at, 0, links[at]!))]);
    if (at > 0)
      cases.push([`swapped ${at}`, changed(({ links }) => void links.splice(at - 1, 2, links[at]!, links[at - 1]!))]);
    cases.push([`truncated to ${at}`, changed(({ links }) => void (links.length = at))]);
    cases.push([`begins at ${at + 1}`, changed(({ links }) => void links.splice(0, at + 1))]);
  }
  cases.push(
    ['a field of a link', changed(({ links }) => void Object.assign(links[0]!, { note: 'x' }))],
    ['a field of the seal', changed(({ seal }) => void Object.assign(seal!, { by: 'the director' }))],
    ['a field of the evidence', changed((copy) => void Object.assign(copy, { note: 'x' }))],
  );
  cases.push(['continued', changed((copy) => void copy.links.push(linkOf(headOf(copy), of.links[0]!.entry)))]);
  return cases;
}

const problemOf = (evidence: Evidence): Promise<string> =>
  checkEvidence(evidence, keys).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );

it('evidence that was changed at any place is refused, each place tried', async () => {
  for (const of of [sealed, late]) {
    expect(await problemOf(of)).toBe('accepted');
    const cases = tampered(of);
    expect(cases.length).toBeGreaterThan(50);
    for (const [name, evidence] of cases) expect([name, await problemOf(evidence)]).not.toEqual([name, 'accepted']);
  }
  expect(new Set(late.links.map(({ entry }) => entry.type))).toEqual(new Set(['found', 'ran']));
});

it('the script of the docs accepts what is whole, and refuses each of these', async () => {
  writeFileSync(join(folder, 'verify.mjs'), block('evidence', 'flattenedVerify('));
  writeFileSync(join(folder, 'key.json'), JSON.stringify(await crypto.subtle.exportKey('jwk', keys.publicKey)));
  writeFileSync(join(folder, 'evidence.json'), JSON.stringify(sealed));
  const said = /"ada" approved "edit"\n.*"ada" denied "edit"\n.*the server ran "edit" "executed"\n.*the chain is whole/;
  const files = ['verify.mjs', 'evidence.json', 'key.json'];
  expect((await promisify(execFile)(process.execPath, files, { cwd: folder })).stdout).toMatch(said);
  expect(await verified(sealed)).toMatch(said);
  const saidLate =
    /recorded after the fact: "edit" was decided\n.*"unknown user" approved "edit"\n.*recorded after[^]*the chain is whole/;
  expect(await verified(late)).toMatch(saidLate);
  expect(await verified(late)).not.toContain('PROBLEM');
  for (const [name, evidence] of [...tampered(sealed), ...tampered(late)])
    expect([name, await verified(evidence)]).toEqual([name, 'refused']);
}, 120_000);

/** What the script of the docs prints. It runs in this process, because a process for each case would be slow. */
async function verified(evidence: Evidence): Promise<string> {
  const jwk = JSON.stringify(await crypto.subtle.exportKey('jwk', keys.publicKey));
  const lines: string[] = [];
  const code = block('evidence', 'flattenedVerify(')
    .replaceAll(/^import .*$/gm, '')
    .replace('', 'const { base64url, flattenedVerify, importJWK } = jose;');
  const names = ['jose', 'canonicalize', 'createHash', 'readFileSync', 'process', 'console'];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = AsyncFunction(...names, code) as (...given: unknown[]) => Promise<void>;
  const read = (file: string): string => (file === 'key' ? jwk : JSON.stringify(evidence));
  const log = (...words: unknown[]): unknown => lines.push(words.join(' '));
  return run(jose, canonicalize, createHash, read, { argv: ['', '', 'evidence', 'key'] }, { log }).then(
    () => lines.join('\n'),
    () => 'refused',
  );
}

/** A chain whose entries were changed before the server saw it, with all hashes right. */
function forged(change: (entries: EvidenceEntry[]) => EvidenceEntry[]): Evidence {
  const { seal: _, ...evidence } = structuredClone(sealed);
  const links: Link[] = [];
  for (const entry of change(evidence.links.map((link) => link.entry)))
    links.push(linkOf(headOf({ chatId: 'chat', links }), entry));
  return { ...evidence, links };
}

const where = (type: EvidenceEntry['type'], change: (entry: never) => unknown) => (entries: EvidenceEntry[]) =>
  entries.map((entry) =>
    entry.type === type ? ({ ...entry, ...(change(entry as never) as object) } as EvidenceEntry) : entry,
  );
const twice =
  (type: EvidenceEntry['type']) =>
  (entries: EvidenceEntry[]): EvidenceEntry[] =>
    entries.flatMap((entry): EvidenceEntry[] => (entry.type === type ? [entry, entry] : [entry]));
const FORM = 'malformed-evidence';
/** The requests as approvals that were found after the fact, without the links about them. */
const asFound = (more: object) => (entries: EvidenceEntry[]) =>
  entries.flatMap((entry) =>
    entry.type === 'requested' ? [{ ...entry, ...more, type: 'found' } as EvidenceEntry] : [],
  );
/** A forged receipt with the same approval id. */
const forgedRan = (entry: EvidenceEntry): EvidenceEntry =>
  ({ ...entry, receipt: { ...(entry as { receipt: Receipt }).receipt, toolName: 'pay' } }) as EvidenceEntry;
const without = (type: EvidenceEntry['type']) => (entries: EvidenceEntry[]) =>
  entries.filter((entry) => entry.type !== type);

it.each<[string, (entries: EvidenceEntry[]) => EvidenceEntry[], readonly (readonly EvidenceProblem[])[]]>([
  [
    'shows another input than it decides about',
    where('requested', () => ({ inputDigest: '0'.repeat(64) })),
    [['not-shown'], ['not-shown']],
  ],
  ['never showed what it decides', without('requested'), [['not-shown'], ['not-shown']]],
  ['denies what ran', where('decided', () => ({ approved: false })), [['not-approved'], []]],
  ['never decided what ran', (entries) => without('delivery')(without('decided')(entries)), [['not-approved'], []]],
  [
    'decides about another input than the one that ran',
    (entries) =>
      where('requested', () => ({ inputDigest: '1' }))(where('decided', () => ({ inputDigest: '1' }))(entries)),
    [['not-approved'], []],
  ],
  ['decides twice', twice('decided'), [['decided-twice'], ['decided-twice']]],
  [
    'finds after the fact what it has denied',
    (entries) => {
      const found = asFound({ decision: { approved: true, by: 'user' } })(entries).filter(
        ({ type }) => type === 'found',
      );
      return [...where('decided', () => ({ approved: false }))(entries), ...found];
    },
    [['not-approved', 'decided-twice'], ['decided-twice']],
  ],
  [
    'finds a decision about another input than the one that was shown',
    (entries) =>
      [
        ...entries.filter(({ type }) => type === 'requested'),
        ...asFound({ inputDigest: '1', decision: { approved: true, by: 'unknown' } })(entries),
      ].filter(({ type }) => type === 'requested' || type === 'found'),
    [['not-shown'], ['not-shown']],
  ],
  [
    'finds after the fact that a denied call ran',
    (entries) => [
      ...asFound({ decision: { approved: false, by: 'unknown' } })(entries).filter(({ type }) => type === 'found'),
      ...entries.filter(({ type }) => type === 'ran'),
    ],
    [['not-approved'], []],
  ],
  ['has a receipt twice', twice('ran'), [['repeated-receipt'], []]],
  [
    'has the receipt of a call again for a new request',
    (entries) => [...entries, ...entries.filter(({ type }) => ['requested', 'decided', 'ran'].includes(type))],
    [[], [], ['repeated-receipt'], []],
  ],
  [
    'has a receipt twice with another valid signature',
    (entries) =>
      [
        ...entries,
        ...entries.map((entry) => (entry.type === 'ran' ? { ...entry, receipt: twinOf(entry.receipt) } : entry)),
      ].filter(({ type }, at) => at < entries.length || ['requested', 'decided', 'ran'].includes(type)),
    [[], [], ['repeated-receipt'], []],
  ],
  [
    'has a receipt of another output',
    where('ran', ({ receipt }: { receipt: object }) => ({ receipt: { ...receipt, outputDigest: '0'.repeat(64) } })),
    [['bad-receipt'], []],
  ],
  [
    'has a forged receipt of another call with the id of an approval, before all',
    (entries) => [...entries.filter(({ type }) => type === 'ran').map((entry) => forgedRan(entry)), ...entries],
    [['bad-receipt'], [], []],
  ],
  [
    'has a forged receipt of another call with the id of an approval, before its decision',
    (entries) =>
      entries.flatMap((entry) =>
        entry.type === 'decided' && entry.approved
          ? [forgedRan(entries.find(({ type }) => type === 'ran')!), entry]
          : [entry],
      ),
    [[], [], ['bad-receipt']],
  ],
  ['sends what was not decided', without('decided'), [['sent-undecided', 'not-approved'], ['sent-undecided']]],
  [
    'showed another tool than it decides about',
    where('requested', () => ({ toolName: 'read' })),
    [[], [], ['not-shown'], ['not-shown']],
  ],
  [
    'decides about another tool than the one that ran',
    (entries) =>
      where('requested', () => ({ toolName: 'read' }))(where('decided', () => ({ toolName: 'read' }))(entries)),
    [[], [], ['not-witnessed', 'not-approved']],
  ],
  [
    'has only the end',
    (entries) => entries.filter(({ type }) => type === 'delivery' || type === 'ran'),
    [
      ['not-witnessed', 'sent-undecided'],
      ['not-witnessed', 'sent-undecided'],
      ['not-witnessed', 'not-approved'],
    ],
  ],
])('a chain that %s is sealed, and its story says so', async (_name, change, problems) => {
  const evidence = await seal(forged(change), keys);
  const story = await checkEvidence(evidence, keys);
  expect(story.map((approval) => approval.problems)).toEqual(problems);
  expect(await verified(evidence)).toMatch(/^PROBLEM: [^]*the chain is whole/m);
});

it('a chain of a call that ran again is sealed, and its story says so', async () => {
  const { links } = forged((entries) => entries);
  const { receipt } = links.find(({ entry }) => entry.type === 'ran')!.entry as { receipt: Receipt };
  const again = { ...receipt, outcome: 'failed', input: { path: 'c1' } } as const;
  const second = await signReceipt(again, { key: keys.privateKey, chatId: 'chat' });
  expect(second.inputDigest).toBe(receipt.inputDigest);
  const evidence = forged((entries) => [...entries, { at: 1, type: 'ran', receipt: second }]);
  const sealedAgain = await seal(evidence, { ...keys, receipts: [receipt, second] });
  const [first] = await checkEvidence(sealedAgain, keys);
  expect(first).toMatchObject({ problems: ['ran-twice'], receipt });
  expect(await verified(sealedAgain)).toMatch(/^PROBLEM: [^]*the chain is whole/m);
});

it.each<[string, (entries: EvidenceEntry[]) => EvidenceEntry[], string]>([
  ['decides neither yes nor no', where('decided', () => ({ approved: 'no' })), 'malformed-evidence'],
  ['has a time that is text', where('decided', () => ({ at: 'yesterday' })), 'malformed-evidence'],
  ['has a user who was not the one who decided', where('decided', () => ({ by: 'policy' })), 'malformed-evidence'],
  ['has a user of a request', where('requested', () => ({ user: 'bob' })), 'malformed-evidence'],
  [
    'sends a request without its approvals',
    where('delivery', () => ({ approvalIds: undefined })),
    'malformed-evidence',
  ],
  ['has a receipt that is null', where('ran', () => ({ receipt: null })), 'malformed-evidence'],
  ['has an unknown entry', (entries) => [...entries, { at: 1, type: 'paid' } as never], 'malformed-evidence'],
  ['has a tab of a policy', where('decided', () => ({ by: 'policy', user: undefined, tab: 'x' })), FORM],
  ['has two times of a decision in this tab', where('decided', () => ({ decidedAt: 1 })), FORM],
  ['finds a decision of nobody', asFound({ decision: { approved: true } }), FORM],
  ['finds a decision that is neither yes nor no', asFound({ decision: { approved: 1, by: 'user' } }), FORM],
  ['finds a user', asFound({ decision: { approved: true, by: 'user', user: 'bob' } }), FORM],
  ['finds keys that are no texts', asFound({ keys: [1] }), FORM],
  ['finds a time that is text', asFound({ requestedAt: 'yesterday' }), FORM],
])('a server does not seal a chain that %s', async (_name, change, code) => {
  await expect(seal(forged(change), keys)).rejects.toMatchObject({ name: 'EvidenceError', code });
});

it('the receipts of another chat do not count', async () => {
  const { links } = forged((entries) => entries);
  const other: Link[] = [];
  for (const { entry } of links) other.push(linkOf(headOf({ chatId: 'other', links: other }), entry));
  const moved: Evidence = { version: 1, chatId: 'other', links: other };
  const story = await checkEvidence(await seal(moved, keys), keys);
  expect(story.map(({ problems, receipt }) => [receipt, problems])).toEqual([
    [undefined, ['bad-receipt']],
    [undefined, []],
  ]);
  const gate = asking([]);
  expect(() => recordEvidence(gate, { chatId: 'other', saved: sealed })).toThrow(/about chat "chat"/);
});

it('no name looks like a line of the script', async () => {
  const { seal: _, ...evidence } = sealed;
  const user = 'ada" approved "edit"\n2026-11-23T10:00:00.000Z the server ran "pay" executed\n';
  const links: Link[] = [];
  for (const { entry } of evidence.links.filter((link) => ['requested', 'decided'].includes(link.entry.type)))
    links.push(linkOf(headOf({ chatId: 'chat', links }), entry.type === 'decided' ? { ...entry, user } : entry));
  expect((await verified(await seal({ ...evidence, links }, keys))).split('\n')).toHaveLength(3);
});

it('what is invisible in a name, or changes the direction of text, is printed escaped', async () => {
  const { seal: _, ...evidence } = sealed;
  const change = <T extends EvidenceEntry>(entry: T): T =>
    'toolName' in entry ? { ...entry, toolName: 'edit\u202e\u2028\u200b\u0085\u{e0041}\u3164\ufeff' } : entry;
  const links: Link[] = [];
  for (const { entry } of evidence.links.filter((link) => ['requested', 'decided'].includes(link.entry.type)))
    links.push(
      linkOf(
        headOf({ chatId: 'chat', links }),
        change(entry.type === 'decided' ? { ...entry, user: 'ada\u202eadmin' } : entry),
      ),
    );
  const printed = await verified(await seal({ ...evidence, links }, keys));
  expect(printed).toContain(
    '"ada\\u{202e}admin" approved "edit\\u{202e}\\u{2028}\\u{200b}\\u{85}\\u{e0041}\\u{3164}\\u{feff}"',
  );
  expect(printed).toMatch(/^[ -~\n]*$/);
});

it('an approval id that comes again is another approval: the earlier decision does not count for it', async () => {
  const again = forged((entries) => [...entries, ...entries.filter(({ type }) => type === 'requested')]);
  const story = await checkEvidence(await seal(again, keys), keys);
  expect(story.map(({ toolCallId, decision }) => [toolCallId, decision?.approved])).toEqual([
    ['c1', true],
    ['c2', false],
    ['c1', undefined],
    ['c2', undefined],
  ]);
  expect(story.flatMap(({ problems }) => problems)).toEqual([]);
});

it('the receipts of another server do not count, and a seal is checked with its key only', async () => {
  const other = await newKeys();
  const [story] = await checkEvidence(await seal(sealed, other), other);
  expect(story).toMatchObject({ problems: ['bad-receipt'] });
  expect(story).not.toHaveProperty('receipt');
  const { seal: _, ...open } = sealed;
  await expect(checkEvidence(open, keys)).rejects.toMatchObject({ code: 'not-sealed' });
  const links = sealed.links.filter(({ entry }) => entry.type === 'requested').slice(0, 1);
  const short = { ...sealed, links: [linkOf(headOf({ chatId: 'chat', links: [] }), links[0]!.entry)] };
  const foreign = await seal(short, other);
  await expect(checkEvidence(foreign, keys)).rejects.toMatchObject({ code: 'bad-signature' });
});

it.each([
  null,
  1,
  'x',
  [],
  {},
  { version: 2, chatId: 'c', links: [] },
  { version: 1, chatId: 'c', links: [null] },
  { version: 1, chatId: 'c', links: [{ entry: 1 }] },
])('what is no evidence is refused: %j', async (value) => {
  const options = { ...keys, chatId: 'c', previous: undefined, commit: () => true };
  await expect(sealEvidence(value as never, options)).rejects.toMatchObject({ code: 'malformed-evidence' });
  const links = (value as { links?: unknown[] } | null)?.links ?? [];
  const code = links.length > 0 ? 'not-sealed' : 'malformed-evidence';
  await expect(checkEvidence(value as never, keys)).rejects.toMatchObject({ code });
});
