/**
 * Refuses options that do not exist: what is misspelt would quietly mean the default.
 */

/** One entry for each option, so that the compiler asks for a new one here too. */
export type KnownOptions<OPTIONS> = Readonly<Record<keyof OPTIONS, true>>;

/** Throws a `TypeError` that names the first option that is not `known`. `where` is what the caller called. */
export function refuseUnknown<OPTIONS extends object>(
  where: string,
  options: OPTIONS,
  known: KnownOptions<OPTIONS>,
): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    throw new TypeError(`${where}: unknown option \`${name}\`. Expected one of: ${Object.keys(known).join(', ')}`);
  }
}
