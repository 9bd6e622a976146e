/**
 * Encodes values for snapshots as plain JSON that decodes to exactly the same values.
 *
 * JSON has no `undefined`, BigInt, Date, URL, NaN, ±Infinity or -0; each becomes a tag, which is an object with the key
 * `$`. An object that has the key `$` or `__proto__` itself becomes a tag too, so the encoding is unambiguous. Values
 * without an exact form (functions, symbols, class instances, Map, Set, binary data, sparse arrays, cycles) are refused
 * with their path. Any depth is supported: the built-in JSON functions overflow at a few thousand levels, so containers
 * below `DEEP` levels are stored as text. `canonical` uses the same encoding to compare values.
 */
import { ToolGateError, type ToolGateErrorCode } from '../types/errors.js';
import { jsonText } from './canonical-text.js';
import { setOwn } from './own-property.js';
import { isPlain } from './safe-reading.js';
import type { JSONValue } from '../types/index.js';
import { say } from '../types/say.js';

/**
 * Levels that are encoded as nested JSON. One level of the value can take three levels of the encoded form, and Rust's
 * `serde_json` reads 128, some of which are the snapshot's own.
 */
const DEEP = 33;

/** A container whose values are being visited. */
interface Frame {
  readonly source: object;
  /** The keys of its values: indices of a list, names of an object. */
  readonly keys: readonly (string | number)[];
  readonly take: (key: string | number, at: number) => unknown;
  readonly give: (key: string | number, value: unknown) => void;
  next: number;
}

type Bag = Readonly<Record<string | number, unknown>>;

/** Visits a tree of any depth without recursion, and knows the path of the current value. */
class Walk {
  readonly #frames: Frame[] = [];
  readonly #open = new Set<object>();
  readonly #at: string;
  readonly #code: ToolGateErrorCode;

  constructor(at: string, code: ToolGateErrorCode) {
    this.#at = at;
    this.#code = code;
  }

  get depth(): number {
    return this.#frames.length;
  }

