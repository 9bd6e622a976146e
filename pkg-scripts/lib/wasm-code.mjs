/**
 * Finds where the functions of a wasm file name their local variables, so that these can be renumbered, and writes the
 * file with other code of the same length. An instruction that it does not know fails the build.
 */
import { Failure } from './shell.mjs';
import { eachSection } from './wasm-reader.mjs';

const SECTION = { type: 1, import: 2, functions: 3, code: 10 };

/** `local.get`, `local.set`, `local.tee`. */
const LOCAL = new Set([0x20, 0x21, 0x22]);

/** How many numbers follow an instruction. `body` reads other operands, and `PLAIN` lists instructions without any. */
const NUMBERS = new Map([
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].map((op) => [
    op,
    1,
  ]),
  [0x11, 2],
  ...Array.from({ length: 0x3e - 0x28 + 1 }, (_, i) => [0x28 + i, 2]),
]);

/** The same for the prefix 0xfc: first the saturating conversions, without numbers, then memory.init to memory.fill. */
const MORE_NUMBERS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1];

/** Instructions without a number that this reader knows, as ranges. */
const PLAIN = [
  [0x00, 0x01],
  [0x05, 0x05],
  [0x0b, 0x0b],
  [0x0f, 0x0f],
  [0x1a, 0x1b],
  [0x45, 0xc4],
];

/**
 * The functions of the file: the `bytes` of each body, and its `locals` without the parameters, as `{ type, number,
 * places }`. `places` are the indices in `bytes` of the variable's number. `locals` is empty if a number may need more
 * than one byte.
 */
export function parts(wasm) {
  const parameters = [];
  const types = [];
  const found = [];
  let imported = 0;
  eachSection(wasm, (id, reader) => {
    if (id === SECTION.type) {
      reader.list(() => {
        reader.byte();
        parameters.push(reader.list(() => reader.byte()).length);
        reader.list(() => reader.byte());
      });
    } else if (id === SECTION.import) {
      imported = reader.number();
    } else if (id === SECTION.functions) {
      reader.list(() => types.push(reader.number()));
    } else if (id === SECTION.code) {
      reader.list(() => {
        const length = reader.number();
        found.push(body(wasm, reader, reader.at + length, parameters[types[found.length]]));
      });
    }
  });
  if (imported === 0 || found.length !== types.length)
    throw new Failure('The wasm file has other sections than expected.');
  return found;
}

/** The file with these bodies, each as long as the one it replaces. */
export function withCode(wasm, bodies) {
  const out = Buffer.from(wasm);
  let next = 0;
  eachSection(wasm, (id, reader) => {
    if (id !== SECTION.code) return;
    reader.list(() => {
      const length = reader.number();
      out.set(bodies[next++], reader.at);
      reader.at += length;
    });
  });
  return out;
}

function body(wasm, reader, end, parameters) {
  const start = reader.at;
  const locals = [];
  reader.list(() => {
    const count = reader.number();
    const type = reader.byte();
    for (let i = 0; i < count; i++) locals.push({ type, number: parameters + locals.length, places: [] });
  });
  while (reader.at < end) {
    const op = reader.byte();
    if (LOCAL.has(op)) {
      const place = reader.at - start;
      locals[reader.number() - parameters]?.places.push(place);
    } else if (op === 0x43 || op === 0x44) {
      reader.at += op === 0x43 ? 4 : 8;
    } else if (op === 0x1c) {
      reader.list(() => reader.byte());
    } else if (op === 0x0e) {
      reader.list(() => reader.number());
      reader.number();
    } else if (op === 0xfc) {
      const numbers = MORE_NUMBERS[reader.number()] ?? unknown(op);
      for (let i = 0; i < numbers; i++) reader.number();
    } else if (NUMBERS.has(op)) {
      for (let i = NUMBERS.get(op); i > 0; i--) reader.number();
    } else if (!PLAIN.some(([from, to]) => op >= from && op <= to)) {
      unknown(op);
    }
  }
  if (reader.at !== end) throw new Failure('A wasm function does not end where it should.');
  const isShort = parameters + locals.length <= 128;
  return { bytes: wasm.subarray(start, end), locals: isShort ? locals : [] };
}

function unknown(op) {
  throw new Failure(`pkg-scripts/lib/wasm-code.mjs does not know the wasm instruction 0x${op.toString(16)}.`);
}
