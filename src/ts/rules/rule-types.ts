/** The types of rules: plain JSON that an app can store, and that a person can read before it is trusted. */

/** A value that a limit compares: JSON without objects and lists. Numbers are finite. */
export type LimitValue = string | number | boolean | null;

/**
 * What one field of an input may be. Anything else does not match, so the user is asked. No limit is a pattern: there
 * are no wildcards and no regular expressions.
 */
export type Limit =
  /** Any JSON value, also none. */
  | { readonly kind: 'any' }
  /** This value, of the same type. */
  | { readonly kind: 'equals'; readonly value: LimitValue }
  /** One of these values. */
  | { readonly kind: 'one-of'; readonly values: readonly LimitValue[] }
  /** A number that is not below `min` and not above `max`. */
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  /**
   * A path inside this directory, which is not the directory itself. `/srv/app` is absolute and `src` relative; `.` is
   * the directory that relative paths begin in. Compared by segments, so `/srv/app-2` is not inside `/srv/app`.
   */
  | { readonly kind: 'within'; readonly path: string }
  /** An http or https URL of this host, such as `example.com` or `example.com:8080`. Not of its subdomains. */
  | { readonly kind: 'host'; readonly host: string }
  /** A list of which each item is within the limit. */
  | { readonly kind: 'each'; readonly limit: Limit }
  /** An object whose fields are within these limits. */
  | { readonly kind: 'fields'; readonly limits: Limits };

/** The limits of an object by field. A field without a limit does not match; a missing one matches only `any`. */
export type Limits = Readonly<Record<string, Limit>>;

/** A rule: decides calls of one tool whose inputs are within its limits. Plain JSON. */
export interface ApprovalRule {
  /** The rule's id, which the app chooses. No two rules have the same. */
  readonly id: string;
  /** The tool whose calls it decides. */
  readonly toolName: string;
  /** Whether it approves or denies them. */
  readonly approved: boolean;
  /** What the fields of the input may be. `{}`: the input has no fields. */
  readonly limits: Limits;
  /** When the rule stops deciding, in ms since 1970. Absent: never. */
  readonly expiresAt?: number;
  /** Why it denies. The model can read it if the protocol can send one. Only with `approved: false`. */
  readonly reason?: string;
  /** Who made the rule, such as the id of an account. */
  readonly by?: string;
}

/** A line of what a rule allows, for a list that is shown before the rule is trusted. */
export interface LimitLine {
  /** The names of the field and of the objects that contain it, from the outermost. */
  readonly field: readonly string[];
  /** Its limit. Those of the kind `fields` have a line for each field instead. */
  readonly limit: Exclude<Limit, { readonly kind: 'fields' }>;
}
