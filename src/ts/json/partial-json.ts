/**
 * An incremental parser for JSON that arrives in pieces: the input of a tool call while it streams.
 *
 * After every push, `value` equals the result of the AI SDK's `parsePartialJson` for the whole text so far: strings as
 * far as they are complete, literals completed, numbers up to their last meaningful digit, members without a value
 * omitted, `undefined` once the text cannot be JSON. The cost of a push depends on the length of its delta only. Three
 * differences are intentional: `1e+5` is one number, a key may contain an escaped quote, and a key such as `__proto__`
 * is an ordinary own property. The AI SDK misreads the first two until the text is complete, and rejects the third.
 *
 * The parser does not validate against a schema, and stores only the text and the value.
 */
import { GrowingTree } from './growing-tree.js';
import { ESCAPES, isBlank, isDigit, LITERALS } from './json-characters.js';

const enum S {
  /** Before a value: at the start, after `:`, after `,` in an array. */
  Value,
  /** After `[`: a value or `]`. */
  FirstItem,
  /** After `{`: a key or `}`. */
  FirstKey,
  /** After `,` in an object. */
  Key,
  /** After a key. */
  Colon,
  /** After a member or an item. */
  After,
  /** Inside a string or a key. */
  Text,
  /** After a backslash. */
  Escape,
  /** After `\u`. */
  Unicode,
  Number,
  /** Inside `true`, `false` or `null`. */
  Literal,
  /** The top-level value is complete; further text changes nothing, as in the AI SDK. */
  Done,
  /** The text cannot be JSON any more. */
  Invalid,
}

/** A growing JSON text and the value it has so far. */
export class PartialJson {
  #text = '';
  #plain: boolean;
  #tree = new GrowingTree();
  #state = S.Value;
  /** The string or number being read. */
  #leaf = '';
  /** Characters after the last digit of a number that have no meaning yet, or the digits of a `\u` escape. */
  #tail = '';
  #inKey = false;
  /** Whether `#leaf` is a value that is not in the tree yet. */
  #pending = false;
  /** Whether there was an unexpected character. The parse fails once more text would have to be added to the value. */
  #tainted = false;

  /** With `inputEncoding: 'text'` the text itself is the value: tools that take free text stream it unquoted. */
  constructor(options?: { inputEncoding?: 'json' | 'text' | undefined }) {
    this.#plain = options?.inputEncoding === 'text';
  }

  /** Whether `push` was called, even with an empty piece. */
  fed = false;

  /** Everything pushed so far. */
  get text(): string {
    return this.#text;
  }

  /**
   * The value so far; `undefined` before there is one, and once the text cannot be JSON. A returned value never
   * changes: the next push that changes something builds new containers along its path and shares the rest.
   * Reading costs nothing, except that a numeral in progress is converted from its start.
   */
  get value(): unknown {
    this.#flush();
    return this.#tree.value;
  }

