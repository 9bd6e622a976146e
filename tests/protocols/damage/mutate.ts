/** Damages a JSON value: replaces or drops a value inside it, or drops, duplicates or moves a list item. */
import type { Data } from '../support';

/** The path of a value: the keys that lead to it. */
export type Path = readonly (string | number)[];

/** A change of the value at a path. */
export type Damage =
  | { readonly how: 'replace'; readonly path: Path; readonly by: unknown }
  | { readonly how: 'drop' | 'double' | 'move'; readonly path: Path }
  /** Replaces the value with the one at another path. */
  | { readonly how: 'copy'; readonly path: Path; readonly from: Path };

/** Values that are never valid as an id, a text or a number. The last one cannot be converted to a text. */
const JUNK: readonly unknown[] = [null, -1, {}, [], true, { toString: 1, valueOf: 1 }];
/** Values that can be mistaken for valid ones. */
const ODD: readonly unknown[] = ['', 'x', '__proto__', 1e9, false, 'null', '{"a":', [null], { type: 'text' }];

/** Returns a function that picks a number below its argument. The same seed gives the same sequence. */
export function picker(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const at = (value: Data, path: Path): Data => path.reduce((inner: Data, key) => inner?.[key], value);

/** Returns the paths of a value and of all values inside it. */
function pathsOf(value: Data, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.keys(value).flatMap((key) => pathsOf(value[key], [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

/** Returns a damaged copy of a value. A damage whose path does not exist changes nothing. */
export function damaged(value: Data, damage: Damage): Data {
  const { how, path } = damage;
  if (!path.length) return how === 'replace' ? damage.by : value;
  const copy = structuredClone(value);
  const holder = at(copy, path.slice(0, -1));
  if (typeof holder !== 'object' || holder === null) return copy;
  const key = path.at(-1) as string & number;
  if (how === 'replace') holder[key] = damage.by;
  else if (how === 'copy') holder[key] = structuredClone(at(value, damage.from));
  else if (!Array.isArray(holder)) delete holder[key];
  else if (how === 'drop') holder.splice(key, 1);
  else if (how === 'double') holder.splice(key, 0, structuredClone(holder[key]));
  else holder.splice(key === 0 ? holder.length - 1 : 0, 0, ...holder.splice(key, 1));
  return copy;
}

/**
 * Returns the value without the damaged item: the innermost list item that contains the path. Undefined if there is
 * none.
 */
export function withoutPiece(value: Data, { path }: Damage): Data {
  const end = path.findLastIndex((_, place) => Array.isArray(at(value, path.slice(0, place))));
  return end < 0 ? undefined : damaged(value, { how: 'drop', path: path.slice(0, end + 1) });
}

/** Damage that is always recognizable: a value is dropped, or replaced by one that no id, text or number can be. */
export function plainDamage(value: Data, pick: (below: number) => number): Damage {
  const paths = pathsOf(value);
  const path = paths[pick(paths.length)] as Path;
  const by = JUNK[pick(JUNK.length)];
  return path.length && !pick(6) ? { how: 'drop', path } : { how: 'replace', path, by };
}

/** Damage of any kind. */
export function anyDamage(value: Data, pick: (below: number) => number): Damage {
  const paths = pathsOf(value);
  const path = paths[pick(paths.length)] as Path;
  const junk = [...JUNK, ...ODD];
  const replace: Damage = { how: 'replace', path, by: junk[pick(junk.length)] };
  if (!path.length || pick(2)) return replace;
  const how = (['drop', 'copy', 'double', 'move'] as const)[pick(4)] as 'copy';
  return how === 'copy' ? { how, path, from: paths[pick(paths.length)] as Path } : { how, path };
}