  /** The path of the current value, such as `$.edits[3]["a b"]`. */
  get path(): string {
    const path = this.#frames.map((frame) => {
      const key = frame.keys[frame.next - 1] as string | number;
      if (typeof key === 'number') return `[${key}]`;
      return /^[A-Za-z_]\w{0,60}$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 60))}]`;
    });
    if (path.length > 40) path.splice(20, path.length - 40, '…');
    return this.#at + path.join('');
  }

  refuse(why: string, cause?: unknown): never {
    throw new ToolGateError(this.#code, `${this.path}: ${why}`, { cause });
  }

  /** Visits the values of a container next. */
  descend(source: object, keys: Frame['keys'], take: Frame['take'], give: Frame['give']): void {
    if (this.#open.has(source)) this.refuse(say`contains itself`);
    this.#open.add(source);
    this.#frames.push({ source, keys, take, give, next: 0 });
  }

  run(root: unknown, visit: (value: unknown) => unknown): unknown {
    const result = visit(root);
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      const at = frame.next++;
      const key = frame.keys[at];
      if (key === undefined) {
        this.#open.delete(frame.source);
        this.#frames.pop();
      } else frame.give(key, visit(frame.take(key, at)));
    }
    return result;
  }
}

/** The length of a value's prototype chain: 1 for a plain object, 2 for a Date (more for a subclass). */
function ancestors(value: object): number {
  let count = 0;
  for (let up = Object.getPrototypeOf(value); up !== null; up = Object.getPrototypeOf(up)) count++;
  return count;
}

/**
 * Returns the value as new plain JSON, with containers below `deep` levels as text. `tags`: whether a BigInt is
 * encoded, and not refused. `isSorted`: whether the entries of a tagged object are in the order of their keys.
 */
function toTree(root: unknown, at: string, deep: number, tags = true, isSorted?: boolean): JSONValue {
  const walk = new Walk(at, 'unserializable');

  function visitObject(value: object): JSONValue {
    const list = Array.isArray(value);
    const kind = Object.prototype.toString.call(value);
    const height = ancestors(value);
    if (kind === '[object Date]' && height === 2) {
      const time = Date.prototype.getTime.call(value);
      return { $: 'date', v: Number.isNaN(time) ? null : time };
    }
    if (kind === '[object URL]' && height === 2) return { $: 'url', v: (value as URL).href };
    if (list ? height !== 2 : kind !== '[object Object]' || height > 1) {
      const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
      walk.refuse(
        say`${typeof name === 'string' && name ? name : kind.slice(8, -1)} cannot be represented exactly in JSON`,
      );
    }
    if (Object.getOwnPropertySymbols(value).length) walk.refuse(say`has a symbol key`);
    if (walk.depth === deep) return { $: 'json', v: jsonText(toTree(value, walk.path, Infinity)) };

    const keys = Object.keys(value);
    if (list) {
      if (keys.length !== value.length) walk.refuse(say`is an array with holes or extra properties`);
      const target: JSONValue[] = [];
      const take: Frame['take'] = (_, i) => (i in value ? value[i] : walk.refuse(say`is a hole in an array`));
      walk.descend(value, [...value.keys()], take, (_, item) => target.push(item as JSONValue));
      return target;
    }
    const entries = Object.hasOwn(value, '$') || Object.hasOwn(value, '__proto__');
    if (entries && isSorted) keys.sort();
    const target: JSONValue[] & Record<string, JSONValue> = (entries ? [] : {}) as never;
    walk.descend(
      value,
      keys,
      (key) => (value as Bag)[key],
      (key, item) => (entries ? target.push([key, item as JSONValue]) : setOwn(target, key, item)),
    );
    return entries ? { $: 'object', v: target } : target;
  }

  function visit(value: unknown): JSONValue {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (Object.is(value, -0)) return { $: '-0' };
        return Number.isFinite(value) ? value : { $: String(value) };
      case 'undefined':
        return { $: 'undefined' };
      case 'object':
        return value && visitObject(value);
      default:
        if (tags && typeof value === 'bigint') return { $: 'bigint', v: String(value) };
        return walk.refuse(say`a ${typeof value} cannot be represented in JSON`);
    }
  }

  try {
    return walk.run(root, visit) as JSONValue;
  } catch (error) {
    if (error instanceof ToolGateError) throw error;
    return walk.refuse(say`could not be read`, error);
  }
}

/**
 * Returns the value as plain JSON that shares nothing with it. Throws `unserializable` for values without an exact
 * form; the message names the path, which starts with `at`.
 */
export function encode(value: unknown, at = '$'): JSONValue {
  return toTree(value, at, DEEP);
}

/**
 * Throws `unserializable` for a value that no request can contain, because `JSON.stringify` throws; the message names
 * the path, which starts with `at`.
 */
export function assertJson(value: unknown, at: string): void {
  try {
    if (!isPlain(value, 0)) JSON.stringify(value);
  } catch (cause) {
    // Finds the path.
    toTree(value, at, DEEP, false);
    throw new ToolGateError('unserializable', `${at}: ${String(cause)}`, { cause });
  }
}

/**
 * Returns the canonical JSON text of a value: the same encoding with sorted keys. Two values have the same text exactly
 * if they differ at most in the order of keys: RFC 8785 of the encoded value. Throws `unserializable` as `encode` does.
 */
export function canonical(value: unknown): string {
  return jsonText(toTree(value, '$', Infinity, true, true), true);
}

/** Values that are fully described by their tag. */
const CONSTANTS: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

/**
 * Returns a new value, equal to the one that `encode` received. Throws `bad-snapshot` for JSON that `encode` cannot
 * have written; the message names the path, which starts with `at`.
 */
export function decode(json: unknown, at = '$'): unknown {
  const walk = new Walk(at, 'bad-snapshot');

  function container(source: readonly unknown[] | Record<string, unknown>): unknown {
    const [target, keys] = Array.isArray(source) ? [[], [...source.keys()]] : [{}, Object.keys(source)];
    walk.descend(
      source,
      keys,
      (key) => (source as Bag)[key],
      (key, value) => setOwn(target, key, value),
    );
    return target;
  }

  function tagged(tag: unknown, v: unknown): unknown {
    if (CONSTANTS.has(tag)) return CONSTANTS.get(tag);
    if (tag === 'date' && (v === null || typeof v === 'number')) return new Date(v ?? NaN);
    if (
      tag === 'object' &&
      Array.isArray(v) &&
      v.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string')
    ) {
      const entries = v as [key: string, value: unknown][];
      const target = {};
      walk.descend(
        v,
        entries.map(([key]) => key),
        (_, at) => entries[at]?.[1],
        (key, value) => setOwn(target, key, value),
      );
      return target;
    }
    try {
      if (tag === 'bigint' && typeof v === 'string' && v) return BigInt(v);
      if (tag === 'url' && typeof v === 'string') return new URL(v);
      if (tag === 'json' && typeof v === 'string') return visit(JSON.parse(v));
    } catch (error) {
      if (error instanceof ToolGateError) throw error;
      walk.refuse(say`is tagged as ${tag}, but is not a valid ${tag}`, error);
    }
    return walk.refuse(say`has an unknown tag ${JSON.stringify(tag)?.slice(0, 60)}`);
  }

  function visit(value: unknown): unknown {
    if (typeof value === 'object' && value !== null) {
      const object = value as Record<string, unknown>;
      return Object.hasOwn(object, '$') ? tagged(object['$'], object['v']) : container(object);
    }
    if (!['string', 'number', 'boolean', 'object'].includes(typeof value))
      walk.refuse(say`is not JSON, but of type ${typeof value}`);
    return value;
  }

  return walk.run(json, visit);
}
