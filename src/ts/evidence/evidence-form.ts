/**
 * The form of evidence. Other values are refused before anything is computed: a value that another reader would read
 * differently, such as `approved: 'no'` or a second `user`, must not be sealed.
 */
import type { EvidenceEntry } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { say } from '../types/say.js';

type Check = (value: unknown) => boolean;
type Form = Readonly<Record<string, Check>>;

/** Whether this is a text, and well-formed: canonical JSON has no lone surrogates. */
export const isText: Check = (value) => typeof value === 'string' && !/\p{Cs}/u.test(value);
const aTruth: Check = (value) => typeof value === 'boolean';
/** A number of things. JSON has no -0. */
const aCount: Check = (value) => Number.isSafeInteger(value) && !Object.is(value, -0) && (value as number) >= 0;
/** The last time that a `Date` has: a later one would end each reader that prints it. */
const LAST_TIME = 8.64e15;
const aTime: Check = (value) => aCount(value) && (value as number) <= LAST_TIME;
const aHash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
/** A detached JWS. The last letter of 64 bytes has four bits. */
const aSignature: Check = (value) => typeof value === 'string' && /^[\w-]{9,99}\.\.[\w-]{85}[AQgw]$/.test(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const anObject =
  (form: Form): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const fields = value as Readonly<Record<string, unknown>>;
    // Own properties only: a name such as `constructor` is not a field.
    return (
      Object.keys(fields).every((name) => Object.hasOwn(form, name)) &&
      Object.entries(form).every(([name, check]) => check(Object.hasOwn(fields, name) ? fields[name] : undefined))
    );
  };

const DECIDERS = ['user', 'remembered', 'policy', 'backend'];
const someTexts: Check = (value) => Array.isArray(value) && value.every(isText);

const CALL = { toolCallId: isText, toolName: isText };
const ASKED = { approvalId: isText, ...CALL };

/** Whether this is a receipt, signed by anybody. */
export const isReceipt = anObject({
  chatId: isText,
  ...ASKED,
  inputDigest: aHash,
  outcome: oneOf('executed', 'failed'),
  outputDigest: optional(aHash),
  at: aTime,
  signature: aSignature,
});

/** The fields of each type of entry, without `at` and `type`. */
const FIELDS: Readonly<Record<EvidenceEntry['type'], Form>> = {
  transition: { ...CALL, from: optional(isText), to: isText },
  requested: { ...ASKED, inputDigest: optional(isText) },
  decided: {
    ...ASKED,
    approved: aTruth,
    reason: optional(isText),
    by: oneOf(...DECIDERS),
    ...{ user: optional(isText), rule: optional(isText), tab: optional(isText), decidedAt: optional(aTime) },
    inputDigest: optional(isText),
    editedInputDigest: optional(isText),
  },
  settled: { ...CALL, outcome: anObject({ kind: isText, reason: optional(isText), mayHaveRun: optional(aTruth) }) },
  delivery: {
    ...{ id: isText, key: isText, to: isText, attempt: aCount, error: optional(isText) },
    approvalIds: someTexts,
  },
  anomaly: { code: isText, message: isText, toolCallId: optional(isText), approvalId: optional(isText) },
  ran: { receipt: isReceipt },
  found: {
    ...{ ...ASKED, inputDigest: optional(isText), requestedAt: optional(aTime), keys: optional(someTexts) },
    decision: optional(
      anObject({
        ...{ approved: aTruth, by: oneOf(...DECIDERS, 'unknown'), reason: optional(isText), at: optional(aTime) },
        editedInputDigest: optional(isText),
      }),
    ),
  },
};

const isLink = anObject({ entry: () => true, hash: aHash });
const isEvidence = anObject({
  version: oneOf(1),
  chatId: isText,
  links: Array.isArray,
  seal: optional(anObject({ count: aCount, head: aHash, at: aTime, signature: aSignature })),
});

/** A time by the clock of an app, which may have fractions, and values that the format lacks. */
export const timeOf = (at: number): number => Math.min(Math.max(0, Math.round(at)) || 0, LAST_TIME);

/** Whether this is an entry. */
export function isEntry(entry: unknown): boolean {
  const { type, by, user, rule, tab, decidedAt } = Object(entry) as Record<string, unknown>;
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) return false;
  const form = anObject({ at: aTime, type: isText, ...FIELDS[type as EvidenceEntry['type']] });
  if (!form(entry)) return false;
  // Only a user is in a tab and has rules, and only what was forwarded has another time than its entry.
  return (by === 'user' || (user ?? rule ?? tab) === undefined) && (tab !== undefined || decidedAt === undefined);
}

/** Returns a copy without lone surrogates, and without what JSON omits. */
export function wellFormed<T>(value: T): T {
  const repaired = (_: string, item: unknown): unknown =>
    typeof item === 'string' ? item.replaceAll(/\p{Cs}/gu, '\ufffd') : item;
  return JSON.parse(JSON.stringify(value), repaired) as T;
}

/** Throws `malformed-evidence` for a value that does not have the form of evidence. Does not look at the links. */
export function checkForm(evidence: unknown): void {
  if (!isEvidence(evidence))
    throw new EvidenceError('malformed-evidence', say`expected { version: 1, chatId, links } and perhaps a seal.`);
}

/** Throws `malformed-evidence` for a value that does not have the form of a link. */
export function checkLink(link: unknown, at: number): void {
  if (!isLink(link) || !isEntry((link as { entry: unknown }).entry))
    throw new EvidenceError('malformed-evidence', say`it is not a link: its entry has an unknown type or form.`, at);
}
