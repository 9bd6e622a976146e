/**
 * A checksum of plain JSON that detects accidental damage: a truncated file, a lost field, a changed number. The order
 * of object keys does not matter, because some databases do not preserve it (`jsonb`). It does not protect against
 * forgery.
 *
 * One walk computes two 32-bit hashes. An object's hash is the sum of its entries' hashes; a list's hash depends on
 * order.
 */

const [P, Q] = [0x9e3779b1, 0x85ebca77];
/** The start value for each kind of JSON value. The second hash starts from the seed plus one. */
const SEEDS = { null: 1, false: 2, true: 3, integer: 5, fraction: 7, text: 11, list: 13, object: 17 };

const float = new Float64Array(1);
const halves = new Int32Array(float.buffer);

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
  if (typeof value === 'number') readNumber(value);
  else if (typeof value === 'string') readText(value);
  else if (Array.isArray(value)) readList(value);
  else if (typeof value === 'object' && value !== null) readObject(value as Readonly<Record<string, unknown>>);
  // Values that JSON cannot hold, such as `undefined`, hash as `null`, which is what JSON writes for them in lists.
  else begin(value === true ? SEEDS.true : value === false ? SEEDS.false : SEEDS.null);
}

function begin(seed: number): void {
  first = Math.imul(seed, P);
  second = Math.imul(seed + 1, Q);
}

function end(): void {
  first = Math.imul(first ^ (first >>> 15), Q);
  second = Math.imul(second ^ (second >>> 13), P);
  first ^= first >>> 16;
  second ^= second >>> 16;
}

function readNumber(value: number): void {
  if (value === (value | 0)) {
    begin(SEEDS.integer);
    first = Math.imul(first ^ value, P);
    second = Math.imul(second ^ value, Q);
  } else {
    float[0] = value;
    begin(SEEDS.fraction);
    first = Math.imul(Math.imul(first ^ (halves[0] as number), P) ^ (halves[1] as number), Q);
    second = Math.imul(Math.imul(second ^ (halves[1] as number), Q) ^ (halves[0] as number), P);
  }
  end();
}

function readText(value: string): void {
  begin(SEEDS.text);
  let a = first;
  let b = second;
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

function readList(list: readonly unknown[]): void {
  let a = SEEDS.list;
  let b = SEEDS.list + 1;
  for (let at = 0; at < list.length; at++) {
    read(list[at]);
    a = Math.imul(a ^ first, P) + at;
    b = Math.imul(b ^ second, Q) ^ at;
  }
  first = a ^ list.length;
  second = b;
  end();
}

function readObject(object: Readonly<Record<string, unknown>>): void {
  let a = SEEDS.object;
  let b = SEEDS.object + 1;
  for (const key of Object.keys(object)) {
    // JSON omits such entries.
    if (object[key] === undefined) continue;
    readText(key);
    const x = first;
    const y = second;
    read(object[key]);
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
