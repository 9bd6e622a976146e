/**
 * Checks options when they are given: a misspelt policy must not quietly become the default one.
 *
 * Each kind of options has one table with a check for each name: the compiler demands an entry for a new option, and
 * a name that is in no table is refused. Nothing is imported here, so that entry points without the core can check
 * theirs.
 */

/**
 * Says what a value has to be; nothing if it is right. `options` are those around it. An option that is `undefined`
 * is left out, and not checked.
 */
export type Check = (value: unknown, options: Readonly<Record<string, unknown>>) => string | undefined;

/** A check for each option of a kind, or a table for one that holds options itself. */
export type Checks<OPTIONS> = {
  readonly [NAME in keyof Required<OPTIONS>]: Check | Checks<NonNullable<OPTIONS[NAME]>>;
};

type Table = Readonly<Record<string, Check | object>>;

/** The value is one of these texts. */
export const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value as string) ? undefined : `one of: ${allowed.join(', ')}`;

/** The value is a function. */
export const aFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function');

/** The value is a text. */
export const aText: Check = (value) => (typeof value === 'string' ? undefined : 'a string');

/** The value is an object, and an array is none. What it holds is not looked at. */
export const anObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'an object';

/** The value is an array whose items all are as they must be. */
export const aListOf =
  (of: string, isRight: (item: unknown) => boolean): Check =>
  (value) =>
    Array.isArray(value) && value.every(isRight) ? undefined : `an array of ${of}`;

/**
 * Throws a `TypeError` for an option that is in no table, and for a value that its check refuses. `where` is the
 * function that was called. Options may be inherited, and may have getters; a getter of `chatId` is not called.
 */
export function checkOptions<OPTIONS extends object>(where: string, options: OPTIONS, checks: Checks<OPTIONS>): void {
  const problem = problemIn(options, checks as Table, '');
  if (problem) throw new TypeError(`${where}: ${problem}`);
}

/** One entry for each option, for a function that checks the values itself. */
export type KnownOptions<OPTIONS> = Readonly<Record<keyof OPTIONS, true>>;

/** Throws a `TypeError` that names the first option that is not `known`. `where` is the function that was called. */
export function refuseUnknown<OPTIONS extends object>(
  where: string,
  options: OPTIONS,
  known: KnownOptions<OPTIONS>,
): void {
  const problem = unknownIn(options, known, '');
  if (problem) throw new TypeError(`${where}: ${problem}`);
}

/** What is wrong with the names of options. `path` is where they are. */
function unknownIn(options: object, known: object, path: string): string | undefined {
  // What is inherited counts too: options may be an object over another one, or of a class.
  for (const name in options) {
    if (Object.hasOwn(known, name) || name in Object.prototype) continue;
    return `unknown option \`${path}${name}\`. Expected one of: ${Object.keys(known).join(', ')}`;
  }
  return undefined;
}

/** What is wrong with options: the first unknown name, or the first wrong value. `path` is where they are. */
function problemIn(options: unknown, checks: Table, path: string): string | undefined {
  const names = Object.keys(checks);
  if (anObject(options, {}))
    return `${path ? `\`${path.slice(0, -1)}\`` : 'options'} must be an object with: ${names.join(', ')}`;
  const given = options as Readonly<Record<string, unknown>>;
  const unknown = unknownIn(given, checks, path);
  if (unknown) return unknown;
  for (const name of names) {
    // A chat of the AI SDK makes its id up when somebody first asks for it.
    if (name === 'chatId' && isComputed(given, name)) continue;
    const [value, check] = [given[name], checks[name]];
    if (value === undefined) continue;
    if (typeof check !== 'function') {
      const problem = problemIn(value, check as Table, `${path}${name}.`);
      if (problem) return problem;
      continue;
    }
    const expected = (check as Check)(value, given);
    if (expected) return `invalid option \`${path}${name}\`: ${shown(value)}. Expected ${expected}`;
  }
  return undefined;
}

/** Whether a property has a getter. */
function isComputed(of: object, name: string): boolean {
  for (let at: object | null = of; at; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found.get !== undefined;
  }
  return false;
}

/** A value in a message: short, and never a failure of its own. */
function shown(value: unknown): string {
  try {
    const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
    return text.length > 80 ? `${text.slice(0, 80)}…` : text;
  } catch {
    return typeof value;
  }
}
