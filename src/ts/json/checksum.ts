/**
 * A checksum of plain JSON that detects accidental damage: a truncated file, a lost field, a changed number. The order
 * of object keys does not matter, because some databases do not preserve it (`jsonb`). It does not protect against
 * forgery.
 *
 * One walk computes two 32-bit hashes. The hash of an object or a list is the sum of its entries' hashes.
 */

const [P, Q] = [0x9e3779b1, 0x85ebca77];

/** The start values of the first hash. The second one starts from the seed plus one. */
const TEXT = 11;
const LIST = 13;
const OBJECT = 17;

/** The two hashes of the value that was hashed last. */
let first = 0;
let second = 0;

/** Returns the checksum of a value: 16 hex digits. Throws for values nested deeper than the call stack allows. */
export function checksum(value: unknown): string {
  read(value);
  const hex = (hash: number): string => (hash >>> 0).toString(16).padStart(8, '0');
  return hex(first) + hex(second);
}

function read(value: unknown): void {
  if (typeof value === 'object' && value !== null) readEntries(value as Readonly<Record<string, unknown>>);
  // Any other value counts as its text, and `undefined` as `null`, which JSON writes for it in lists.
  else readText(typeof value === 'string' ? value : `\0${(value as number | boolean | null | undefined) ?? null}`);
}

function end(): void {
  first = Math.imul(first ^ (first >>> 15), Q);
  second = Math.imul(second ^ (second >>> 13), P);
  first ^= first >>> 16;
  second ^= second >>> 16;
}

function readText(value: string): void {
  let a = Math.imul(TEXT, P);
  let b = Math.imul(TEXT + 1, Q);
  const { length } = value;
  const even = length & ~1;
  if (even < length) {
    const unit = value.charCodeAt(even);
    a = Math.imul(a ^ unit, P);
    b = Math.imul(b ^ unit, Q);
  }
  for (let at = 0; at < even; at += 2) {
    const units = value.charCodeAt(at) | (value.charCodeAt(at + 1) << 16);
    a = Math.imul(a ^ units, P);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ units, Q);
  }
  first = a ^ length;
  second = b;
  end();
}

/** An item of a list is an entry with its index. */
function readEntries(source: Readonly<Record<string, unknown>>): void {
  const isList = Array.isArray(source);
  let a = isList ? LIST : OBJECT;
  let b = a + 1;
  for (const key of Object.keys(source)) {
    // JSON omits such entries of objects.
    if (source[key] === undefined && !isList) continue;
    readText(key);
    const x = first;
    const y = second;
    read(source[key]);
    // Mixes the two hashes instead of adding them; otherwise two entries could swap their values without a difference.
    first = Math.imul(first ^ Math.imul(x, Q), P);
    second = Math.imul(second ^ Math.imul(y, P), Q);
    end();
    a = (a + first) | 0;
    b = (b + second) | 0;
  }
  first = a;
  second = b;
  end();
}
