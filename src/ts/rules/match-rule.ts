/** Whether a rule decides a call. Closed: what is not known to be within the limits does not match. */
import { isKnownRule } from './check-rules.js';
import { isOfHost, isWithin } from './places.js';
import { fieldsOf, isJson, itemsOf } from './plain-data.js';
import type { ApprovalRule, Limit, LimitLine, Limits } from './rule-types.js';

/** A call: an entry of `pending()`, for example. */
export interface RuledCall {
  /** The tool's name, without the prefix `tool-`. */
  readonly toolName: string;
  /** The call's input. */
  readonly input: unknown;
}

function isWithinLimit(limit: Limit, value: unknown): boolean {
  switch (limit.kind) {
    case 'any':
      return isJson(value);
    case 'equals':
      return Object.is(limit.value, value);
    case 'one-of':
      return limit.values.some((allowed) => Object.is(allowed, value));
    case 'range':
      return typeof value === 'number' && limit.min <= value && value <= limit.max;
    case 'within':
      return isWithin(limit.path, value);
    case 'host':
      return isOfHost(limit.host, value);
    case 'each':
      return itemsOf(value)?.every((item) => isWithinLimit(limit.limit, item)) ?? false;
    case 'fields':
      return areWithinLimits(limit.limits, value);
  }
}

function areWithinLimits(limits: Limits, input: unknown): boolean {
  const fields = fieldsOf(input);
  if (!fields) return false;
  const isCovered = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(limits, name) && isWithinLimit(limits[name]!, value);
  const isThere = ([name, { kind }]: [string, Limit]): boolean => kind === 'any' || fields.has(name);
  return [...fields].every(isCovered) && Object.entries(limits).every(isThere);
}

/**
 * Whether a rule decides this call at this time, in ms since 1970. Every field of the input must be within a limit.
 * Returns `false` for anything else, so that the user is asked: a malformed rule, one of a newer release, an expired
 * one, and an input that is not plain JSON. Never throws. A denial matches as strictly as an approval.
 */
export function matchRule(rule: ApprovalRule, call: RuledCall, now: number): boolean {
  try {
    if (!isKnownRule(rule) || rule.toolName !== call.toolName) return false;
    return now < (rule.expiresAt ?? Infinity) && areWithinLimits(rule.limits, call.input);
  } catch {
    return false;
  }
}

/** What a rule allows, field by field in the rule's order, so that it can be shown before it is trusted. */
export function describeLimits({ limits }: Pick<ApprovalRule, 'limits'>): readonly LimitLine[] {
  return Object.entries(limits).flatMap(([name, limit]): readonly LimitLine[] => {
    if (limit.kind !== 'fields') return [{ field: [name], limit }];
    return describeLimits(limit).map((line) => ({ ...line, field: [name, ...line.field] }));
  });
}
