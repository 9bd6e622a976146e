/**
 * The form of evidence. Other values are refused before anything is computed: a value that another reader would read
 * differently, such as `approved: 'no'` or a second `user`, must not be sealed.
 */
import type { EvidenceEntry } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';

type Check = (value: unknown) => boolean;
type Form = Readonly<Record<string, Check>>;

const aText: Check = (value) => typeof value === 'string';
const aTruth: Check = (value) => typeof value === 'boolean';
const aList: Check = (value) => Array.isArray(value);
/** A number of things. JSON has no -0. */
const aCount: Check = (value) => Number.isSafeInteger(value) && !Object.is(value, -0) && (value as number) >= 0;
/** The last time that a `Date` has: a later one would end each reader that prints it. */
const LAST_TIME = 8.64e15;
const aTime: Check = (value) => aCount(value) && (value as number) <= LAST_TIME;
const aHash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const aSignature: Check = (value) => typeof value === 'string' && /^[0-9a-f]{128}$/.test(value);
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
const someTexts: Check = (value) => Array.isArray(value) && value.every(aText);

const CALL = { toolCallId: aText, toolName: aText };
const ASKED = { approvalId: aText, ...CALL };

/** Whether this is a receipt, signed by anybody. */
export const isReceipt = anObject({
  chatId: aText,
  ...ASKED,
  inputDigest: aHash,
  outcome: oneOf('executed', 'failed'),
  outputDigest: optional(aHash),
  at: aTime,
  signature: aSignature,
});

/** The fields of each type of entry, without `at` and `type`. */
const FIELDS: Readonly<Record<EvidenceEntry['type'], Form>> = {
  transition: { ...CALL, from: optional(aText), to: aText },
  requested: { ...ASKED, inputDigest: optional(aText) },
  decided: {
    ...ASKED,
    approved: aTruth,
    reason: optional(aText),
    by: oneOf(...DECIDERS),
    ...{ user: optional(aText), tab: optional(aText), decidedAt: optional(aTime) },
    inputDigest: optional(aText),
    editedInputDigest: optional(aText),
  },
  settled: { ...CALL, outcome: anObject({ kind: aText, reason: optional(aText), mayHaveRun: optional(aTruth) }) },
  delivery: {
    ...{ id: aText, key: aText, to: aText, attempt: aCount, error: optional(aText) },
    approvalIds: someTexts,
  },
  anomaly: { code: aText, message: aText, toolCallId: optional(aText), approvalId: optional(aText) },
  ran: { receipt: isReceipt },
  found: {
    ...{ ...ASKED, inputDigest: optional(aText), requestedAt: optional(aTime), keys: optional(someTexts) },
    decision: optional(
      anObject({
        ...{ approved: aTruth, by: oneOf(...DECIDERS, 'unknown'), reason: optional(aText), at: optional(aTime) },
        editedInputDigest: optional(aText),
      }),
    ),
  },
};

const isLink = anObject({ entry: (value) => typeof value === 'object', hash: aHash });
const isEvidence = anObject({
  version: oneOf(1),
  chatId: aText,
  links: aList,
  seal: optional(anObject({ count: aCount, head: aHash, at: aTime, signature: aSignature })),
});

/** A time by the clock of an app, which may have fractions, and values that the format lacks. */
export const timeOf = (at: number): number => Math.min(Math.max(0, Math.round(at)) || 0, LAST_TIME);

/** Whether this is an entry. */
export function isEntry(entry: unknown): boolean {
  const { type, by, user, tab, decidedAt } = Object(entry) as Record<string, unknown>;
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) return false;
  const form = anObject({ at: aTime, type: aText, ...FIELDS[type as EvidenceEntry['type']] });
  if (!form(entry)) return false;
  // Only a user is in a tab, and only what was forwarded has another time than its entry.
  return (by === 'user' || (user ?? tab) === undefined) && (tab !== undefined || decidedAt === undefined);
}

/** Throws `malformed-evidence` for a value that does not have the form of evidence. */
export function checkForm(evidence: unknown): void {
  if (!isEvidence(evidence))
    throw new EvidenceError('malformed-evidence', 'expected { version: 1, chatId, links } and perhaps a seal.');
  for (const [at, link] of (evidence as { links: readonly unknown[] }).links.entries()) {
    if (!isLink(link)) throw new EvidenceError('malformed-evidence', 'expected { entry, hash }.', at);
    if (!isEntry((link as { entry: unknown }).entry))
      throw new EvidenceError('malformed-evidence', 'its entry has an unknown type or a field of another type.', at);
  }
}
