/**
 * A synchronous SHA-256 (FIPS 180-4) for digest.ts; the one in browsers returns a promise. It does not run in constant
 * time, because nothing that is hashed is secret.
 */

const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);

/** The first 32 bits of the fractional part of a number. */
const fraction = (x: number): number => ((x % 1) * 2 ** 32) | 0;
const START = primes.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
const ROUND = primes.map((prime) => fraction(prime ** (1 / 3)));

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

const encoder = new TextEncoder();

/** Returns the SHA-256 of the UTF-8 of a text as 64 lower-case hex digits. */
export const hexDigest = (text: string): string => sha256(encoder.encode(text));

/** Returns the SHA-256 of `bytes` as 64 lower-case hex digits. */
export function sha256(bytes: Uint8Array): string {
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  const blocks = new DataView(new ArrayBuffer((bytes.length + 72) & ~63));
  new Uint8Array(blocks.buffer).set(bytes);
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 8, bytes.length / 2 ** 29);
  blocks.setUint32(blocks.byteLength - 4, bytes.length << 3);

  for (let at = 0; at < blocks.byteLength; at += 64) {
    let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
    let [e, f, g, h] = [state[4]!, state[5]!, state[6]!, state[7]!];
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        words[i] = blocks.getInt32(at + i * 4);
      } else {
        const x = words[i - 15]!;
        const y = words[i - 2]!;
        words[i] =
          words[i - 16]! +
          (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) +
          words[i - 7]! +
          (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
      }
      const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!;
      const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    const added = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) state[i]! += added[i]!;
  }
  let text = '';
  for (const word of state)
    text += HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
  return text;
}
