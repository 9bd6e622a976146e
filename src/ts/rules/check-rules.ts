/**
 * The form of rules. A value that a rule cannot have is refused; a kind or a field that this release does not know is
 * kept, because a newer release may have stored it, and its rule decides nothing: what it would limit is unknown.
 */
import { say } from '../types/say.js';
import { fieldsOf, isJson, isScalar, itemsOf } from './plain-data.js';
import { isHost, segmentsOf } from './places.js';
import type { ApprovalRule } from './rule-types.js';
import { RulesError } from './rules-error.js';

/** Whether a value is known. Throws `problem` for one that is malformed, with its place, such as `.min`. */
type Check = (value: unknown, problem: (place: string) => RulesError) => boolean;
type Form = Readonly<Record<string, Check>>;

const must =
  (isValid: (value: unknown) => boolean): Check =>
  (value, problem) => {
    if (!isValid(value)) throw problem('');
    return true;
  };

const aText = must((value) => typeof value === 'string' && value !== '');
const aNumber = must(Number.isFinite);
const optional =
  (check: Check): Check =>
  (value, problem) =>
    value === undefined || check(value, problem);

/** How deep limits may be nested. */
const DEEPEST = 20;

const limitAt =
  (depth: number): Check =>
  (value, problem) => {
    const fields = fieldsOf(value);
    const kind = fields?.get('kind');
    if (!fields || typeof kind !== 'string' || depth > DEEPEST) throw problem('');
    const kinds: Readonly<Record<string, Form>> = {
      any: {},
      equals: { value: must(isScalar) },
      'one-of': { values: must((values) => itemsOf(values)?.every(isScalar) ?? false) },
      range: { min: aNumber, max: aNumber },
      within: { path: must((path) => segmentsOf(path) !== undefined) },
      host: { host: must(isHost) },
      each: { limit: limitAt(depth + 1) },
      fields: { limits: limitsAt(depth + 1) },
    };
    const isKnown = Object.hasOwn(kinds, kind);
    return isOfForm(fields, { kind: () => isKnown, ...(isKnown && kinds[kind]) }, problem);
  };

const limitsAt =
  (depth: number): Check =>
  (value, problem) => {
    const limits = fieldsOf(value);
    if (!limits) throw problem('');
    return isOfForm(limits, Object.fromEntries([...limits.keys()].map((name) => [name, limitAt(depth)])), problem);
  };

const RULE: Form = {
  id: aText,
  toolName: aText,
  approved: must((value) => typeof value === 'boolean'),
  limits: limitsAt(0),
  expiresAt: optional(aNumber),
  reason: optional(aText),
  by: optional(aText),
};

function isOfForm(fields: ReadonlyMap<string, unknown>, form: Form, problem: (place: string) => RulesError): boolean {
  const inside = (name: string) => (place: string) => problem(`.${name}${place}`);
  // Each is checked, also after one that is not known.
  let isKnown = true;
  for (const [name, check] of Object.entries(form)) isKnown = check(fields.get(name), inside(name)) && isKnown;
  for (const [name, value] of fields) {
    if (Object.hasOwn(form, name)) continue;
    // A copy would lack it, and would look like a rule that has no other field.
    if (!isJson(value)) throw inside(name)('');
    isKnown = false;
  }
  return isKnown;
}

/**
 * Whether this release knows everything in a rule. Throws `malformed-rules` for a value that is not a rule. `at`: its
 * index.
 */
export function isKnownRule(rule: unknown, at?: number): boolean {
  const problem = (place: string): RulesError =>
    new RulesError('malformed-rules', say`\`rule${place}\` is not valid.`, at);
  const fields = fieldsOf(rule);
  if (!fields) throw problem('');
  if (fields.get('approved') === true && fields.get('reason') !== undefined) throw problem('.reason');
  return isOfForm(fields, RULE, problem);
}

/**
 * Reads rules that were stored: a list, or its JSON as a string. Returns a frozen copy with all of them, also those
 * that have expired and those with a kind of limit that only a newer release knows: such a rule decides nothing. Throws
 * a {@link RulesError}, so that no rule is lost without a word: `malformed-rules` and `repeated-rule`.
 */
export function parseRules(stored: unknown): readonly ApprovalRule[] {
  const malformed = (): RulesError => new RulesError('malformed-rules', say`expected a list of rules, as JSON.`);
  try {
    const rules = itemsOf(typeof stored === 'string' ? JSON.parse(stored) : stored);
    if (!rules) throw malformed();
    const ids = new Set<unknown>();
    rules.forEach((rule, at) => {
      isKnownRule(rule, at);
      const { id } = rule as ApprovalRule;
      if (ids.has(id)) throw new RulesError('repeated-rule', say`another rule has the id "${id}".`, at);
      ids.add(id);
    });
    return JSON.parse(JSON.stringify(rules), (_, value: unknown) => Object.freeze(value)) as ApprovalRule[];
  } catch (error) {
    throw error instanceof RulesError ? error : malformed();
  }
}
