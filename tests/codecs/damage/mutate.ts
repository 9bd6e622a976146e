/**
 * One piece of damage in a JSON value: a leaf that is replaced, dropped, or exchanged with another one; an item of a list that
 * is dropped, doubled or moved.
 */
import type { Data } from '../support';

/** Where a value is: the keys that lead to it. */
export type Path = readonly (string | number)[];

/** What is done to the value at a path. */
export type Damage =
  | { readonly how: 'replace'; readonly path: Path; readonly by: unknown }
  | { readonly how: 'drop' | 'double' | 'move'; readonly path: Path }
  /** It gets the value of another path. */
  | { readonly how: 'copy'; readonly path: Path; readonly from: Path };

/** What no field takes as an id, a text or a number. */
export const JUNK: readonly unknown[] = [null, -1, {}, [], true];
/** What may be mistaken for something. */
const ODD: readonly unknown[] = ['', 'x', '__proto__', 1e9, false, 'null', '{"a":', [null], { type: 'text' }];

/** The value at a path. */
export const at = (value: Data, path: Path): Data => path.reduce((inner: Data, key) => inner?.[key], value);

/** Every value inside of another one, with its path; the outermost too. */
export function pathsOf(value: Data, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => pathsOf(value[key], [...path, Array.isArray(value) ? Number(key) : key]))];
}

/** A copy of a value with the damage in it. */
export function damaged(value: Data, damage: Damage): Data {
  const { how, path } = damage;
  const copy = structuredClone(value);
  if (!path.length) return how === 'replace' ? damage.by : copy;
  const holder = at(copy, path.slice(0, -1));
  const key = path.at(-1) as string & number;
  if (how === 'replace') holder[key] = damage.by;
  else if (how === 'copy') holder[key] = structuredClone(at(value, damage.from));
  else if (!Array.isArray(holder)) delete holder[key];
  else if (how === 'drop') holder.splice(key, 1);
  else if (how === 'double') holder.splice(key, 0, structuredClone(holder[key]));
  else holder.splice(key === 0 ? holder.length - 1 : 0, 0, ...holder.splice(key, 1));
  return copy;
}

/** The same damage to the smallest item of a list that has the path in it: with `drop`, the piece that the damage is about. */
export function withoutPiece(value: Data, path: Path): Damage | undefined {
  const end = path.findLastIndex((_, place) => Array.isArray(at(value, path.slice(0, place))));
  return end < 0 ? undefined : { how: 'drop', path: path.slice(0, end + 1) };
}

/** Every way to damage one value with what no field takes. */
export function plainDamage(value: Data): Damage[] {
  return pathsOf(value).flatMap((path): Damage[] => [
    ...(path.length ? [{ how: 'drop', path } as const] : []),
    ...JUNK.map((by) => ({ how: 'replace', path, by }) as const),
  ]);
}

/** One way to damage a value. */
export function anyDamage(value: Data, pick: (below: number) => number): Damage {
  const paths = pathsOf(value);
  const path = paths[pick(paths.length)] as Path;
  const junk = [...JUNK, ...ODD];
  const replace: Damage = { how: 'replace', path, by: junk[pick(junk.length)] };
  if (!path.length) return replace;
  const hows = ['drop', 'copy', 'double', 'move'] as const;
  const how = pick(2) ? undefined : hows[pick(hows.length)];
  if (how === undefined) return replace;
  return how === 'copy' ? { how, path, from: paths[pick(paths.length)] as Path } : { how, path };
}
