/**
 * `toolgate/rules`: decides calls by rules that can be read, stored and revoked. Loads no WebAssembly.
 */
export { applyRules, type AppliedRules, type ApplyRulesOptions } from './apply-rules.js';
export { parseRules } from './check-rules.js';
export { describeLimits, matchRule, type RuledCall } from './match-rule.js';
export { coveredCalls } from './covered-calls.js';
export type * from './rule-types.js';
export { RulesError, type RulesErrorCode } from './rules-error.js';
