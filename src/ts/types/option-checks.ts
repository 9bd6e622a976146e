/**
 * Checks options when they are passed: a misspelt policy must not silently become the default.
 *
 * Each options type has a table with one check for each name. The compiler requires an entry for a new option, and a
 * name without an entry is refused. This file imports no code of the core, so every entry point can use it.
 */
import { say } from './say.js';

/**
 * Returns what a value must be, or `undefined` if it is valid. `options` is the object that contains the value. An
 * option that is `undefined` counts as absent and is not checked.
 */
export type Check = (value: unknown, options: Readonly<Record<string, unknown>>) => string | undefined;

/** A check for each option, or a nested table for an option that is an options object itself. */
export type Checks<OPTIONS> = {
  readonly [NAME in keyof Required<OPTIONS>]: Check | Checks<NonNullable<OPTIONS[NAME]>>;
};

type Table = Readonly<Record<string, Check | object>>;

/** The value must be one of these strings. */
export const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value as string) ? undefined : `one of: ${allowed.join(', ')}`;

/** The value must be a function. */
export const aFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function');

/** The value must be a string. */
export const aText: Check = (value) => (typeof value === 'string' ? undefined : 'a string');

/** The value must be an object that is not an array. Its properties are not checked. */
export const anObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'an object';

/** The value must be an array of valid items. `items` names them in the error. */
export const aListOf =
  (items: string, isValid: (item: unknown) => boolean): Check =>
  (value) =>
    Array.isArray(value) && value.every(isValid) ? undefined : `an array of ${items}`;

/**
 * Throws a `TypeError` for an unknown option and for an invalid value. `where` names the called function in the
 * error. Options may be inherited and may have getters. A getter of `chatId` is not called.
 */
export function checkOptions<OPTIONS extends object>(where: string, options: OPTIONS, checks: Checks<OPTIONS>): void {
  const problem = problemIn(where, options, checks as Table, '');
  if (problem) throw new TypeError(problem);
}

/** The names of all options, for a function that checks the values itself. */
export type KnownOptions<OPTIONS> = Readonly<Record<keyof OPTIONS, true>>;

/** Throws a `TypeError` for the first option that is not `known`. `where` names the called function in the error. */
export function refuseUnknown<OPTIONS extends object>(
  where: string,
  options: OPTIONS,
  known: KnownOptions<OPTIONS>,
): void {
  const problem = unknownIn(where, options, known, '');
  if (problem) throw new TypeError(problem);
}

/** The first unknown option, as an error text. `path` precedes its name. */
function unknownIn(where: string, options: object, known: object, path: string): string | undefined {
  // Inherited options count too: an options object may be a class instance or have another one as prototype.
  for (const name in options) {
    if (Object.hasOwn(known, name) || name in Object.prototype) continue;
    return say`${where}: unknown option \`${path}${name}\`. Expected one of: ${Object.keys(known).join(', ')}`;
  }
  return undefined;
}

/** The first unknown option or invalid value, as an error text. `path` precedes its name. */
function problemIn(where: string, options: unknown, checks: Table, path: string): string | undefined {
  const names = Object.keys(checks);
  if (anObject(options, {}))
    return say`${where}: ${path ? `\`${path.slice(0, -1)}\`` : 'options'} must be an object with: ${names.join(', ')}`;
  const given = options as Readonly<Record<string, unknown>>;
  const unknown = unknownIn(where, given, checks, path);
  if (unknown) return unknown;
  for (const name of names) {
    // A chat of the AI SDK generates its id when `id` is first read.
    if (name === 'chatId' && isComputed(given, name)) continue;
    const [value, check] = [given[name], checks[name]];
    if (value === undefined) continue;
    if (typeof check !== 'function') {
      const problem = problemIn(where, value, check as Table, `${path}${name}.`);
      if (problem) return problem;
      continue;
    }
    const expected = (check as Check)(value, given);
    if (expected) return say`${where}: invalid option \`${path}${name}\`: ${shown(value)}. Expected ${expected}`;
  }
  return undefined;
}

/** Whether a property has a getter. */
function isComputed(object: object, name: string): boolean {
  for (let at: object | null = object; at; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found.get !== undefined;
  }
  return false;
}

/** A short description of a value for an error message. Never throws. */
function shown(value: unknown): string {
  try {
    const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
    return text.length > 80 ? `${text.slice(0, 80)}…` : text;
  } catch {
    return typeof value;
  }
}
