/**
 * Removes optional properties that are `undefined`, so that a missing property is absent and not present as
 * `undefined`.
 */

/** Deletes the properties of `fields` that are `undefined`, and returns `fields`. */
export function omitUndefined<T extends object>(fields: T): T {
  for (const name of Object.keys(fields) as (keyof T)[]) if (fields[name] === undefined) delete fields[name];
  return fields;
}
