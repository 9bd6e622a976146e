/** Why stored rules are refused. */

/** The stable code of a {@link RulesError}. A code never changes its meaning; later releases may add codes. */
export type RulesErrorCode =
  /** The value is not a list of rules, or a rule has a field or a limit with a value that it cannot have. */
  | 'malformed-rules'
  /** Two rules have the same id. */
  | 'repeated-rule';

/** Rules that are refused. None of the list applies. */
export class RulesError extends Error {
  override readonly name = 'RulesError';
  /** The stable code. */
  readonly code: RulesErrorCode;
  /** The index of the rule that is wrong, if one is. */
  readonly rule: number | undefined;

  constructor(code: RulesErrorCode, message: string, rule?: number) {
    super(rule === undefined ? message : `Rule ${rule}: ${message}`);
    this.code = code;
    this.rule = rule;
  }
}