  /** Appends a piece of the text, of any length, split at any position. Never throws. */
  push(delta: string): void {
    this.fed = true;
    this.#text += delta;
    if (this.#plain) {
      this.#tree.set(this.#text);
      return;
    }
    for (let i = 0; i < delta.length && this.#state < S.Done;) i = this.#step(delta, i);
  }

  /** Reads one character, or a run of string characters, and returns the position to continue at. */
  #step(delta: string, at: number): number {
    const char = delta.charAt(at);
    const blank = isBlank(char);
    switch (this.#state) {
      case S.Text:
        return this.#string(delta, at);
      case S.Escape:
        this.#state = char === 'u' ? S.Unicode : S.Text;
        this.#tail = '';
        if (char in ESCAPES) this.#grow(ESCAPES[char] as string);
        else if (char !== 'u') this.#refuse();
        break;
      case S.Unicode:
        if (/[0-9a-f]/i.test(char)) {
          this.#tail += char;
          if (this.#tail.length === 4) {
            this.#state = S.Text;
            if (this.#inKey || this.#show()) this.#grow(String.fromCharCode(parseInt(this.#tail, 16)));
          }
        } else {
          this.#tainted = true;
          // An invalid escape does not prevent the next quote from ending a key.
          if (this.#inKey) {
            this.#state = S.Text;
            return at;
          }
        }
        break;
      case S.Number:
        if (!this.#number(char)) {
          this.#tainted ||= this.#tail !== '';
          this.#end();
          this.#after(char, blank, true);
        }
        break;
      case S.Literal:
        if (this.#leaf === '') {
          this.#end();
          this.#after(char, blank, true);
        } else if (this.#leaf[0] === char) this.#leaf = this.#leaf.slice(1);
        else this.#fail();
        break;
      case S.After:
        this.#after(char, blank, false);
        break;
      case S.FirstKey:
      case S.Key:
        if (char === '"') this.#quote(true);
        else if (char === '}' && this.#state === S.FirstKey) this.#close();
        else this.#tainted ||= !blank;
        break;
      case S.Colon:
        if (char === ':') this.#state = S.Value;
        else this.#tainted ||= !blank;
        break;
      default:
        return this.#start(char, blank) ? at + 1 : at;
    }
    return at + 1;
  }

  /** Reads the first character of a value. Returns false if the character must be read again in the new state. */
  #start(char: string, blank: boolean): boolean {
    if (char === '-' || isDigit(char)) {
      this.#state = S.Number;
      this.#inKey = false;
      this.#leaf = '';
      this.#tail = char === '-' ? char : '';
      return char === '-';
    }
    if (char === ']' && this.#state === S.FirstItem) {
      this.#close();
    } else if (char in LITERALS) {
      if (this.#show()) {
        const [rest, value] = LITERALS[char] as (typeof LITERALS)[string];
        this.#tree.set(value);
        this.#leaf = rest;
        this.#state = S.Literal;
      }
    } else if (char === '"') {
      if (this.#show()) this.#quote(false);
    } else if (char === '{' || char === '[') {
      if (this.#show()) {
        this.#tree.open(char === '{' ? {} : []);
        this.#state = char === '{' ? S.FirstKey : S.FirstItem;
      }
    } else {
      this.#tainted ||= !blank;
    }
    return true;
  }

  #quote(inKey: boolean): void {
    this.#leaf = '';
    this.#inKey = inKey;
    this.#pending = !inKey;
    this.#state = S.Text;
  }

  #string(delta: string, at: number): number {
    let end = at;
    let code = 0;
    while (end < delta.length) {
      code = delta.charCodeAt(end);
      if (code < 32 || code === 34 || code === 92) break;
      end++;
    }
    if (end > at) this.#grow(delta.slice(at, end));
    if (end === delta.length) return end;
    if (code === 92) {
      this.#state = S.Escape;
    } else if (code !== 34) {
      this.#refuse();
    } else if (this.#inKey) {
      this.#tree.setKey(this.#leaf);
      this.#state = S.Colon;
    } else {
      this.#end();
    }
    return end + 1;
  }

  #grow(text: string): void {
    this.#leaf += text;
    this.#pending = !this.#inKey;
  }

  /** Reads a character that belongs to a number, valid or not. Returns false for a character that ends the number. */
  #number(char: string): boolean {
    if (isDigit(char)) {
      if (this.#show()) this.#grow(this.#tail + char);
      this.#tail = '';
      return true;
    }
    const part = /[.eE-]/.test(char) || (char === '+' && /e$/i.test(this.#tail));
    if (part) this.#tail += char;
    return part;
  }

  /** Completes a value. */
  #end(): void {
    this.#flush();
    if (this.#state !== S.Invalid) this.#state = this.#tree.container ? S.After : S.Done;
  }

  /** Reads a character after a value. `first`: it ended a number or literal. The parse fails later if it is wrong. */
  #after(char: string, blank: boolean, first: boolean): void {
    const { container } = this.#tree;
    if (!container) return;
    const list = Array.isArray(container);
    if (char === ',') {
      this.#state = list ? S.Value : S.Key;
      if (list) this.#tree.nextItem();
    } else if (char === (list ? ']' : '}')) {
      this.#close();
    } else {
      this.#tainted ||= !blank;
      if (list && !first) this.#show();
    }
  }

  #close(): void {
    if (!this.#show()) return;
    this.#tree.close();
    this.#end();
  }

  /** Puts the string or number being read into the tree. */
  #flush(): void {
    if (!this.#pending) return;
    this.#pending = false;
    try {
      this.#tree.set(this.#state === S.Number ? JSON.parse(this.#leaf) : this.#leaf);
    } catch {
      this.#fail();
    }
  }

  /** Whether more text may be added to the value. After an unexpected character it may not, and the parse fails. */
  #show(): boolean {
    if (this.#tainted) this.#fail();
    return !this.#tainted;
  }

  /** Handles a character that a string must not contain. An unfinished key is not part of the value yet. */
  #refuse(): void {
    this.#tainted = true;
    if (!this.#inKey) this.#fail();
  }

  #fail(): void {
    this.#state = S.Invalid;
    this.#tree = new GrowingTree();
    this.#pending = false;
    this.#leaf = this.#tail = '';
  }
}
