/**
 * Whether two values are equal in everything that a snapshot preserves: types, own keys and their order, -0, NaN,
 * dates, URLs. If `ordered` is false, the order of keys may differ.
 */
export function same(a: unknown, b: unknown, ordered = true): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime());
  if (a instanceof URL) return b instanceof URL && a.href === b.href;
  if (b instanceof Date || b instanceof URL || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = [Object.keys(a), Object.keys(b)] as const;
  if (!ordered) for (const list of keys) list.sort();
  return (
    keys[0].length === keys[1].length &&
    keys[0].every(
      (key, i) =>
        key === keys[1][i] && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], ordered),
    )
  );
}
