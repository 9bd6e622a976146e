/**
 * Renames a wasm file's imports and exports by rewriting those two sections. The names occur nowhere else: code refers
 * to functions by number.
 */

const IMPORT = 2;
const EXPORT = 7;

/** Unsigned LEB128. */
function encoded(number) {
  const bytes = [];
  do bytes.push((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
  while ((number >>>= 7));
  return bytes;
}

const text = (name) => [...encoded(Buffer.byteLength(name)), ...Buffer.from(name)];

/**
 * The file in which every import from `module` has the name given in `imports`. Only exports with a name in `exports`
 * remain.
 */
export function renamed(wasm, module, imports, exports) {
  let at = 8;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const name = () => {
    const length = number();
    at += length;
    return wasm.subarray(at - length, at).toString();
  };
  const entry = () => {
    const start = at;
    at++;
    number();
    return wasm.subarray(start, at);
  };
  const section = {
    // An import is always a function here: one byte for the kind, then the number of its type.
    [IMPORT]: () => [...text((name(), module)), ...text(imports.get(name())), ...entry()],
    [EXPORT]: () => {
      const as = exports.get(name());
      const what = entry();
      return as === undefined ? undefined : [...text(as), ...what];
    },
  };
  const parts = [wasm.subarray(0, at)];
  while (at < wasm.length) {
    const start = at;
    const id = wasm[at++];
    const length = number();
    const end = at + length;
    if (section[id]) {
      const count = number();
      const entries = Array.from({ length: count }, section[id]).filter((bytes) => bytes !== undefined);
      const body = [...encoded(entries.length), ...entries.flat()];
      parts.push(Buffer.from([id, ...encoded(body.length), ...body]));
    } else {
      parts.push(wasm.subarray(start, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}
