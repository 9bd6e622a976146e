/**
 * Compares values in these tests, and describes the first difference.
 *
 * Two values are equal if they are
 * - the same by `Object.is`,
 * - arrays of the same length with equal items,
 * - plain objects with the same own enumerable keys and equal values, where the order of the keys does not matter and
 *   a key with the value `undefined` counts as absent,
 * - `URL`s with the same `href`, or
 * - `Date`s of the same time.
 *
 * So `-0` differs from `0`, and `null` from an absent key. A hole in an array equals `undefined`.
 */

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
};

/** The first difference of two values, as `path: ours, theirs`; `undefined` if they are equal. */
export function difference(ours: unknown, theirs: unknown, path = '$'): string | undefined {
  if (Object.is(ours, theirs)) return undefined;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.length !== theirs.length)
      return `${path}: ${ours.length} items, theirs ${theirs.length}: ${show(ours)} / ${show(theirs)}`;
    for (let index = 0; index < ours.length; index++) {
      const found = difference(ours[index], theirs[index], `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isPlain(ours) && isPlain(theirs)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const found = difference(own(ours, key), own(theirs, key), `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (ours instanceof URL && theirs instanceof URL && ours.href === theirs.href) return undefined;
  if (ours instanceof Date && theirs instanceof Date && Object.is(ours.getTime(), theirs.getTime())) return undefined;
  return `${path}: ${show(ours)}, theirs ${show(theirs)}`;
}

const own = (value: Plain, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

const show = (value: unknown): string => {
  const text =
    JSON.stringify(value, (_key, inner: unknown) => (inner === undefined ? '(undefined)' : inner)) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};
