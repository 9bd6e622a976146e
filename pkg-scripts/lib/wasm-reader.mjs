/** Reads a wasm file: its sections, and in them numbers, texts and lists one after the other. */

/** Reads the bytes from `at` on, up to `end`. */
class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    Object.assign(this, { bytes, at, end });
  }
  byte() {
    return this.bytes[this.at++];
  }
  number() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  text() {
    const length = this.number();
    this.at += length;
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString();
  }
  /** The results of `each`, which reads one entry of a list. */
  list(each) {
    return Array.from({ length: this.number() }, each);
  }
  /** A reader of the next `length` bytes, which this one skips. */
  slice(length) {
    this.at += length;
    return new Reader(this.bytes, this.at - length, this.at);
  }
  get done() {
    return this.at >= this.end;
  }
}

/** The bytes before the first section: the name of the format, and its version. */
const HEADER = 8;

/** Calls `visit` with the number of each section, a reader of its content, and its length with its own header. */
export function eachSection(wasm, visit) {
  const reader = new Reader(wasm, HEADER);
  while (!reader.done) {
    const start = reader.at;
    const id = reader.byte();
    const content = reader.slice(reader.number());
    visit(id, content, reader.at - start);
  }
}
