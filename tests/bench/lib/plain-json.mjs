/**
 * A reader for valid JSON that arrives in pieces, as plain JavaScript would be written for speed: it changes one value
 * in place, and checks nothing.
 */

const ESCAPES = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Reads one JSON value. `value` contains the part that has arrived. */
export class PlainJson {
  value;
  /** The objects and arrays that contain the next value, from the outermost on. */
  #open = [];
  #key;
  /** The string that is being read, and whether it is the key of an entry. */
  #string;
  #isKey = false;
  /** An incomplete escape sequence, and an incomplete number or word. */
  #escape = '';
  #word = '';

  push(text) {
    for (let at = 0; at < text.length;)
      at = this.#string === undefined ? this.#token(text, at) : this.#inString(text, at);
    // A string is shown as far as it has arrived.
    if (this.#string !== undefined && !this.#isKey) this.#set(this.#string);
  }

  #inString(text, at) {
    if (this.#escape) {
      this.#escape += text[at];
      const [, kind] = this.#escape;
      if (kind !== 'u' || this.#escape.length === 6) {
        const code = Number.parseInt(this.#escape.slice(2), 16);
        this.#string += kind === 'u' ? String.fromCharCode(code) : (ESCAPES[kind] ?? kind);
        this.#escape = '';
      }
      return at + 1;
    }
    let end = at;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === 34 || code === 92) break;
    }
    this.#string += text.slice(at, end);
    if (text[end] === '\\') this.#escape = '\\';
    if (text[end] === '"') {
      if (this.#isKey) this.#key = this.#string;
      else this.#put(this.#string);
      this.#string = undefined;
    }
    return end + 1;
  }

  #token(text, at) {
    const character = text[at];
    const parent = this.#open.at(-1);
    if (character === '"') {
      this.#isKey = parent !== undefined && !Array.isArray(parent) && this.#key === undefined;
      this.#string = '';
      if (Array.isArray(parent)) this.#key = parent.length;
    } else if (character === '{' || character === '[') {
      const value = character === '{' ? {} : [];
      if (Array.isArray(parent)) this.#key = parent.length;
      this.#put(value);
      this.#open.push(value);
    } else if (character === '}' || character === ']' || character === ',') {
      this.#endWord();
      if (character !== ',') this.#open.pop();
    } else if (character !== ':' && character !== ' ') {
      this.#word += character;
    }
    return at + 1;
  }

  #endWord() {
    if (!this.#word) return;
    const parent = this.#open.at(-1);
    if (Array.isArray(parent)) this.#key = parent.length;
    this.#put(JSON.parse(this.#word));
    this.#word = '';
  }

  #set(value) {
    const parent = this.#open.at(-1);
    if (parent === undefined) this.value = value;
    else parent[this.#key] = value;
  }

  /** Sets a value that is complete, or an object or array that is going to be filled. */
  #put(value) {
    this.#set(value);
    this.#key = undefined;
  }
}
