/**
 * The text of JSON that is hashed or signed: RFC 8785 (JCS). Every digest and signature of the package is about such a
 * text. Values that JSON lacks have tags before they come here (encode.ts). RFC 8785 has no lone surrogates: they are
 * escaped, so that they stay distinct, and evidence, which others read, has none.
 */
import type { JSONValue } from '../types/index.js';

/** Returns plain JSON as RFC 8785 writes it: keys are in the order of their UTF-16 code units. */
export const canonicalText = (root: unknown): string => jsonText(root as JSONValue, true);

/** Returns the text of plain JSON of any depth: `JSON.stringify` throws for a deep one. */
export function jsonText(root: JSONValue, isCanonical?: boolean): string {
  const frames: {
    source: Record<string | number, JSONValue>;
    keys: string[] | undefined;
    length: number;
    next: number;
  }[] = [];
  let text = '';
  const visit = (value: JSONValue): void => {
    if (value === null || typeof value !== 'object') {
      text += JSON.stringify(value);
      return;
    }
    const source = value as Record<string | number, JSONValue>;
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    if (isCanonical) keys?.sort();
    text += keys ? '{' : '[';
    frames.push({ source, keys, length: (keys ?? (value as JSONValue[])).length, next: 0 });
  };
  visit(root);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const { source, keys, length } = frame;
    const i = frame.next++;
    if (i === length) {
      text += keys ? '}' : ']';
      frames.pop();
      continue;
    }
    if (i) text += ',';
    if (keys) text += `${JSON.stringify(keys[i])}:`;
    visit(source[keys ? (keys[i] as string) : i] as JSONValue);
  }
  return text;
}
